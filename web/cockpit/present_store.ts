// The store that the cockpit shows, and the clock of a sandbox store.
import { useEffect } from 'preact/hooks'
import type { StoreList, StoreView, StoreClockView } from '../api/types'
import { useQuery, type Query } from '../api/client'
import { may, store } from '../api/session'

// useStores returns the stores to switch to; the first 100 are enough for a menu.
export function useStores(): Query<StoreList> {
  return useQuery('/api/store', { perPage: 100 })
}

// usePresentStore returns the store that is shown, undefined until it is known.
export function usePresentStore(): StoreView | undefined {
  return useStores().data?.stores.find((s) => s.code === store.value)
}

// useUnknownStore reports whether there are stores, all of them are known, and the one that is shown is none of them.
export function useUnknownStore(): boolean {
  const { stores, total } = useStores().data ?? { stores: [], total: 0 }
  return stores.length > 0 && stores.length === total && !stores.some((s) => s.code === store.value)
}

const readEvery = 60_000 // milliseconds

// useStoreClock returns the clock of the store if it is a sandbox, and reads it again every minute.
export function useStoreClock(): Query<StoreClockView> {
  const isSandbox = usePresentStore()?.sandbox ?? false
  const clock = useQuery(isSandbox && may('STORE') ? '/api/{store}/admin/clock' : null)
  useEffect(() => {
    if (!isSandbox) return
    const timer = setInterval(() => {
      if (!document.hidden) clock.reload()
    }, readEvery)
    return () => clearInterval(timer)
  }, [isSandbox, store.value])
  return clock
}
