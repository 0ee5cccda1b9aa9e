// The parts of a browser that the logic of the apps uses. A test imports this file before the logic.
class Storage {
  items = new Map()
  getItem(key) { return this.items.get(key) ?? null }
  setItem(key, value) { this.items.set(key, String(value)) }
  removeItem(key) { this.items.delete(key) }
  key(at) { return [...this.items.keys()][at] ?? null }
  get length() { return this.items.size }
}

const listeners = new Map()

Object.assign(globalThis, {
  localStorage: new Storage(),
  location: new URL('http://till.example/till/DEFAULT'),
  document: { documentElement: { dataset: {} }, getElementById: () => null },
  history: {
    pushState: (_, __, address) => { globalThis.location = new URL(address, location) },
    replaceState: (_, __, address) => { globalThis.location = new URL(address, location) },
  },
  addEventListener: (name, listener) => listeners.set(name, [...(listeners.get(name) ?? []), listener]),
  scrollTo: () => undefined,
  requestAnimationFrame: (run) => run(),
  setInterval: () => 0, // tests send by themselves
})
Object.defineProperty(globalThis, 'navigator', {
  value: { onLine: true, languages: ['en-GB', 'en'] }, configurable: true,
})

// emit calls the listeners of an event of the window.
export function emit(name, event = {}) {
  for (const listener of listeners.get(name) ?? []) listener(event)
}

// serve answers fetch by a function of path and request, which returns a status, a body and headers, or throws.
export function serve(answer) {
  globalThis.fetch = async (path, request = {}) => {
    const { status = 200, body, headers = {} } = await answer(path, request)
    const text = body === undefined ? '' : JSON.stringify(body)
    return new Response(status === 204 ? null : text, { status, headers: { 'Content-Type': 'application/json', ...headers } })
  }
}

// token returns an access token of a user that is valid for some seconds.
export function token(id, seconds = 3600) {
  const claims = { id, username: id, exp: Math.floor(Date.now() / 1000) + seconds, permissions: {} }
  return `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`
}
