// The page around what visitors see who are not signed in, and the pages of forgotten passwords, which all apps have.
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { write } from '../api/client'
import * as session from '../api/session'
import { t } from '../i18n/i18n'
import { Button, ButtonLink, Notice } from './basics'
import { brand, logo } from './brand'
import { toast, toastFailure } from './dialog'
import { Form, TextField, useForm } from './form'
import icon from './icon.svg'
import { NewPassword } from './password'
import { href, navigate } from './router'
import { LanguageChoice } from './signin'

export function Outside({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  document.title = `${title} · ${brand.value || 'Punchcard'}`
  return (
    <main class="sign-in" id="main" tabIndex={-1}>
      <div>
        <div class="brand">
          <img src={logo.value || icon} alt="" /> {brand.value || 'Punchcard'}
        </div>
        <h1>{title}</h1>
        {children}
        <LanguageChoice />
      </div>
    </main>
  )
}

export function ToSignIn({ primary }: { primary?: boolean }): JSX.Element {
  const to = session.app === 'me' ? '/sign-in' : '/' // visitors of the app see the program first
  return primary ? (
    <ButtonLink to={to} kind="primary">
      {t('signIn.submit')}
    </ButtonLink>
  ) : (
    <p class="others">
      <a href={href(to)}>{t('signIn.submit')}</a>
    </p>
  )
}

// SendAgain repeats the request for a message, with a new key each time.
export function SendAgain({ send }: { send: () => Promise<unknown> }): JSX.Element {
  const [busy, setBusy] = useState(false)
  const again = async (): Promise<void> => {
    setBusy(true)
    await send().then(() => toast(t('account.sentAgain')), toastFailure)
    setBusy(false)
  }
  return (
    <Button busy={busy} onClick={busy ? undefined : () => void again()}>
      {t('account.sendAgain')}
    </Button>
  )
}

const requests = {
  cockpit: '/api/password/reset/request',
  till: '/api/{store}/seller/password/reset/request',
  me: '/api/{store}/customer/password/reset/request',
} as const

// Forgotten asks for the name of an account, and has a link for a new password sent to it.
export function Forgotten({ name }: { name: string }): JSX.Element {
  const [sentTo, setSentTo] = useState('')
  const request = (username: string, key?: string): Promise<unknown> =>
    write('POST', requests[session.app], { body: { username }, key })
  const form = useForm(
    { username: '' },
    async (values, key) => {
      await request(values.username.trim(), key)
      setSentTo(values.username.trim())
    },
    false,
  )
  return (
    <Outside title={t('account.forgotten')}>
      {sentTo ? (
        <>
          <Notice tone="success" title={t('account.linkSent')}>
            {t('account.linkSentText', { name: sentTo })}
          </Notice>
          <SendAgain send={() => request(sentTo)} />
        </>
      ) : (
        <>
          <p>{t('account.forgottenText')}</p>
          <Form form={form} save={t('account.sendLink')}>
            <TextField form={form} path="username" label={name} autoComplete="username" />
          </Form>
        </>
      )}
      <ToSignIn />
    </Outside>
  )
}

// Reset sets a new password by the token of a link. A link that was handed over names the user in its fragment, who is
// then signed in.
export function Reset({ token, invited = false }: { token: string; invited?: boolean }): JSX.Element {
  const [done, setDone] = useState(false)
  const [name] = useState(() => decodeURIComponent(location.hash.slice(1)))
  const form = useForm(
    { plainPassword: '' },
    async (values, key) => {
      await write('POST', '/api/password/reset', { body: { token, reset: values }, key })
      session.ended() // the reset has ended all sessions
      if (name && (await session.signIn(session.app, session.store.value, name, values.plainPassword)) === 'done')
        navigate('/')
      else setDone(true)
    },
    false,
  )
  const isOver = form.failure?.kind === 'missing'
  return (
    <Outside title={t(invited ? 'account.invitation' : 'account.newPassword')}>
      {done && (
        <Notice tone="success" title={t('account.passwordSet')}>
          {t('account.passwordSetText')}
        </Notice>
      )}
      {done ? (
        <ToSignIn primary />
      ) : (
        <Form form={form} save={t('account.setPassword')}>
          <NewPassword form={form} path="plainPassword" label={t('account.newPassword')} />
        </Form>
      )}
      {isOver && invited && <p>{t('account.invitationOver')}</p>}
      {isOver && !invited && <ButtonLink to="/forgotten">{t('account.askForLink')}</ButtonLink>}
      {!done && <ToSignIn />}
    </Outside>
  )
}
