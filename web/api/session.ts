// The session of a signed-in user. Its refresh token is in a cookie that scripts cannot read, and the access token in
// the memory of the page. Who is signed in is kept for each app and store in localStorage, so that other tabs follow.
import { computed, effect, signal, untracked } from '@preact/signals'
import type {
  AuthBrowserPair,
  AuthMe,
  AuthPair,
  LogInAdministratorForm,
  RenewOrEndBrowserSessionForm,
  RevokeTokensForm,
} from './types'
import { underway } from './underway'

export type Role = 'admin' | 'seller' | 'customer'

// Claims are what the access token says about its user.
export interface Claims {
  id: string
  username: string
  exp: number // seconds since 1970
  superAdmin: boolean
  permissions: Record<string, string[]>
  storeCode?: string
  pinIdle?: number // seconds without a call after which a session with a PIN ends
}

const roles = { cockpit: 'admin', till: 'seller', me: 'customer' } as const

export type App = keyof typeof roles

// app is the app that this page runs.
export let app: App = 'cockpit'

// store is the code of the store that the app shows. Administrators sign in for all stores at once.
export const store = signal('DEFAULT')

// claims are those of the last access token; null while nobody is signed in.
export const claims = signal<Claims | null>(null)

// token is the access token. It is null until the session is first renewed on this page.
export let token: string | null = null

// signedOut tells that a session ended by itself, so that the sign-in page can say why it appears.
export const signedOut = signal(false)

// isTemporary tells that the last log-in was with a temporary password, which must be changed.
export const isTemporary = signal(false)

function key(a: App, s: string): string {
  return a === 'cockpit' ? 'punchcard.cockpit' : `punchcard.${a}.${s}`
}

function read(): Claims | null {
  try {
    return JSON.parse(localStorage.getItem(key(app, store.value)) ?? 'null') as Claims | null
  } catch {
    return null
  }
}

// start begins the session of an app, and follows what other tabs do.
export function start(a: App, s: string): void {
  app = a
  store.value = s
  follow()
  addEventListener('storage', (event) => {
    if (event.key === key(app, store.value) || event.key === null) follow()
  })
  addEventListener('pageshow', follow) // the browser may show a page again as it was left
  addEventListener('online', () => void finishSignOut())
  void finishSignOut()
  if (a !== 'cockpit') return
  const user = computed(() => claims.value?.id)
  effect(() => {
    if (user.value) untracked(() => void readCaller())
  })
  addEventListener('focus', () => void readCaller())
}

// follow takes up the session that is stored, perhaps by another tab.
function follow(): void {
  const stored = read()
  become(stored)
  deleteKept(app, store.value, stored)
}

// become changes who is signed in on this page. What it knows of another user is forgotten first.
function become(c: Claims | null): void {
  if (claims.peek()?.id !== c?.id) {
    token = null
    forget(false)
  }
  claims.value = c
}

const keptPrefix = (a: App, s: string): string => `punchcard.${a}.${s}.of.`

// keptAt returns the key under which something of the signed-in user is kept on the device, for times without a
// network; '' while nobody is signed in. All of it is deleted when the session ends or another user signs in, in any
// tab.
export function keptAt(name: string): string {
  const id = claims.value?.id
  return id ? `${keptPrefix(app, store.value)}${id}.${name}` : ''
}

// deleteKept deletes what is kept of others than a user.
function deleteKept(a: App, s: string, of: Claims | null): void {
  const all = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? '')
  const own = `${keptPrefix(a, s)}${of?.id ?? ' '}.`
  for (const one of all) if (one.startsWith(keptPrefix(a, s)) && !one.startsWith(own)) localStorage.removeItem(one)
}

// switchStore shows another store, with the session that this app has there.
export function switchStore(s: string): void {
  if (s === store.value) return
  store.value = s
  follow()
}

// rememberedStore returns the store that an app opens when the address names none, empty if none is known.
export function rememberedStore(a: App): string {
  return localStorage.getItem(`punchcard.store.${a}`) ?? ''
}

// rememberStore keeps the present store for later visits. It is called when the server has answered for the store, so
// that a word that is no store is never kept.
export function rememberStore(): void {
  if (rememberedStore(app) !== store.value) localStorage.setItem(`punchcard.store.${app}`, store.value)
}

// keep stores who is signed in, null for nobody.
function keep(c: Claims | null, a: App = app, s: string = store.value): void {
  if (c) localStorage.setItem(key(a, s), JSON.stringify(c))
  else localStorage.removeItem(key(a, s))
  deleteKept(a, s, c)
  if (a === app && s === store.value) become(c)
}

function decode(accessToken: string): Claims {
  const part = accessToken.split('.')[1]!.replace(/-/g, '+').replace(/_/g, '/')
  const bytes = Uint8Array.from(atob(part), (c) => c.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims
}

// caller is who is signed in to the cockpit and what they may do now. It is null until it is known, and can be of an
// earlier user: compare its id with that of the claims.
export const caller = signal<AuthMe | null>(null)

// readCaller asks what the administrator may do now. A changed role shows when the page gets the focus again, or after
// a call that was refused.
export async function readCaller(): Promise<void> {
  const id = claims.value?.id
  if (app !== 'cockpit' || !id || !(await fresh())) return
  try {
    const response = await underway(fetch('/api/me', { headers: { Authorization: `Bearer ${token ?? ''}` } }))
    if (!response.ok) return
    const found = (await response.json()) as AuthMe
    if (found.id !== claims.value?.id || JSON.stringify(found) === JSON.stringify(caller.value)) return
    caller.value = found
    if (found.stores?.[0] && !found.stores.some((s) => s.code === store.value)) switchStore(found.stores[0].code)
  } catch {
    // Without a network, what was known goes on to count. The server checks every call.
  }
}

// roleHere returns the role that an administrator of some stores has in the one that is shown.
export function roleHere(): NonNullable<AuthMe['stores']>[number] | undefined {
  return caller.value?.stores?.find((s) => s.code === store.value)
}

// may reports whether the administrator has a permission. The permission to modify includes the one to view. The claims
// of the token count until the permissions of now are known.
export function may(resource: string, access: 'VIEW' | 'MODIFY' = 'VIEW'): boolean {
  const c = claims.value
  if (!c) return false
  const now = caller.value?.id === c.id ? caller.value : null
  if (now ? now.master : c.superAdmin) return true
  const granted = (now?.stores ? roleHere()?.permissions : (now ?? c).permissions)?.[resource] ?? []
  return granted.includes(access) || (access === 'VIEW' && granted.includes('MODIFY'))
}

// Pending is a log-in with the right password that waits for a second factor.
export interface Pending {
  token: string
  factors: string[] // totp, passkey, recovery
}

// post sends JSON to the API without an access token. It throws what fetch throws without a network.
export function post(path: string, body: object): Promise<Response> {
  return underway(
    fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  )
}

// session renews or ends the session in the cookie of an app.
function atSession(
  a: App,
  s: string,
  more: Omit<RenewOrEndBrowserSessionForm, 'app' | 'store'> = {},
): Promise<Response> {
  return post('/api/session', {
    app: a,
    store: a === 'cockpit' ? '' : s,
    ...more,
  } satisfies RenewOrEndBrowserSessionForm)
}

// signIn begins a session with a name and a password.
export async function signIn(a: App, s: string, username: string, password: string): Promise<SignInResult | Pending> {
  const path = a === 'cockpit' ? '/api/admin/login_check' : `/api/${encodeURIComponent(s)}/${roles[a]}/login_check`
  try {
    await finishSignOut() // it must not end the new session
    const response = await post(path, { username, password } satisfies LogInAdministratorForm)
    if (response.status === 401) {
      const waiting = (await response.json()) as { login_token?: string; factors?: string[] }
      return waiting.login_token ? { token: waiting.login_token, factors: waiting.factors ?? [] } : 'refused'
    }
    return await take(response, a, s)
  } catch {
    return 'network'
  }
}

// finishSignIn begins a session by a passkey alone, or by a second factor after the password.
export async function finishSignIn(path: string, body: object): Promise<SignInResult> {
  try {
    await finishSignOut()
    return await take(await post(path, body), app, store.value)
  } catch {
    return 'network'
  }
}

// take begins the session that a log-in has opened.
async function take(response: Response, a: App, s: string): Promise<SignInResult> {
  if (response.status === 429) return 'limited'
  if (!response.ok) return response.status < 500 ? 'refused' : 'failed'
  const pair = (await response.json()) as AuthPair
  const taken = await atSession(a, s, { refresh_token: pair.refresh_token })
  if (!taken.ok) return 'failed'
  signedOut.value = false
  isTemporary.value = pair.error !== undefined
  begin((await taken.json()) as AuthBrowserPair, a, s)
  return 'done'
}

// begin takes up a session that the server has begun or renewed.
export function begin(answer: AuthBrowserPair, a: App = app, s: string = store.value): void {
  const c = decode(answer.token!)
  keep(c, a, s)
  localStorage.removeItem(left(a, s))
  if (a === app && s === store.value) token = answer.token!
}

export type SignInResult = 'done' | 'refused' | 'limited' | 'network' | 'failed'

let refreshing: Promise<boolean> | null = null

// fresh makes sure that the access token is valid for another half minute. One refresh runs at a time, in all tabs
// where the browser has locks; elsewhere the server accepts a refresh token twice within a minute.
export async function fresh(): Promise<boolean> {
  if (token && decode(token).exp * 1000 > Date.now() + 30_000) return true
  return refresh()
}

export function refresh(): Promise<boolean> {
  refreshing ??= locked(exchange).finally(() => (refreshing = null))
  return refreshing
}

function locked<T>(run: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? (navigator.locks.request(`punchcard.${app}`, run) as unknown as Promise<T>) : run()
}

async function exchange(): Promise<boolean> {
  if (!claims.value) return false
  const [a, s] = [app, store.value]
  try {
    const response = await atSession(a, s)
    if (response.ok) begin((await response.json()) as AuthBrowserPair, a, s)
    else if (response.status === 401 || response.status === 403) {
      expire()
      return false
    }
  } catch {
    // Without a network the session may still be good.
  }
  return true
}

// ended forgets a session that the server has ended.
export function ended(): void {
  keep(null)
}

// expire forgets a session that the server has ended by itself.
function expire(): void {
  signedOut.value = true
  keep(null)
}

const cleanups: ((byUser: boolean) => unknown)[] = []

// onForget adds work that forgets what the page knows of the user, before somebody else or nobody is signed in. byUser
// tells that the user signed out here.
export function onForget(cleanup: (byUser: boolean) => unknown): void {
  cleanups.push(cleanup)
}

function forget(byUser: boolean): void {
  for (const cleanup of cleanups) void cleanup(byUser)
}

// byPin reports whether the seller gave a PIN, with which they may sell and look up customers alone.
export const byPin = (): boolean => claims.value?.pinIdle !== undefined

// lock ends this session, and keeps what waits to be sent until its user comes back.
export const lock = (): Promise<void> => signOut(false, false)

// signOut ends this session, or all sessions of the user, at the server and here.
export async function signOut(everywhere = false, byUser = true): Promise<void> {
  if (!claims.value) return
  const [a, s] = [app, store.value]
  if (everywhere && (await fresh())) {
    await underway(
      fetch('/api/token/revoke', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token ?? ''}` },
        body: JSON.stringify({ everywhere: 1 } satisfies RevokeTokensForm),
      }),
    ).catch(() => undefined)
  }
  localStorage.setItem(unfinished(a, s), '1')
  localStorage.setItem(left(a, s), '1')
  signedOut.value = false
  forget(byUser)
  keep(null)
  await finishSignOut()
}

// left is the key under which it is kept that a user signed out here, until the next one signs in.
const left = (a: App, s: string): string => `punchcard.left.${a}.${a === 'cockpit' ? '' : s}`

// hasLeft reports whether the last user of the app signed out. An identity provider that still knows them is then to
// ask who signs in.
export const hasLeft = (): boolean => localStorage.getItem(left(app, store.value)) !== null

// unfinished is the key under which it is kept that a user signed out while the server was away. Only the server can
// delete the cookie.
const unfinished = (a: App, s: string): string => `punchcard.signOut.${a}.${s}`

// finishSignOut ends at the server what the user has ended while it was away.
export async function finishSignOut(): Promise<void> {
  const [a, s] = [app, store.value]
  if (!localStorage.getItem(unfinished(a, s))) return
  try {
    if ((await atSession(a, s, { end: true })).ok) localStorage.removeItem(unfinished(a, s))
  } catch {
    // Without a network the page tries again when there is one.
  }
}
