// The page that signs a user in. It appears in place of the screen that the user wanted, and gives way to it.
import type { ComponentChildren, ComponentType, JSX } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { useQuery } from '../api/client'
import { isAvailable, use } from '../api/passkeys'
import * as session from '../api/session'
import type { AuthRequestOptions, StorePublicStore } from '../api/types'
import { whenLoaded } from '../api/underway'
import { chooseLanguage, language, languages, t, type Language } from '../i18n/i18n'
import { Button, Notice } from './basics'
import { brand, logo } from './brand'
import icon from './icon.svg'
import { href, navigate, storeOfAddress } from './router'
import { Later } from './second_factor'

const paths: Record<session.App, string> = { cockpit: '/', till: '/till', me: '/me' }

const titles = {
  cockpit: 'signIn.cockpit',
  till: 'signIn.till',
  me: 'signIn.me',
} as const

// SignIn asks for the log-in. name is the label of what a user signs in with, if that is not the usual.
export function SignIn({ children, name }: { children?: ComponentChildren; name?: string }): JSX.Element {
  const app = session.app
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [result, setResult] = useState<session.SignInResult | 'empty' | 'passkey' | null>(null)
  const [busy, setBusy] = useState(false)
  const [pending, setPending] = useState<session.Pending | null>(null)
  const [Providers, setProviders] = useState<ComponentType | null>(null)
  useEffect(() => {
    if (app !== 'me') whenLoaded(import('./providers'), (module) => setProviders(() => module.default))
  }, [])
  const ids = [useId(), useId()]
  document.title = `${t('signIn.title')} · ${brand.value || 'Punchcard'}`
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (busy) return
    if (!username || !password) return setResult('empty')
    setBusy(true)
    const done = await session.signIn(app, session.store.value, username.trim(), password)
    setBusy(false)
    if (typeof done === 'object') {
      setResult(null)
      return setPending(done)
    }
    setResult(done)
    if (done === 'done') entered()
  }
  const entered = (): void => {
    if (session.isTemporary.value && app === 'me') navigate('/account/password')
  }
  const enter = async (): Promise<void> => {
    const response = await session.post('/api/login/passkey/challenge', {}).catch(() => null)
    if (!response?.ok) return setResult(response ? 'failed' : 'network')
    const credential = await use((await response.json()) as AuthRequestOptions)
    if (!credential) return
    const store = app === 'cockpit' ? '' : session.store.value
    const done = await session.finishSignIn('/api/login/passkey', { app, store, credential })
    setResult(done === 'refused' ? 'passkey' : done)
  }
  return (
    <main class="sign-in" id="main" tabIndex={-1}>
      <div>
        <div class="brand">
          <img src={logo.value || icon} alt="" /> {brand.value || 'Punchcard'}
        </div>
        <div>
          <h1>{t(titles[app])}</h1>
        </div>
        {session.signedOut.value && !result && <Notice tone="warning">{t('signIn.ended')}</Notice>}
        {result && result !== 'done' && <Notice tone="danger">{t(`signIn.${result}`)}</Notice>}
        {pending ? (
          <Later
            load={() => import('./second_step')}
            props={{ pending, done: entered, cancel: () => setPending(null) }}
          />
        ) : (
          <>
            <form class="form" onSubmit={submit} noValidate>
              {app !== 'cockpit' && <StoreChoice base={paths[app]} />}
              <div class="field">
                <label class="label" for={ids[0]}>
                  {name ?? t(app === 'cockpit' ? 'signIn.username' : 'signIn.email')}
                </label>
                <input
                  class="input"
                  id={ids[0]}
                  type={app === 'cockpit' || name ? 'text' : 'email'}
                  autoComplete="username"
                  autoCapitalize="none"
                  autofocus
                  value={username}
                  onInput={(e) => setUsername(e.currentTarget.value)}
                />
              </div>
              <div class="field">
                <label class="label" for={ids[1]}>
                  {t('signIn.password')}
                </label>
                <input
                  class="input"
                  id={ids[1]}
                  type="password"
                  autoComplete="current-password"
                  value={password}
                  onInput={(e) => setPassword(e.currentTarget.value)}
                />
              </div>
              <Button kind="primary" type="submit" busy={busy}>
                {t('signIn.submit')}
              </Button>
              {isAvailable() && (
                <Button icon="lock" onClick={() => void enter()}>
                  {t('signIn.withPasskey')}
                </Button>
              )}
            </form>
            {Providers && <Providers />}
            <p class="others">
              <a href={href('/forgotten')}>{t('account.forgotten')}</a>
            </p>
          </>
        )}
        {children}
        {app !== 'cockpit' && <OtherStore base={paths[app]} />}
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

function useStores(): StorePublicStore[] {
  return useQuery('/api/store/public', { perPage: 1000 }).data?.stores ?? []
}

// useStoreKnown reports whether it is known which store is meant: the address names it, or there is no other.
export function useStoreKnown(): boolean {
  const stores = useStores()
  return stores.some((s) => s.code === session.store.value) && (stores.length === 1 || storeOfAddress() !== '')
}

// OtherStore leaves the store that the address names.
function OtherStore({ base }: { base: string }): JSX.Element | null {
  const isLeft = useStores().length > 1 && storeOfAddress()
  return isLeft ? (
    <p class="others">
      <a href={base}>{t('signIn.otherStore')}</a>
    </p>
  ) : null
}

// StoreChoice asks for the store where the address names none, or one that does not exist. Where there is one store
// only, nothing is to be chosen.
function StoreChoice({ base }: { base: string }): JSX.Element | null {
  const id = useId()
  const stores = useStores()
  const present = session.store.value
  const isKnown = stores.some((s) => s.code === present)
  const named = storeOfAddress()
  if (stores.length === 0 || (isKnown && (named || stores.length === 1))) return null
  const choose = (code: string): void => {
    if (named) location.assign(`${base}/${encodeURIComponent(code)}`)
    else session.switchStore(code)
  }
  return (
    <div class="field">
      <label class="label" for={id}>
        {t('signIn.store')}
      </label>
      <select class="input" id={id} value={isKnown ? present : ''} onChange={(e) => choose(e.currentTarget.value)}>
        {!isKnown && (
          <option value="" disabled>
            {t('signIn.chooseStore')}
          </option>
        )}
        {stores.map((s) => (
          <option key={s.code} value={s.code}>
            {s.name}
          </option>
        ))}
      </select>
      {!isKnown && named && <div class="error">{t('signIn.noStore', { code: named })}</div>}
    </div>
  )
}

export function LanguageChoice(): JSX.Element {
  return (
    <div class="row others">
      {(Object.keys(languages) as Language[]).map((name) => (
        <button
          key={name}
          type="button"
          class="text-button"
          lang={name}
          aria-pressed={name === language.value}
          onClick={() => void chooseLanguage(name)}
        >
          {languages[name]}
        </button>
      ))}
    </div>
  )
}
