// The page that signs a user in. It appears in place of the screen that the user wanted, and gives way to it.
import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import * as session from '../api/session'
import { chooseLanguage, language, languages, t, type Language } from '../i18n/i18n'
import { Button, Notice } from './basics'
import { brand, logo } from './brand'
import icon from './icon.svg'

const paths: Record<session.App, string> = { cockpit: '/', till: '/till', me: '/me' }

const titles = {
  cockpit: 'signIn.cockpit', till: 'signIn.till', me: 'signIn.me',
} as const

export function SignIn({ children }: { children?: ComponentChildren }): JSX.Element {
  const app = session.app
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [store, setStore] = useState(session.store.value)
  const [result, setResult] = useState<session.SignInResult | 'empty' | null>(null)
  const [busy, setBusy] = useState(false)
  const ids = [useId(), useId(), useId()]
  document.title = `${t('signIn.title')} · ${brand.value || 'Punchcard'}`
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (busy) return
    if (!username || !password) return setResult('empty')
    setBusy(true)
    const done = await session.signIn(app, store, username.trim(), password)
    setBusy(false)
    setResult(done)
    if (done === 'done' && app !== 'cockpit' && store !== session.store.value) {
      location.assign(`${paths[app]}/${encodeURIComponent(store)}`)
    }
  }
  return (
    <main class="sign-in" id="main" tabIndex={-1}>
      <div>
        <div class="brand"><img src={logo.value || icon} alt="" /> {brand.value || 'Punchcard'}</div>
        <div>
          <h1>{t(titles[app])}</h1>
        </div>
        {session.signedOut.value && !result && <Notice tone="warning">{t('signIn.ended')}</Notice>}
        {result && result !== 'done' && <Notice tone="danger">{t(`signIn.${result}`)}</Notice>}
        <form class="form" onSubmit={submit} noValidate>
          <div class="field">
            <label class="label" for={ids[0]}>{t(app === 'cockpit' ? 'signIn.username' : 'signIn.email')}</label>
            <input class="input" id={ids[0]} type={app === 'cockpit' ? 'text' : 'email'} autoComplete="username" autoCapitalize="none"
              autofocus value={username} onInput={(e) => setUsername(e.currentTarget.value)} />
          </div>
          <div class="field">
            <label class="label" for={ids[1]}>{t('signIn.password')}</label>
            <input class="input" id={ids[1]} type="password" autoComplete="current-password" value={password}
              onInput={(e) => setPassword(e.currentTarget.value)} />
          </div>
          {app !== 'cockpit' && (
            <details>
              <summary>{t('signIn.otherStore')}</summary>
              <div class="field">
                <label class="label" for={ids[2]}>{t('signIn.store')}</label>
                <input class="input" id={ids[2]} value={store} autoCapitalize="characters" autoComplete="off"
                  onInput={(e) => setStore(e.currentTarget.value.trim())} />
              </div>
            </details>
          )}
          <Button kind="primary" type="submit" busy={busy}>{t('signIn.submit')}</Button>
        </form>
        {children}
        {app !== 'me' && (
          <nav class="others" aria-label={t('signIn.otherApps')}>
            {app !== 'cockpit' && <a href="/">{t('signIn.toCockpit')}</a>}
            {app !== 'till' && <a href="/till">{t('signIn.toTill')}</a>}
            <a href="/me">{t('signIn.toMe')}</a>
          </nav>
        )}
        <LanguageChoice />
      </div>
    </main>
  )
}

export function LanguageChoice(): JSX.Element {
  return (
    <div class="row others">
      {(Object.keys(languages) as Language[]).map((name) => (
        <button key={name} type="button" class="text-button" lang={name} aria-pressed={name === language.value}
          onClick={() => void chooseLanguage(name)}>{languages[name]}</button>
      ))}
    </div>
  )
}
