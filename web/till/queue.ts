// Everything that the till does goes through a queue on the device: it is kept before it is sent, and sent again with
// the same Idempotency-Key until the server has answered, also after a reload. So nothing is lost and nothing happens
// twice.
import { effect, signal } from '@preact/signals'
import type { Answer, Body, Exact, Params, Path } from '../api/calls'
import { Failure, newKey, online, writeUnchecked, type FieldError, type Unchecked } from '../api/client'
import * as session from '../api/session'

export type Kind = 'receipt' | 'return' | 'restore' | 'use' | 'buy' | 'add' | 'spend'

export interface Entry {
  key: string
  kind: Kind
  what: string // number of the receipt, name of the reward, or points
  customer: string // name, or card
  customerId?: string
  couponId?: string
  path: string
  params?: Unchecked['params']
  body: unknown
  at: number // when it was entered, in milliseconds since 1970
  triedAt?: number // when it was sent first
  refused?: FieldError // the server's reason; the entry stays until the seller has seen it
}

// The server keeps responses under a key for seven days; after that, sending again could do it twice.
const maxAge = 6 * 24 * 3600 * 1000
const retryEvery = 10_000
// While some calls reach the server and these do not, each of the others tells that the server is back.
const restAfterFailure = 3000

let failedAt = 0 // when an entry did not reach the server

export const entries = signal<Entry[]>([])

// confirmed counts entries that the server has confirmed, so that what is shown is asked for again.
export const confirmed = signal(0)

// Late is an entry that had to wait, and what the server has responded.
export interface Late {
  entry: Entry
  response: unknown
}

const maxLate = 20

// late are the last entries that were confirmed after they had to wait, until the seller has seen them.
export const late = signal<Late[]>([])

let onConfirmed: (entry: Entry) => void = () => undefined // tells about them

// Entries belong to the seller who made them: of another seller on the same device they wait.
function place(): string {
  return session.claims.value ? `punchcard.till.queue.${session.store.value}.${session.claims.value.id}` : ''
}

function read(at: string): Entry[] {
  try {
    return JSON.parse((at && localStorage.getItem(at)) || '[]') as Entry[]
  } catch {
    return []
  }
}

function store(at: string, all: Entry[]): void {
  if (all.length > 0) localStorage.setItem(at, JSON.stringify(all))
  else localStorage.removeItem(at)
  if (at === place()) entries.value = all
}

function change(at: string, key: string, to: Partial<Entry>): void {
  store(
    at,
    read(at).map((e) => (e.key === key ? { ...e, ...to } : e)),
  )
}

export function remove(key: string): void {
  store(
    place(),
    read(place()).filter((e) => e.key !== key),
  )
}

export const waiting = (): number => entries.value.filter((e) => !e.refused).length

// start follows the session and the network.
export function startQueue(tell: (entry: Entry) => void): void {
  onConfirmed = tell
  effect(() => {
    entries.value = read(place())
    if (online.value && session.claims.value && Date.now() - failedAt >= restAfterFailure)
      queueMicrotask(() => void send())
  })
  addEventListener('storage', (event) => {
    if (event.key === place()) entries.value = read(place())
  })
  setInterval(() => {
    if (waiting() > 0) void send()
  }, retryEvery)
}

// When the session ends by itself, entries wait for the seller to come back: they are sales that are not sent yet.
// Signing out deletes them.
session.onForget((byUser) => {
  late.value = []
  if (byUser && place()) store(place(), [])
})

const watched = new Map<
  string,
  { confirm: (response: unknown) => void; wait: () => void; refuse: (f: Failure) => void }
>()

// Outcome is what came of an entry: the server's response, or that it waits.
export type Outcome<T> = { confirmed: true; response: T } | { confirmed: false }

// submit does something, once everything that was done before is confirmed. It throws what the server refuses. The key
// makes another attempt of the same intent the same request.
export async function submit<P extends Path<'POST'>, B extends Body<'POST', P>>(
  entry: Omit<Entry, 'key' | 'at' | 'path' | 'params' | 'body'> & {
    path: P
    params: Params<P, 'POST'> & Unchecked['params']
    body: B & Exact<Body<'POST', P>, B>
  },
  key: string = newKey(),
): Promise<Outcome<Answer<P, 'POST'>>> {
  const at = place()
  store(at, [...read(at).filter((e) => e.key !== key), { ...entry, key, at: Date.now() }])
  return new Promise((resolve, reject) => {
    watched.set(key, {
      confirm: (response) => resolve({ confirmed: true, response: response as Answer<P, 'POST'> }),
      wait: () => resolve({ confirmed: false }),
      refuse: reject,
    })
    void send()
  })
}

let sending = Promise.resolve()

// send sends what waits, in order. One tab does it at a time, where the browser has locks.
export function send(): Promise<void> {
  sending = sending
    .then(() =>
      'locks' in navigator
        ? (navigator.locks.request('punchcard.till.queue', sendAll) as unknown as Promise<void>)
        : sendAll(),
    )
    .catch(() => undefined)
  return sending
}

async function sendAll(): Promise<void> {
  const at = place()
  const failed = new Set<string>() // by an error of the server, which need not concern the others
  for (;;) {
    const next = read(at).find((e) => !e.refused && !failed.has(e.key))
    if (!next || at !== place()) break
    if (next.triedAt && Date.now() - next.triedAt > maxAge) {
      change(at, next.key, { refused: { code: 'too_old', detail: '' } })
      continue
    }
    if (!next.triedAt) change(at, next.key, { triedAt: Date.now() })
    try {
      confirm(at, next, await writeUnchecked('POST', next.path, next))
    } catch (e) {
      const f = e instanceof Failure ? e : new Failure('failed', 0, String(e))
      if (f.kind === 'network') failedAt = Date.now()
      if (f.kind === 'failed' || f.status === 409) failed.add(next.key)
      else if (['network', 'ended', 'limited'].includes(f.kind)) break
      else refuse(at, next, f)
    }
  }
  for (const one of watched.values()) one.wait()
  watched.clear()
}

function confirm(at: string, entry: Entry, response: unknown): void {
  store(
    at,
    read(at).filter((e) => e.key !== entry.key),
  )
  const watcher = watched.get(entry.key)
  watched.delete(entry.key)
  if (watcher) watcher.confirm(response)
  else {
    late.value = [...late.value.slice(1 - maxLate), { entry, response }]
    onConfirmed(entry)
  }
  confirmed.value++
}

function refuse(at: string, entry: Entry, f: Failure): void {
  const watcher = watched.get(entry.key)
  watched.delete(entry.key)
  if (watcher) {
    store(
      at,
      read(at).filter((e) => e.key !== entry.key),
    )
    watcher.refuse(f)
  } else {
    const [first] = Object.values(f.fields).flat()
    const reason = first ?? { code: f.code || f.kind, detail: f.message }
    change(at, entry.key, { refused: reason })
  }
}
