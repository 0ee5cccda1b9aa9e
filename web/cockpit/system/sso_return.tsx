// Where identity providers send browsers back: ends a sign-in, or the link of the account that is signed in.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failure, write } from '../../api/client'
import * as session from '../../api/session'
import { t } from '../../i18n/i18n'
import { failureText, Notice, Skeleton } from '../../ui/basics'
import { toast } from '../../ui/dialog'
import { Outside, ToSignIn } from '../../ui/outside'
import { navigate, place } from '../../ui/router'

export default function Return(): JSX.Element {
  const [{ state, code }] = useState(() => {
    const given = place.value.query
    return { state: given.get('state') ?? '', code: given.get('code') ?? '' }
  })
  const [isDenied, setDenied] = useState(false)
  const [problem, setProblem] = useState('')
  const end = async (): Promise<void> => {
    history.replaceState(null, '', location.pathname) // the code is for one use
    if (!code) return setDenied(true)
    if (state.startsWith('link.')) {
      await write('POST', '/api/me/identities', { body: { state, code }, key: null })
      toast(t('sso.linked'))
    } else {
      await session.finishSignOut() // it must not end the new session
      const answer = await write('POST', '/api/session/finish', { body: { state, code }, key: null })
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
