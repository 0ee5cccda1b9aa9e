// The session of a signed-in user: its tokens, kept for each app and store in localStorage, so that other tabs follow.
import { computed, effect, signal, untracked } from '@preact/signals'
import type { AuthMe, AuthPair, PostAdminLoginCheckForm, PostTokenRefreshForm, PostTokenRevokeForm } from './types'

export type Role = 'admin' | 'seller' | 'customer'

export interface Tokens {
  token: string
  refresh: string
}

// Claims are what the access token says about its user.
export interface Claims {
  id: string
  username: string
  exp: number // seconds since 1970
  superAdmin: boolean
  permissions: Record<string, string[]>
  storeCode?: string
}

const roles = { cockpit: 'admin', till: 'seller', me: 'customer' } as const

export type App = keyof typeof roles

// app is the app that this page runs.
export let app: App = 'cockpit'

// store is the code of the store that the app shows. Administrators sign in for all stores at once.
export const store = signal('DEFAULT')

export const tokens = signal<Tokens | null>(null)

// signedOut tells that a session ended by itself, so that the sign-in page can say why it appears.
export const signedOut = signal(false)

// isTemporary tells that the last log-in was with a temporary password, which must be changed.
export const isTemporary = signal(false)

function key(a: App, s: string): string {
  return a === 'cockpit' ? 'punchcard.cockpit' : `punchcard.${a}.${s}`
}

function read(): Tokens | null {
  try {
    return JSON.parse(localStorage.getItem(key(app, store.value)) ?? 'null') as Tokens | null
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
  if (a !== 'cockpit') return
  const user = computed(() => claims.value?.id)
  effect(() => { if (user.value) untracked(() => void readCaller()) })
  addEventListener('focus', () => void readCaller())
}

// follow takes up the session that is stored, perhaps by another tab.
function follow(): void {
  const stored = read()
  become(stored)
  deleteKept(app, store.value, stored)
}

// become changes who is signed in on this page. What it knows of another user is forgotten first.
function become(t: Tokens | null): void {
  if (claims.peek()?.id !== idOf(t)) forget(false)
  tokens.value = t
}

const idOf = (t: Tokens | null): string | undefined => (t ? decode(t.token)?.id : undefined)

const keptPrefix = (a: App, s: string): string => `punchcard.${a}.${s}.of.`

// keptAt returns the key under which something of the signed-in user is kept on the device, for times without a network;
// '' while nobody is signed in. All of it is deleted when the session ends or another user signs in, in any tab.
export function keptAt(name: string): string {
  const id = claims.value?.id
  return id ? `${keptPrefix(app, store.value)}${id}.${name}` : ''
}

// deleteKept deletes what is kept of others than the user of the tokens.
function deleteKept(a: App, s: string, of: Tokens | null): void {
  const all = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? '')
  const own = `${keptPrefix(a, s)}${idOf(of) ?? ' '}.`
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

// rememberStore keeps the present store for later visits. It is called when the server has answered for the store, so that
// a word that is no store is never kept.
export function rememberStore(): void {
  if (rememberedStore(app) !== store.value) localStorage.setItem(`punchcard.store.${app}`, store.value)
}

export function keep(t: Tokens | null, a: App = app, s: string = store.value): void {
  if (t) localStorage.setItem(key(a, s), JSON.stringify(t))
  else localStorage.removeItem(key(a, s))
  deleteKept(a, s, t)
  if (a === app && s === store.value) become(t)
}

export const claims = computed<Claims | null>(() => (tokens.value ? decode(tokens.value.token) : null))

function decode(token: string): Claims | null {
  try {
    const part = token.split('.')[1]!.replace(/-/g, '+').replace(/_/g, '/')
    const bytes = Uint8Array.from(atob(part), (c) => c.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes)) as Claims
  } catch {
    return null
  }
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
    const response = await fetch('/api/me', { headers: { Authorization: `Bearer ${tokens.value?.token ?? ''}` } })
    if (!response.ok) return
    const found = (await response.json()) as AuthMe
    if (found.id === claims.value?.id && JSON.stringify(found) !== JSON.stringify(caller.value)) caller.value = found
  } catch {
    // Without a network, what was known goes on to count. The server checks every call.
  }
}

// may reports whether the administrator has a permission. The permission to modify includes the one to view. The claims of the token count
// until the permissions of now are known.
export function may(resource: string, access: 'VIEW' | 'MODIFY' = 'VIEW'): boolean {
  const c = claims.value
  if (!c) return false
  const now = caller.value?.id === c.id ? caller.value : null
  if (now ? now.master : c.superAdmin) return true
  const granted = (now ?? c).permissions[resource] ?? []
  return granted.includes(access) || (access === 'VIEW' && granted.includes('MODIFY'))
}

// signIn exchanges a name and password for tokens. It returns an error text, or nothing.
export async function signIn(a: App, s: string, username: string, password: string): Promise<SignInResult> {
  const path = a === 'cockpit' ? '/api/admin/login_check' : `/api/${encodeURIComponent(s)}/${roles[a]}/login_check`
  let response: Response
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username, password } satisfies PostAdminLoginCheckForm),
    })
  } catch {
    return 'network'
  }
  if (response.status === 429) return 'limited'
  if (!response.ok) return response.status < 500 ? 'refused' : 'failed'
  const body = (await response.json()) as AuthPair
  signedOut.value = false
  isTemporary.value = body.error !== undefined
  keep({ token: body.token, refresh: body.refresh_token }, a, s)
  return 'done'
}

export type SignInResult = 'done' | 'refused' | 'limited' | 'network' | 'failed'

let refreshing: Promise<boolean> | null = null

// fresh makes sure that the access token is valid for another half minute. One refresh runs at a time, in all tabs
// where the browser has locks; elsewhere the server accepts a refresh token twice within a minute.
export async function fresh(): Promise<boolean> {
  const c = claims.value
  if (c && c.exp * 1000 > Date.now() + 30_000) return true
  return refresh()
}

export function refresh(): Promise<boolean> {
  refreshing ??= locked(exchange).finally(() => (refreshing = null))
  return refreshing
}

function locked<T>(run: () => Promise<T>): Promise<T> {
  return 'locks' in navigator
    ? (navigator.locks.request(`punchcard.${app}`, run) as unknown as Promise<T>)
    : run()
}

async function exchange(): Promise<boolean> {
  const before = tokens.value
  const stored = read()
  if (before && stored && stored.token !== before.token) {
    become(stored) // another tab was faster
    return true
  }
  if (!before) return false
  let response: Response
  try {
    response = await fetch('/api/token/refresh', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: before.refresh } satisfies PostTokenRefreshForm),
    })
  } catch {
    return true // no network: the session may still be good
  }
  if (response.ok) {
    const body = (await response.json()) as AuthPair
    keep({ token: body.token, refresh: body.refresh_token })
    return true
  }
  if (response.status === 401 || response.status === 403) {
    expire()
    return false
  }
  return true
}

// expire forgets a session that the server has ended.
export function expire(): void {
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

// signOut ends this session, or all sessions of the user, at the server and here.
export async function signOut(everywhere = false): Promise<void> {
  const t = tokens.value
  if (!t) return
  const body: PostTokenRevokeForm = everywhere ? { everywhere: 1 } : { refresh_token: t.refresh }
  try {
    await fetch('/api/token/revoke', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${t.token}` },
      body: JSON.stringify(body),
    })
  } catch {
    // Without a network the tokens are forgotten here and expire by themselves.
  }
  signedOut.value = false
  forget(true)
  keep(null)
}
