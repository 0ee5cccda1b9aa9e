// Routes of an app: the path in the address bar chooses the screen. Paths begin with the app's base and the code of the
// store, such as /till/DEFAULT/customers.
import { signal } from '@preact/signals'
import type { ComponentChildren, ComponentType, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { app, rememberedStore, store, switchStore } from '../api/session'
import { t, type Key } from '../i18n/i18n'

export interface RouteProps {
  params: Record<string, string>
}

// Route is one screen. Routes are data, so that tests find each screen, its texts and its walk.
export interface Route {
  path: string // after the store, such as /customers/:customer
  screen: () => Promise<{ default: ComponentType<RouteProps> }>
  resource?: string // permission that an administrator needs to see it
  access?: 'VIEW' | 'MODIFY'
  open?: boolean // shown to visitors who are not signed in, and without the frame
}

let base = ''
let routes: Route[] = []

interface Place {
  path: string // after base and store, always with a leading slash
  query: URLSearchParams
}

export const place = signal<Place>({ path: '/', query: new URLSearchParams() })

// addressed returns the store and the path of the screen that the address bar names. An address without a store, such
// as /settings, has the path of a screen; a store that is called like a screen must be the present or the remembered
// one.
function addressed(): { code: string; path: string } {
  const rest = location.pathname.slice(base.length)
  const [, first = '', ...segments] = rest.split('/')
  const code = decodeURIComponent(first)
  const isStore = code === store.value || code === rememberedStore(app)
  if (code && !isStore && match(rest)) return { code: '', path: rest }
  return { code, path: '/' + segments.join('/') }
}

function readPlace(): void {
  const { code, path } = addressed()
  if (code) switchStore(code)
  place.value = { path, query: new URLSearchParams(location.search) }
  // The address gets its store, so that it can be passed on. Links of messages to open screens stay as they are.
  if (!code && path !== '/' && !match(path)?.route.open) history.replaceState(null, '', href(path) + location.search)
}

// startRouter reads the address bar and follows it. The base is the path of the app, such as /till.
export function startRouter(appBase: string, appRoutes: Route[]): void {
  base = appBase
  routes = appRoutes
  readPlace()
  addEventListener('popstate', () => {
    if (mayLeave()) readPlace()
    else history.pushState(null, '', lastAddress)
    lastAddress = location.href
  })
  addEventListener('beforeunload', (event) => {
    if (guards.size > 0) event.preventDefault()
  })
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a')
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return
    if (link.origin !== location.origin || link.target || link.hasAttribute('download')) return
    if (!link.pathname.startsWith(`${base}/${encodeURIComponent(store.value)}`)) return
    event.preventDefault()
    go(link.pathname + link.search)
  })
}

let lastAddress = location.href

// storeOfAddress returns the code of the store in the address bar, empty if there is none.
export function storeOfAddress(): string {
  return addressed().code
}

// href returns the address of a screen of the present store.
export function href(path: string, query: Record<string, string> = {}): string {
  const text = new URLSearchParams(query).toString()
  return `${base}/${encodeURIComponent(store.value)}${path === '/' ? '' : path}${text ? `?${text}` : ''}`
}

// navigate shows another screen, unless the user wants to stay because of unsaved changes.
export function navigate(path: string, query: Record<string, string> = {}): void {
  go(href(path, query))
}

// leave shows another screen without that question, as after deleting what unsaved changes belong to.
export function leave(path: string): void {
  guards.clear()
  navigate(path)
}

function go(address: string): void {
  if (!mayLeave()) return
  history.pushState(null, '', address)
  lastAddress = location.href
  readPlace()
  scrollTo(0, 0)
  // Readers of the screen hear where they are, and Tab goes on from there. A field of the new screen that has the focus
  // by then keeps it.
  requestAnimationFrame(() => {
    const main = document.getElementById('main')
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
  })
}

// setQuery changes filters in the address bar without a new entry in the history.
export function setQuery(changes: Record<string, string>): void {
  const query = new URLSearchParams(place.value.query)
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  const text = query.toString()
  history.replaceState(null, '', location.pathname + (text ? `?${text}` : ''))
  lastAddress = location.href
  place.value = { path: place.value.path, query }
}

const guards = new Set<{ question: Key }>()

function mayLeave(): boolean {
  if (guards.size === 0) return true
  if (!confirm(t([...guards].at(-1)!.question))) return false
  guards.clear()
  return true
}

// useGuard asks before the user leaves a screen with something to lose, such as unsaved changes.
export function useGuard(dirty: boolean, question: Key = 'form.leave'): void {
  useEffect(() => {
    if (!dirty) return
    const guard = { question }
    guards.add(guard)
    return () => void guards.delete(guard)
  }, [dirty])
}

// match finds the route of the present place. Of two routes that match, the one with fewer parameters wins.
export function match(path: string): { route: Route; params: Record<string, string> } | null {
  let best: { route: Route; params: Record<string, string> } | null = null
  for (const route of routes) {
    const params = matchPath(route.path, path)
    if (params && (!best || Object.keys(params).length < Object.keys(best.params).length)) best = { route, params }
  }
  return best
}

function matchPath(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/')
  const segments = path.replace(/(.)\/$/, '$1').split('/')
  if (wanted.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [i, w] of wanted.entries()) {
    const segment = decodeURIComponent(segments[i]!)
    if (w.startsWith(':')) params[w.slice(1)] = segment
    else if (w !== segment) return null
  }
  return params
}

// Link goes to a screen of the present store.
export function Link({
  to,
  query,
  children,
  ...rest
}: { to: string; query?: Record<string, string>; children: ComponentChildren } & Omit<
  JSX.HTMLAttributes<HTMLAnchorElement>,
  'href'
> & { class?: string }): JSX.Element {
  return (
    <a {...rest} href={href(to, query)}>
      {children}
    </a>
  )
}
