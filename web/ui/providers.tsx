// The buttons of the sign-in page that lead to identity providers. They are loaded after the page.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useQuery, write } from '../api/client'
import { t } from '../i18n/i18n'
import { Button } from './basics'
import { toastFailure } from './dialog'

// leaveFor goes on at a provider, which sends the browser back to the page /sso.
export async function leaveFor(path: '/api/session/start' | '/api/me/identities/start', provider: string): Promise<void> {
  try {
    location.assign((await write('POST', path, { body: { provider }, key: null })).url)
  } catch (error) {
    toastFailure(error)
    throw error
  }
}

export default function Providers(): JSX.Element | null {
  const providers = useQuery('/api/session/providers').data?.providers ?? []
  const [busy, setBusy] = useState('')
  if (providers.length === 0) return null
  const go = (id: string): void => {
    setBusy(id)
    leaveFor('/api/session/start', id).catch(() => setBusy(''))
  }
  return (
    <div class="stack providers">
      {providers.map((p) => (
        <Button key={p.providerId} icon="lock" busy={busy === p.providerId} onClick={() => go(p.providerId)}>{t('sso.signInWith', { name: p.name })}</Button>
      ))}
    </div>
  )
}
