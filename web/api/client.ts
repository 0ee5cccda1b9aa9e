// Calls of the API. Responses to GET are kept by URL: a screen shows the last response at once while it asks again.
import { signal, type Signal } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Answer, AnyParams, Arguments, Body, Exact, Method, Optional, Params, Path } from './calls'
import * as session from './session'
import { underway } from './underway'

export interface FieldError {
  code: string // stable, see docs/errors.md
  detail: string // in English
}

// Failure is what went wrong with a call, in a form that screens can show.
export class Failure extends Error {
  constructor(
    readonly kind:
      'network' | 'forbidden' | 'missing' | 'invalid' | 'changed' | 'limited' | 'failed' | 'ended' | 'window',
    readonly status: number,
    message: string,
    readonly fields: Record<string, FieldError[]> = {}, // by path of the field, such as location.street; '' is the form
    readonly request = '', // id of the request, for support
    readonly code = '', // stable code of the error
  ) {
    super(message)
  }
}

// online is false while the last call failed to reach the server, or the device says that it has no network.
export const online = signal(navigator.onLine)
addEventListener('online', () => (online.value = true))
addEventListener('offline', () => (online.value = false))

const reachedWithin = 10_000 // milliseconds; a network that was lost and found may never answer what was asked before

// isReachable reports whether the server answers.
export async function isReachable(): Promise<boolean> {
  const asked = fetch('/api/', { cache: 'no-store', signal: AbortSignal.timeout(reachedWithin) })
  const answered = await underway(
    asked.then(
      (response) => response.ok,
      () => false,
    ),
  )
  online.value = answered
  return answered
}

// url returns the address of a GET of the API. {store} is the code of the present store.
export function url<P extends Path>(path: P, ...[params]: Arguments<Params<P>>): string {
  return filled(path, params as AnyParams | undefined)
}

// filled puts parameters into a path, and those that are left and not empty behind it.
function filled(path: string, params: AnyParams = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (path.includes(`{${name}}`)) continue
    if (Array.isArray(value)) value.forEach((v) => query.append(`${name}[]`, v))
    else if (value !== null && value !== undefined && value !== '') query.append(name, String(value))
  }
  const text = query.toString()
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(name === 'store' ? session.store.value : String(params[name] ?? '')),
  )
  return address + (text ? `?${text}` : '')
}

export interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: unknown // sent as JSON, or as a form if it holds a file
  key?: string // Idempotency-Key of the intent
  tag?: string // of the state that is replaced: 412 if there is another one now
  signal?: AbortSignal
  accept?: string
  prefer?: string // preferences of the request (RFC 7240)
}

const maxAttempts = 3

// proof is called with the end of the dialog in which a call waits for the second factor: whether it was used.
export const proof = signal<((used: boolean) => void) | null>(null)

// mustEnroll tells that the server allows nothing until the user has a second factor.
export const mustEnroll = signal(false)
session.onForget(() => (mustEnroll.value = false))

// call calls the API and returns the response of a call that succeeded. It repeats calls that are safe to repeat after
// 429 and 503, at the time that the server names, and refreshes the access token once.
export async function call(path: string, options: CallOptions = {}): Promise<Response> {
  const method = options.method ?? 'GET'
  const repeatable = method === 'GET' || options.key !== undefined
  let refreshed = false
  let proven = false
  for (let attempt = 1; ; attempt++) {
    if (session.claims.value && !(await session.fresh())) throw new Failure('ended', 401, 'The session has ended.')
    const response = await send(path, method, options)
    if (response.ok) {
      if (path.startsWith(filled('/api/{store}/'))) session.rememberStore()
      return response
    }
    const retryAfter = Number(response.headers.get('Retry-After') ?? '')
    if (response.status === 401 && session.claims.value && !refreshed) {
      refreshed = true
      if (await session.refresh()) continue
    } else if ([429, 503].includes(response.status) && repeatable && attempt < maxAttempts && retryAfter <= 5) {
      await underway(pause(Math.max(retryAfter, 1) * 1000, options.signal))
      continue
    } else if (response.status === 403) {
      void session.readCaller() // the role may have changed
    }
    const failed = await failure(response, options.body)
    if (failed.code === 'second_factor_enrollment_required') mustEnroll.value = true
    if (failed.code === 'second_factor_use_required' && !proven) {
      proven = await new Promise<boolean>((resolve) => (proof.value = resolve))
      if (proven) continue
    }
    throw failed
  }
}

async function send(path: string, method: string, options: CallOptions): Promise<Response> {
  const headers: Record<string, string> = { Accept: options.accept ?? 'application/json, application/problem+json' }
  if (session.token) headers['Authorization'] = `Bearer ${session.token}`
  if (options.key) headers['Idempotency-Key'] = options.key
  if (options.tag) headers['If-Match'] = options.tag
  if (options.prefer) headers['Prefer'] = options.prefer
  let body: BodyInit | undefined
  const form = new FormData()
  if (fill(form, '', options.body)) body = form
  else if (options.body !== undefined) {
    headers['Content-Type'] = 'application/json'
    body = JSON.stringify(options.body)
  }
  try {
    const sent = fetch(path, { method, headers, body, signal: options.signal, cache: 'no-store' })
    const response = await (options.accept === 'text/event-stream' ? sent : underway(sent.then(whole)))
    online.value = true
    return response
  } catch (error) {
    if (options.signal?.aborted) throw error
    online.value = false
    throw new Failure('network', 0, '')
  }
}

// whole reads the body of a response, so that a connection that breaks within it is a failure of the network, too.
async function whole(response: Response): Promise<Response> {
  const body = await response.arrayBuffer()
  return new Response(body.byteLength > 0 ? body : null, response) // one without content must have none
}

// fill puts the members of a body into a form, and reports whether one of them is a file. Names are like photo[file].
function fill(form: FormData, name: string, value: unknown): boolean {
  if (value instanceof Blob) form.append(name, value)
  else if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([key, v]) => fill(form, name ? `${name}[${key}]` : key, v))
      .includes(true)
  } else if (value !== undefined) form.append(name, String(value ?? ''))
  return value instanceof Blob
}

function pause(milliseconds: number, stop?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    stop?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(stop.reason as Error)
    })
  })
}

// problem is an error of the server, as application/problem+json.
interface Problem {
  status: number
  detail?: string
  title?: string
  code?: string
  errors?: { detail: string; pointer: string; code: string }[]
}

// holds reports whether a body has a part with a name.
function holds(body: unknown, name: string): boolean {
  return typeof (body as Record<string, unknown> | undefined)?.[name] === 'object'
}

async function failure(response: Response, body: unknown): Promise<Failure> {
  const request = response.headers.get('X-Request-Id') ?? ''
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>
  const fields: Record<string, FieldError[]> = {}
  for (const e of problem.errors ?? []) {
    // Screens leave out the name of the form, such as customer. Some forms have none, or leave it out of pointers.
    const segments = e.pointer.replace(/^#\/?/, '').split('/')
    const path = (holds(body, segments[0]!) ? segments.slice(1) : segments).join('.')
    ;(fields[path] ??= []).push({ code: e.code, detail: e.detail })
  }
  const kind =
    response.status === 401
      ? 'ended'
      : response.status === 403
        ? 'forbidden'
        : response.status === 404
          ? 'missing'
          : response.status === 412
            ? 'changed'
            : response.headers.has('Limit-Setting')
              ? 'window'
              : response.status === 429 || response.status === 503
                ? 'limited'
                : response.status < 500
                  ? 'invalid'
                  : 'failed'
  return new Failure(kind, response.status, problem.detail ?? problem.title ?? '', fields, request, problem.code ?? '')
}

export async function get<P extends Path>(
  path: P,
  ...[params, stop]: {} extends Params<P> ? [Params<P>?, AbortSignal?] : [Params<P>, AbortSignal?]
): Promise<Answer<P>> {
  return (await (await call(filled(path, params as AnyParams | undefined), { signal: stop })).json()) as Answer<P>
}

// Stored are the values of a form as the server has them, and the tag of that state.
export interface Stored<T> {
  values: T
  tag: string
}

// storedAt returns how the present values of a form are read from a GET.
export function storedAt<P extends Path, T>(
  path: P,
  params: Params<P>,
  read: (data: Answer<P>) => T,
): () => Promise<Stored<T>> {
  return async () => {
    const response = await call(filled(path, params as AnyParams))
    return { values: read((await response.json()) as Answer<P>), tag: response.headers.get('ETag') ?? '' }
  }
}

type Write = Exclude<Method, 'GET'>

// Sent is what a write sends. Without a key it gets one of its own: pass the key of the intent (see useForm) where "try
// again" must be safe. A write whose key is null has none, and is never repeated by itself.
type Sent<M extends Write, P extends Path<M>, B> = Omit<Unchecked, 'params' | 'body'> &
  Optional<'params', Params<P, M>> &
  Optional<'body', Body<M, P>> & { body?: B & Exact<Body<M, P>, B> }

// write sends a body and returns what the server responds, undefined if that is nothing.
export async function write<M extends Write, P extends Path<M>, B extends Body<M, P>>(
  method: M,
  path: P,
  ...[sent]: Arguments<Sent<M, P, B>>
): Promise<Answer<P, M>> {
  return (await writeUnchecked(method, path, sent as Unchecked | undefined)) as Answer<P, M>
}

export interface Unchecked {
  params?: AnyParams
  body?: unknown
  key?: string | null
  tag?: string
  prefer?: string
}

// writeUnchecked is write for what was checked before, and stored since.
export async function writeUnchecked(
  method: Write,
  path: string,
  { params, key, ...options }: Unchecked = {},
): Promise<unknown> {
  const response = await call(filled(path, params), {
    ...options,
    method,
    key: key === null ? undefined : (key ?? newKey()),
  })
  stale()
  const text = await response.text()
  return text && response.headers.get('Content-Type')?.includes('json') ? JSON.parse(text) : undefined
}

// rewrite changes a part of what is stored, such as a switch: it reads the object and replaces it, and tries again if
// somebody else has changed it in between.
export async function rewrite<P extends Path & Path<'PUT'>, B extends Body<'PUT', P>>(
  path: P,
  params: Params<P>,
  change: (now: Answer<P>) => B & Exact<Body<'PUT', P>, B>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { values: body, tag } = await storedAt(path, params, change)()
    try {
      await writeUnchecked('PUT', path, { params: params as AnyParams, body, tag })
      return
    } catch (e) {
      if (!(e instanceof Failure && e.kind === 'changed' && attempt < maxAttempts)) throw e
    }
  }
}

export function newKey(): string {
  // randomUUID exists in secure contexts only; a till may run over plain HTTP in its own network.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('')
}

const quiet = 300 // milliseconds without a change before a draft is previewed

// usePreview sends a draft to an endpoint that changes nothing, a moment after the draft was changed. It returns null
// until the server has responded, and while body is null.
export function usePreview<P extends Path<'POST'>, B extends Body<'POST', P>>(
  path: P,
  body: (B & Exact<Body<'POST', P>, B>) | null,
  params?: Params<P, 'POST'>,
): Answer<P, 'POST'> | Failure | null {
  const [shown, setShown] = useState<Answer<P, 'POST'> | Failure | null>(null)
  const draft = body === null ? '' : JSON.stringify(body)
  const address = filled(path, params as AnyParams | undefined)
  useEffect(() => {
    setShown(null)
    if (!draft) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      call(address, { method: 'POST', body: JSON.parse(draft), signal: stop.signal })
        .then(async (response) => setShown((await response.json()) as Answer<P, 'POST'>))
        .catch((e: unknown) => {
          if (!stop.signal.aborted) setShown(e instanceof Failure ? e : new Failure('failed', 0, String(e)))
        })
    }, quiet)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [address, draft])
  return shown
}

type Missing<P extends Path> = { [K in keyof Params<P>]: Params<P>[K] | null | undefined }

// Query is the state of a GET.
export interface Query<T> {
  data: T | undefined
  error: Failure | undefined
  loading: boolean // a call is in progress; data may be of an earlier one
  partial: boolean // a limit of the server cut the data off
  reload: () => void
}

interface Entry {
  state: Signal<{ data?: unknown; error?: Failure; loading: boolean; partial?: boolean }>
  at: number // when data was received; 0 asks again
  used: number // screens that show it
  running: AbortController | null
}

const entries = new Map<string, Entry>()
const maxEntries = 100

// stale makes every screen ask again, as after a write.
export function stale(): void {
  for (const [address, entry] of entries) {
    entry.at = 0
    if (entry.used > 0) void load(address, entry)
    else entries.delete(address)
  }
}

session.onForget(() => entries.clear())

// What could not be read for want of a network is read again when the server is back, not only when the device says
// that it has a network: calls may fail then, and without a word of the device. Only that: while some calls fail and
// others do not, reading all again would never end.
online.subscribe((isBack) => {
  if (!isBack) return
  for (const [address, entry] of entries) {
    if (entry.used > 0 && entry.state.peek().error?.kind === 'network') void load(address, entry)
  }
})

async function load(address: string, entry: Entry): Promise<void> {
  entry.running?.abort()
  const controller = (entry.running = new AbortController())
  entry.state.value = { ...entry.state.value, loading: true }
  try {
    const response = await call(address, { signal: controller.signal })
    const data: unknown = await response.json()
    entry.at = Date.now()
    if (entry.running === controller)
      entry.state.value = { data, loading: false, partial: response.headers.has('Limit-Setting') }
  } catch (error) {
    if (controller.signal.aborted || entry.running !== controller) return
    const known = error instanceof Failure ? error : new Failure('failed', 0, String(error))
    entry.state.value = { data: entry.state.value.data, error: known, loading: false }
  } finally {
    if (entry.running === controller) entry.running = null
  }
}

// useQuery shows a GET of the API, and nothing while path or a parameter of it is missing.
export function useQuery<P extends Path>(
  path: P | null,
  ...[params]: {} extends Params<P> ? [Missing<P>?] : [Missing<P>]
): Query<Answer<P>> {
  return useUnchecked(path, params as AnyParams | undefined) as Query<Answer<P>>
}

// useUnchecked is useQuery for parameters that are put together at run time.
export function useUnchecked(path: string | null, params: AnyParams = {}): Query<unknown> {
  const isMissing =
    path === null || Object.entries(params).some(([name, value]) => !value && path.includes(`{${name}}`))
  const address = isMissing ? null : filled(path, params)
  const entry = useMemo(() => (address === null ? null : entryOf(address)), [address])
  useEffect(() => {
    if (!entry || !address) return
    entry.used++
    if (Date.now() - entry.at > 1000 && !entry.running) void load(address, entry)
    return () => {
      entry.used--
      if (entry.used === 0) entry.running?.abort()
    }
  }, [entry])
  const state = entry?.state.value
  return {
    data: state?.data,
    error: state?.error,
    loading: state?.loading ?? false,
    partial: state?.partial ?? false,
    reload: () => entry && address && void load(address, entry),
  }
}

// settled reports whether the first answers of all queries are there, so that a screen that shows them does not jump.
export function settled(...queries: Query<unknown>[]): boolean {
  return queries.every((q) => q.data !== undefined || q.error !== undefined || !q.loading)
}

function entryOf(address: string): Entry {
  let entry = entries.get(address)
  if (!entry) {
    for (const [other, old] of entries) {
      if (entries.size < maxEntries) break
      if (old.used === 0) entries.delete(other)
    }
    entry = { state: signal({ loading: true }), at: 0, used: 0, running: null }
    entries.set(address, entry)
  }
  return entry
}

// download saves a response as a file.
export async function download<P extends Path>(path: P, params: Params<P>, name: string): Promise<void> {
  const response = await call(filled(path, params as AnyParams), { accept: '*/*' })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
