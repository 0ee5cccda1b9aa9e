// The service worker of the till and of the customer's app: it keeps the app's own files, so that the app opens without a
// network. Calls of the API are not its business; the apps keep what they show offline by themselves.

// The bundler fills these in.
declare const ASSETS: string[] // addresses of all files of the app
declare const VERSION: string // changes with any of them

interface WorkerScope {
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener(type: string, listener: (event: any) => void): void
}

// serveOffline answers from the cache what belongs to the app. The page itself comes from the network while there is
// one, so that a new version is found at once.
export function serveOffline(base: string): void {
  const scope = self as unknown as WorkerScope
  const name = `punchcard${base}-${VERSION}`
  const known = new Set(ASSETS)

  scope.addEventListener('install', (event) => {
    event.waitUntil(caches.open(name).then((cache) => cache.addAll([base, ...ASSETS])).then(() => scope.skipWaiting()))
  })

  scope.addEventListener('activate', (event) => {
    event.waitUntil((async () => {
      for (const other of await caches.keys()) {
        if (other.startsWith(`punchcard${base}-`) && other !== name) await caches.delete(other)
      }
      await scope.clients.claim()
    })())
  })

  scope.addEventListener('fetch', (event) => {
    const request = event.request as Request
    const address = new URL(request.url)
    if (request.method !== 'GET' || address.origin !== location.origin) return
    if (known.has(address.pathname)) {
      event.respondWith(caches.match(address.pathname).then((found) => found ?? fetch(request)))
    } else if (request.mode === 'navigate') {
      event.respondWith(fetch(request).catch(async () => (await caches.match(base)) ?? Response.error()))
    }
  })
}

