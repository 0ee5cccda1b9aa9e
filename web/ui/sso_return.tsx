// Where an identity provider sends browsers back: ends a sign-in, or the link of the account that is signed in. Each
// provider has its own address, below the page of the cockpit, which hands over what began at a till.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failure, write } from '../api/client'
import * as session from '../api/session'
import { t } from '../i18n/i18n'
import { failureText, Notice, Skeleton } from './basics'
import { toast } from './dialog'
import { Outside, ToSignIn } from './outside'
import { navigate, place, type RouteProps } from './router'

// The state of a sign-in at a till names the store.
const ofTill = /^till\.(.*?)\.(link\.)?[^.]*$/

export default function Return({ params }: RouteProps): JSX.Element {
  const [{ provider, state, code, iss }] = useState(() => {
    const given = place.value.query
    return {
      provider: params.provider!,
      state: given.get('state') ?? '',
      code: given.get('code') ?? '',
      iss: given.get('iss') ?? '',
    }
  })
  const [isDenied, setDenied] = useState(false)
  const [problem, setProblem] = useState('')
  const end = async (): Promise<void> => {
    const till = ofTill.exec(state)
    if (till && session.app === 'cockpit')
      return location.replace(
        `/till/${encodeURIComponent(till[1]!)}/sso/${encodeURIComponent(provider)}${location.search}`,
      )
    history.replaceState(null, '', location.pathname) // the code is for one use
    if (!code) return setDenied(true)
    const body = { provider, state, code, iss }
    if (till ? till[2] : state.startsWith('link.')) {
      await write('POST', till ? '/api/{store}/seller/identities' : '/api/me/identities', { body, key: null })
      toast(t('sso.linked'))
    } else {
      await session.finishSignOut() // it must not end the new session
      const answer = await write('POST', till ? '/api/{store}/session/finish' : '/api/session/finish', {
        body,
        key: null,
      })
      session.signedOut.value = false
      session.begin(answer)
    }
    navigate('/')
  }
  useEffect(() => {
    end().catch((e: unknown) => setProblem(e instanceof Failure ? failureText(e) : String(e)))
  }, [])
  return (
    <Outside title={t('nav.singleSignOn')}>
      {isDenied && <Notice tone="warning">{t('sso.denied')}</Notice>}
      {problem && <Notice tone="danger">{problem}</Notice>}
      {isDenied || problem ? <ToSignIn /> : <Skeleton />}
    </Outside>
  )
}
