// Pages of the timeline of a customer, which are found by a cursor.
import { useEffect, useState } from 'preact/hooks'
import type { TimelineEntryView, TimelineView } from '../../api/types'
import { Failure, get, useQuery, type Query } from '../../api/client'
import { toastFailure } from '../../ui/dialog'

export interface Pages {
  first: Query<TimelineView>
  entries: TimelineEntryView[]
  more: (() => Promise<void>) | null // null at the end
  busy: boolean
}

// useTimeline reads the newest entries, and older ones when asked. A write begins again with the newest.
export function useTimeline(customer: string, kinds: string, perPage: number): Pages {
  const path = '/api/{store}/admin/customer/{customer}/timeline'
  const first = useQuery(path, { customer, kinds, perPage })
  const [older, setOlder] = useState<TimelineView[]>([])
  const [busy, setBusy] = useState(false)
  useEffect(() => setOlder([]), [first.data])
  const last = older.at(-1) ?? first.data
  const more = async (): Promise<void> => {
    setBusy(true)
    try {
      const page = await get(path, { customer, kinds, perPage, cursor: last!.next })
      setOlder((pages) => [...pages, page])
    } catch (error) {
      if (error instanceof Failure) toastFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const entries = [...(first.data?.entries ?? []), ...older.flatMap((page) => page.entries)]
  return { first, entries, more: last?.next ? more : null, busy }
}
