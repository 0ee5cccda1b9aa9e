// Switches push messages to this browser on and off. Browsers have them over HTTPS or on the machine itself only.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useQuery, write } from '../api/client'
import { t } from '../i18n/i18n'
import { Button, Card } from '../ui/basics'
import { toast, toastFailure } from '../ui/dialog'

const path = '/api/{store}/customer/push-subscription'

const isCapable = (): boolean =>
  isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

// ownSubscription returns that of this browser, null without one.
async function ownSubscription(): Promise<PushSubscription | null> {
  return (await (await navigator.serviceWorker.getRegistration('/me'))?.pushManager.getSubscription()) ?? null
}

// bytesOf decodes a key. Browsers compare keys as bytes.
function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
}

async function subscribe(publicKey: string): Promise<PushSubscription> {
  const manager = (await navigator.serviceWorker.ready).pushManager
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) }
  try {
    return await manager.subscribe(options)
  } catch (err) {
    const other = await manager.getSubscription() // with the key of a former installation at this address
    if (!other) throw err
    await other.unsubscribe()
    return manager.subscribe(options)
  }
}

export function Push(): JSX.Element | null {
  const key = useQuery(`${path}/key`)
  const list = useQuery(path)
  const [endpoint, setEndpoint] = useState<string | null>(null)
  const [blocked, setBlocked] = useState(false)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (!isCapable()) return
    void ownSubscription().then((own) => setEndpoint(own?.endpoint ?? null))
    void navigator.permissions
      .query({ name: 'notifications' })
      .then((permission) => setBlocked(permission.state === 'denied'))
  }, [])
  if (!isCapable() || !key.data?.active || !list.data) return null
  const stored = list.data.subscriptions.find((s) => s.endpoint === endpoint)
  const run = (change: () => Promise<void>) => async (): Promise<void> => {
    setBusy(true)
    await change().catch(toastFailure)
    setBusy(false)
  }
  const switchOn = run(async () => {
    const answer = await Notification.requestPermission()
    setBlocked(answer === 'denied')
    if (answer !== 'granted') return
    const own = await subscribe(key.data?.publicKey ?? '').catch(() => null)
    if (!own) return void toast(t('me.push.failed'), 'danger')
    const { p256dh = '', auth = '' } = own.toJSON().keys ?? {}
    await write('POST', path, { body: { subscription: { endpoint: own.endpoint, keys: { p256dh, auth } } } })
    setEndpoint(own.endpoint)
    list.reload()
  })
  const switchOff = run(async () => {
    if (stored) await write('DELETE', `${path}/{subscription}`, { params: { subscription: stored.subscriptionId } })
    await (await ownSubscription())?.unsubscribe()
    setEndpoint(null)
    list.reload()
  })
  return (
    <Card title={t('me.push.title')}>
      <p>{t(stored ? 'me.push.isOn' : blocked ? 'me.push.blocked' : 'me.push.why')}</p>
      {stored ? (
        <Button busy={busy} onClick={busy ? undefined : switchOff}>
          {t('me.push.switchOff')}
        </Button>
      ) : (
        !blocked && (
          <Button icon="bell" busy={busy} onClick={busy ? undefined : switchOn}>
            {t('me.push.switchOn')}
          </Button>
        )
      )}
    </Card>
  )
}
