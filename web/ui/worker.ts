// The service worker of the till and of the customer's app: it keeps the app's own files, so that the app opens without
// a network. Calls of the API are not its business; the apps keep what they show offline by themselves.

// The bundler fills these in.
declare const ASSETS: string[] // addresses of all files of the app
declare const VERSION: string // changes with any of them

interface WorkerScope {
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener(type: string, listener: (event: any) => void): void
}

// While the files are kept the network may be lost, as a till is carried around. Browsers end a worker that takes five
// minutes.
const maxAttempts = 60
const pause = 3000 // milliseconds between them

// serveOffline answers from the cache what belongs to the app. The page itself comes from the network while there is
// one, so that a new version is found at once.
export function serveOffline(base: string): void {
  const scope = self as unknown as WorkerScope
  const name = `punchcard${base}-${VERSION}`
  const known = new Set(ASSETS)

  const keepFiles = async (): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await (await caches.open(name)).addAll([base, ...ASSETS])
      } catch (error) {
        if (attempt === maxAttempts) throw error // the browser tries again at the next visit
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
  }

  scope.addEventListener('install', (event) => event.waitUntil(keepFiles().then(() => scope.skipWaiting())))

  scope.addEventListener('activate', (event) => {
    event.waitUntil(
      (async () => {
        for (const other of await caches.keys()) {
          if (other.startsWith(`punchcard${base}-`) && other !== name) await caches.delete(other)
        }
        await scope.clients.claim()
      })(),
    )
  })

  scope.addEventListener('fetch', (event) => {
    const request = event.request as Request
    const address = new URL(request.url)
    if (request.method !== 'GET' || address.origin !== location.origin) return
    if (known.has(address.pathname)) {
      event.respondWith(
        caches
          .match(address.pathname)
          .then((found) => found ?? fetch(request))
          .catch(() => Response.error()),
      )
    } else if (request.mode === 'navigate') {
      event.respondWith(fetch(request).catch(async () => (await caches.match(base)) ?? Response.error()))
    }
  })
}
