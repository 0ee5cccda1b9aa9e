import type { Calls } from './types.js'

export type * from './types.js'

type Method = keyof Calls
type Path<M extends Method> = keyof Calls[M] & string
type Call<M extends Method, P extends Path<M>> = Calls[M][P] & { params: object; body: unknown; answer: unknown }

export interface Options {
  /** Address of the server, such as https://loyalty.example.com. */
  url: string
  /** Secret of a key for programs, or the token of a log-in. */
  token: string
  /** Code of the store that takes the place of {store} in paths. */
  store?: string
  /** How often a call that was refused for now is repeated; 4 by default. */
  retries?: number
  /** The longest pause before a repetition, in milliseconds; 30,000 by default. A longer Retry-After ends the call. */
  longestPause?: number
  /** Let the server ignore fields and parameters that it does not know, instead of refusing them. */
  lenient?: boolean
  /** The fetch to use; the global one by default. */
  fetch?: typeof fetch
}

export interface Request<Params, Body> {
  params?: Params
  body?: Body
  /** Identifies a write. By default each call makes a random one, which its repetitions keep. */
  idempotencyKey?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** A field of the request that is wrong. */
export interface FieldError {
  detail: string
  pointer: string
  code: string
}

/** An error that the server answered with, as RFC 9457 describes it. */
export class PunchcardError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly errors: FieldError[],
    readonly requestId: string,
  ) {
    super(`${status} ${code}: ${detail}`)
    this.name = 'PunchcardError'
  }
}

export interface StoredEvent {
  id: number
  uuid: string
  type: string
  recorderOn: string
  payload: unknown
}

export class Punchcard {
  private readonly options: Options

  constructor(options: Options) {
    this.options = options
  }

  get<P extends Path<'GET'>>(path: P, request: Request<Call<'GET', P>['params'], undefined> = {}) {
    return this.call('GET', path, request)
  }
  post<P extends Path<'POST'>>(path: P, request: Request<Call<'POST', P>['params'], Call<'POST', P>['body']> = {}) {
    return this.call('POST', path, request)
  }
  put<P extends Path<'PUT'>>(path: P, request: Request<Call<'PUT', P>['params'], Call<'PUT', P>['body']> = {}) {
    return this.call('PUT', path, request)
  }
  delete<P extends Path<'DELETE'>>(
    path: P,
    request: Request<Call<'DELETE', P>['params'], Call<'DELETE', P>['body']> = {},
  ) {
    return this.call('DELETE', path, request)
  }

  /** Calls an operation. A write is repeated with its key only, so that it takes effect once. */
  async call<M extends Method, P extends Path<M>>(
    method: M,
    path: P,
    request: Request<Call<M, P>['params'], Call<M, P>['body']> = {},
  ): Promise<Call<M, P>['answer']> {
    const headers: Record<string, string> = {
      Accept: 'application/problem+json, application/json;q=0.9, */*;q=0.8',
      Authorization: `Bearer ${this.options.token}`,
      ...(this.options.lenient ? {} : { Prefer: 'handling=strict' }),
      ...request.headers,
    }
    if (method !== 'GET') headers['Idempotency-Key'] ??= request.idempotencyKey ?? crypto.randomUUID()
    let body: string | undefined
    if (request.body !== undefined) {
      headers['Content-Type'] = 'application/json'
      body = JSON.stringify(request.body)
    }
    const address = this.address(path, (request.params ?? {}) as Record<string, unknown>)
    const response = await this.send(address, { method, headers, body, signal: request.signal })
    if (!response.ok) throw await errorOf(response)
    const kind = response.headers.get('Content-Type') ?? ''
    const text = kind.includes('json') ? await response.text() : ''
    if (text) return JSON.parse(text) as Call<M, P>['answer']
    return (kind && !kind.includes('json') ? await response.blob() : undefined) as Call<M, P>['answer']
  }

  /** Reads a list row by row: rows is the member of its pages that has them, such as customers. */
  async *pages<P extends Path<'GET'>, Rows extends keyof Call<'GET', P>['answer'] & string>(
    path: P,
    rows: Rows,
    request: Request<Call<'GET', P>['params'], undefined> = {},
  ): AsyncGenerator<Call<'GET', P>['answer'][Rows] extends (infer Row)[] ? Row : unknown> {
    const perPage = 100
    for (let page = 1; ; page++) {
      const params = { perPage, ...request.params, page } as Call<'GET', P>['params']
      const answer = (await this.get(path, { ...request, params })) as Record<string, unknown>
      const found = (answer[rows] ?? []) as never[]
      yield* found
      if (found.length < Number((params as { perPage: number }).perPage)) return
    }
  }

  /** Reads the events of the store after a cursor, in order, and waits for more until the signal aborts it. */
  async *events(options: { after?: string; wait?: number; signal?: AbortSignal } = {}): AsyncGenerator<StoredEvent> {
    let after = options.after ?? '0'
    for (;;) {
      const address = this.address('/api/{store}/event', { after, perPage: 100 })
      const headers = {
        Accept: 'application/problem+json, application/json;q=0.9',
        Authorization: `Bearer ${this.options.token}`,
        Prefer: `wait=${options.wait ?? 20}`,
      }
      const response = await this.send(address, { method: 'GET', headers, signal: options.signal })
      if (!response.ok) throw await errorOf(response)
      const page = (await response.json()) as { events: StoredEvent[]; cursor: string }
      yield* page.events
      after = page.cursor
    }
  }

  private address(path: string, params: Record<string, unknown>): string {
    const rest = { store: this.options.store, ...params } as Record<string, unknown>
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = rest[name]
      if (value === undefined || value === '') throw new TypeError(`${path} needs ${name}`)
      delete rest[name]
      return encodeURIComponent(String(value))
    })
    if (!('store' in params)) delete rest.store
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(rest)) {
      if (Array.isArray(value)) for (const one of value) query.append(`${name}[]`, String(one))
      else if (value !== undefined) query.set(name, String(value))
    }
    return this.options.url.replace(/\/$/, '') + filled + (query.size ? `?${query}` : '')
  }

  /** Sends a request, again after a pause if it did not arrive or was refused for now. */
  private async send(address: string, init: RequestInit): Promise<Response> {
    const { retries = 4, longestPause = 30_000 } = this.options
    for (let tried = 0; ; tried++) {
      let pause = Math.min(longestPause, 250 * 2 ** tried) * (0.5 + Math.random() / 2)
      try {
        const response = await (this.options.fetch ?? fetch)(address, init)
        const after = response.headers.get('Retry-After')
        const temporary = [502, 503, 504, 429].includes(response.status) || (response.status === 409 && after !== null)
        if (!temporary || tried >= retries) return response
        if (after !== null) pause = Number(after) * 1000
        if (!(pause <= longestPause)) return response
        await response.arrayBuffer()
      } catch (error) {
        if (tried >= retries || init.signal?.aborted) throw error
      }
      await sleep(pause, init.signal)
    }
  }
}

function sleep(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

async function errorOf(response: Response): Promise<PunchcardError> {
  const text = await response.text()
  let problem: Partial<Record<'code' | 'detail' | 'requestId', string>> & { errors?: FieldError[] } = {}
  try {
    problem = JSON.parse(text) as typeof problem
  } catch {
    // A proxy answers with other content: the status says enough.
  }
  const requestId = problem.requestId ?? response.headers.get('X-Request-Id') ?? ''
  const detail = problem.detail ?? response.statusText
  return new PunchcardError(response.status, problem.code ?? '', detail, problem.errors ?? [], requestId)
}

/** The greatest difference between the time of a web hook and the present, in seconds. */
export const webhookTolerance = 300

/**
 * Checks the signature of a web hook, and returns its body as an object. headers has the names in lower case. body is
 * the text as it was received. Throws if the signature does not fit, or the time is more than five minutes off.
 */
export async function verifyWebhook(
  secret: string,
  headers: Record<string, string | undefined>,
  body: string,
  now = Date.now(),
): Promise<{ type: string; timestamp: string; data: Record<string, unknown> }> {
  const id = headers['webhook-id'] ?? ''
  const time = headers['webhook-timestamp'] ?? ''
  if (!id || !(Math.abs(now / 1000 - Number(time || NaN)) <= webhookTolerance))
    throw new Error('the time of the web hook is too far off')
  const raw = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (c) => c.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const signed = new TextEncoder().encode(`${id}.${time}.${body}`)
  for (const entry of (headers['webhook-signature'] ?? '').split(' ')) {
    const [version, encoded] = entry.split(',')
    if (version !== 'v1' || !encoded || !/^[\w+/]+=*$/.test(encoded)) continue
    const signature = Uint8Array.from(atob(encoded), (c) => c.charCodeAt(0))
    if (await crypto.subtle.verify('HMAC', key, signature, signed))
      return JSON.parse(body) as { type: string; timestamp: string; data: Record<string, unknown> }
  }
  throw new Error('no signature of the web hook fits')
}
