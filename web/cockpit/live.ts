// The newest events of the store, which grow while somebody looks.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { EventlogFound, EventlogView } from '../api/types'
import { call, Failure, get, url } from '../api/client'
import { caller, store } from '../api/session'
import { readStream } from './event_stream'

const path = '/api/{store}/admin/event'
const redrawEvery = 500 // milliseconds
const keptAtMost = 1000 // events
const awayAtMost = 300_000 // milliseconds; after more, the list begins again

// EventFilter is the filter of the API, whose values may be missing.
export interface EventFilter {
  type?: string | null
  about?: string | null
  from?: string | null
  to?: string | null
}

export interface LiveEvents {
  events: EventlogView[] | undefined // newest first; those until the pause while it is paused
  next: string | undefined // there may be older ones
  lookedBackTo: string | undefined
  error: Failure | undefined
  busy: boolean
  connected: boolean
  paused: boolean
  news: number // events that arrived during the pause
  setPaused: (paused: boolean) => void
  further: () => void // adds older events
  reload: () => void
}

const zonesApart = 14 * 3_600_000 // milliseconds; days of a filter are those of the store's zone

// isShown reports whether an event of the stream matches a filter without an end, as the search of the API does.
function isShown(event: EventlogView, { type, about, from }: EventFilter): boolean {
  if (from && Date.parse(from) > Date.parse(event.recorderOn) + zonesApart) return false
  if (type && (type.endsWith('*') ? !event.type.startsWith(type.slice(0, -1)) : event.type !== type)) return false
  return !about || event.uuid === about || JSON.stringify(event.payload).includes(about)
}

// useLive reads the newest events that match a filter, and follows those that come while the page is visible: a browser
// has few connections to a server, and all tabs share them. A filter with an end is not followed.
export function useLive(filter: EventFilter, perPage: number): LiveEvents {
  const [, redraw] = useState({})
  const [attempt, setAttempt] = useState(0)
  const now = useRef({
    page: undefined as EventlogFound | undefined,
    error: undefined as Failure | undefined,
    busy: true,
    connected: false,
    address: '',
    pausedAt: null as number | null,
    missed: false, // missed: more came during a pause than are kept
  }).current
  const address = JSON.stringify([store.value, filter, perPage])
  const show = (change: Partial<typeof now>): void => {
    Object.assign(now, change)
    redraw({})
  }
  const fail = (failure: unknown): void => {
    show({
      error: failure instanceof Failure ? failure : new Failure('failed', 0, String(failure)),
      busy: false,
      connected: false,
    })
  }
  useEffect(() => {
    let stop = new AbortController()
    let last = 0 // id of the last event that was read; 0 before
    let leftAt = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const add = (event: EventlogView): void => {
      last = event.id
      const { page } = now
      if (!page || !isShown(event, filter) || (page.events[0]?.id ?? 0) >= event.id) return
      const events = [event, ...page.events]
      if (events.length <= keptAtMost) now.page = { ...page, events }
      else if (now.pausedAt !== null) now.missed = true
      else now.page = { events: events.slice(0, keptAtMost), next: String(events[keptAtMost - 1]!.id) }
      timer ??= setTimeout(() => {
        timer = undefined
        redraw({})
      }, redrawEvery)
    }
    const begin = async (signal: AbortSignal): Promise<void> => {
      // The newest event of all stores tells where the stream begins. Both are for roles in all stores.
      const newest = caller.value?.stores
        ? { events: [] }
        : await get('/api/event', { direction: 'DESC', perPage: 1 }, signal)
      const page = await get(path, { ...filter, perPage }, signal)
      last = Math.max(newest.events[0]?.id ?? 0, page.events[0]?.id ?? 0)
      show({ page, busy: false, error: undefined })
    }
    const run = async ({ signal }: AbortController): Promise<void> => {
      if (last === 0 || Date.now() - leftAt > awayAtMost) await begin(signal)
      if (filter.to || caller.value?.stores) return
      await readStream(
        (fromId, signal) =>
          call(url('/api/event/stream', { fromId, store: store.value }), { signal, accept: 'text/event-stream' }),
        last,
        add,
        (connected) => show({ connected }),
        signal,
      )
    }
    const start = (): void => {
      stop.abort()
      if (document.hidden) {
        leftAt = Date.now()
        return show({ connected: false })
      }
      const controller = (stop = new AbortController())
      run(controller).catch((failure) => {
        if (!controller.signal.aborted) fail(failure)
      })
    }
    show({ address, page: undefined, error: undefined, busy: true, connected: false, pausedAt: null, missed: false })
    start()
    document.addEventListener('visibilitychange', start)
    return () => {
      document.removeEventListener('visibilitychange', start)
      clearTimeout(timer)
      stop.abort()
    }
  }, [address, attempt])
  const reload = (): void => setAttempt(attempt + 1)
  const further = (): void => {
    const { page } = now
    if (!page || now.busy) return
    show({ busy: true, error: undefined })
    get(path, { ...filter, perPage, before: page.next }).then((older) => {
      if (now.page && now.address === address)
        show({ page: { ...older, events: [...now.page.events, ...older.events] }, busy: false })
    }, fail)
  }
  const all = now.page?.events
  const events = now.pausedAt === null ? all : all?.filter((event) => event.id <= now.pausedAt!)
  return {
    events,
    next: now.page?.next,
    lookedBackTo: now.page?.lookedBackTo,
    error: now.error,
    busy: now.busy,
    connected: now.connected,
    paused: now.pausedAt !== null,
    news: (all?.length ?? 0) - (events?.length ?? 0),
    setPaused: (paused) => {
      if (!paused && now.missed) reload()
      else show({ pausedAt: paused ? (all?.[0]?.id ?? 0) : null })
    },
    further,
    reload,
  }
}
