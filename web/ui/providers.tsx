// The buttons of the sign-in page that lead to identity providers. They are loaded after the page.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useQuery, write } from '../api/client'
import { app, hasLeft } from '../api/session'
import { t } from '../i18n/i18n'
import { Button } from './basics'
import { toastFailure } from './dialog'
import { storeOfAddress } from './router'

// leave goes on at a provider, which sends the browser back to the page /sso.
export async function leave(begun: Promise<{ url: string }>): Promise<void> {
  try {
    location.assign((await begun).url)
  } catch (error) {
    toastFailure(error)
    throw error
  }
}

// Providers shows those of the installation in the cockpit, and those of the store: of the cockpit, if the address
// names one.
export default function Providers(): JSX.Element | null {
  const everywhere = useQuery(app === 'cockpit' ? '/api/session/providers' : null).data?.providers ?? []
  const inStore =
    useQuery(app === 'till' || storeOfAddress() ? '/api/{store}/session/providers' : null).data?.providers ?? []
  const here = inStore.filter((p) => (app === 'cockpit' ? p.administrators : p.sellers))
  const [busy, setBusy] = useState('')
  if (everywhere.length + here.length === 0) return null
  const go = (provider: string, begun: Promise<{ url: string }>): void => {
    setBusy(provider)
    leave(begun).catch(() => setBusy(''))
  }
  return (
    <div class="stack providers">
      {everywhere.map(({ providerId: provider, name }) => (
        <Button
          key={provider}
          icon="lock"
          busy={busy === provider}
          onClick={() =>
            go(provider, write('POST', '/api/session/start', { body: { provider, fresh: hasLeft() }, key: null }))
          }
        >
          {t('sso.signInWith', { name })}
        </Button>
      ))}
      {here.map(({ providerId: provider, name }) => (
        <Button
          key={provider}
          icon="lock"
          busy={busy === provider}
          onClick={() =>
            go(
              provider,
              write('POST', '/api/{store}/session/start', {
                body: { provider, app: app === 'till' ? 'till' : 'cockpit', fresh: hasLeft() },
                key: null,
              }),
            )
          }
        >
          {t('sso.signInWith', { name })}
        </Button>
      ))}
    </div>
  )
}
