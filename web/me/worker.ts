// The service worker of the customer's app: it also shows push messages, and opens what they are about.
import { serveOffline } from '../ui/worker'

interface Message {
  id: string // a message with the id of a shown one takes its place
  title: string
  text: string
  link: string // a web address, or a path of the app
}

interface PushScope {
  registration: { showNotification(title: string, options: object): Promise<void> }
  clients: {
    matchAll(options: object): Promise<{ url: string; focus(): Promise<unknown> }[]>
    openWindow(url: string): Promise<unknown>
  }
  addEventListener(type: string, listener: (event: any) => void): void
}

const scope = self as unknown as PushScope

serveOffline('/me')

scope.addEventListener('push', (event) => {
  const m = event.data?.json() as Message | undefined
  if (!m) return
  event.waitUntil(scope.registration.showNotification(m.title, { body: m.text, tag: m.id, data: m.link }))
})

scope.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const target = new URL(String(event.notification.data || '/me'), location.origin)
  if (target.protocol !== 'https:' && target.protocol !== 'http:') return
  event.waitUntil(
    (async () => {
      for (const page of await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })) {
        if (page.url === target.href) return page.focus()
      }
      return scope.clients.openWindow(target.href)
    })(),
  )
})
