import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { EventlogPage, EventlogView } from '../../api/types'
import { call, Failure, get, url } from '../../api/client'
import { may, store } from '../../api/session'
import { dateTime, points, relative, t } from '../../i18n/i18n'
import { Card, ErrorState, Skeleton } from '../../ui/basics'
import { Link } from '../../ui/router'
import { readStream } from './stream'

const shown = 11
const redrawEvery = 500 // milliseconds

// LatestEvents shows what customers do while they do it.
export function LatestEvents(): JSX.Element {
  const { events, error, retry } = useLatest()
  const lines = events?.flatMap((event) => {
    const line = lineOf(event)
    return line ? [{ event, ...line }] : []
  }).slice(0, shown)
  return (
    <Card title={t('latest.title')} actions={events && <span class="live"><span class="live-dot" />{t('latest.live')}</span>}>
      {lines
        ? lines.length === 0 ? <p class="muted">{t('latest.none')}</p> : (
          <ul class="latest">
            {lines.map(({ event, text, customer }) => (
              <li key={event.id}>
                {customer && may('CUSTOMER') ? <Link to={`/customers/${customer}`}>{text}</Link> : <span>{text}</span>}
                <time class="muted" dateTime={event.recorderOn} title={dateTime(event.recorderOn)}>{relative(event.recorderOn)}</time>
              </li>
            ))}
          </ul>
        )
        : error ? <ErrorState error={error} retry={retry} /> : <Skeleton lines={6} />}
    </Card>
  )
}

interface Latest {
  events: EventlogView[] | undefined // newest first
  error: Failure | undefined
  retry: () => void
}

// useLatest reads the last events of the store, and then the stream of those that follow while the page is visible: a
// browser has few connections to a server, and all tabs share them.
function useLatest(): Latest {
  const [state, setState] = useState<{ events?: EventlogView[]; error?: Failure }>({})
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let stop = new AbortController()
    let recent: EventlogView[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const redraw = (): void => {
      timer = undefined
      setState({ events: recent })
    }
    const add = (event: EventlogView): void => {
      recent = [event, ...recent].slice(0, 100)
      timer ??= setTimeout(redraw, redrawEvery)
    }
    const follow = async ({ signal }: AbortController): Promise<void> => {
      // The newest event of all stores tells where the stream begins.
      const newest = await get<EventlogPage>('/api/event', { direction: 'DESC', perPage: 1 }, signal)
      const page = await get<EventlogPage>('/api/{store}/admin/event', { perPage: 100 }, signal)
      recent = page.events
      redraw()
      const last = Math.max(newest.events[0]?.id ?? 0, recent[0]?.id ?? 0)
      await readStream((from) => call(url('/api/event/stream', { fromId: from, store: store.value }), { signal, accept: 'text/event-stream' }), last, add, signal)
    }
    const start = (): void => {
      stop.abort()
      if (document.hidden) return
      const controller = stop = new AbortController()
      follow(controller).catch((failure) => {
        if (!controller.signal.aborted) setState({ error: failure instanceof Failure ? failure : new Failure('failed', 0, String(failure)) })
      })
    }
    start()
    document.addEventListener('visibilitychange', start)
    return () => {
      document.removeEventListener('visibilitychange', start)
      clearTimeout(timer)
      stop.abort()
    }
  }, [store.value, attempt])
  return { events: state.events, error: state.error, retry: () => { setState({}); setAttempt(attempt + 1) } }
}

interface Payload {
  customerId?: { customerId: string }
  customerData?: { firstName?: string; lastName?: string; name?: string }
  campaignName?: string
  used?: boolean
  transactionData?: { documentNumber: string; documentType: string }
  pointsTransfer?: { value: number; issuer: string }
}

// lineOf says what happened, and to whom. Events that only accompany others have no line.
function lineOf(event: EventlogView): { text: string; customer?: string } | undefined {
  const p = event.payload as Payload
  const customer = p.customerId?.customerId
  const value = points(p.pointsTransfer?.value ?? 0)
  const n = p.pointsTransfer?.value ?? 0
  switch (event.type.replace('Platform.Domain.', '').replace('.Event.', '.')) {
    case 'User.CustomerWasRegistered': {
      const name = [p.customerData?.firstName, p.customerData?.lastName].filter(Boolean).join(' ')
      return { text: name ? t('latest.registered', { name }) : t('latest.someoneRegistered'), customer }
    }
    case 'User.CampaignWasBoughtByCustomer': return { text: t('latest.bought', { name: p.campaignName ?? '' }), customer }
    case 'User.CampaignUsageWasChanged': return { text: t(p.used ? 'latest.used' : 'latest.unused'), customer }
    case 'User.CampaignWasReturned': return { text: t('latest.cancelled'), customer }
    case 'User.CustomerWasMovedToLevel': return { text: t('latest.level'), customer }
    case 'User.CustomerWasDeleted': return { text: t('latest.deleted') }
    case 'User.CustomerWasAnonymized': return { text: t('latest.anonymized') }
    case 'Account.PointsWereAdded': return { text: t('latest.pointsAdded', { n, value }) }
    case 'Account.PointsWereSpent': return { text: t('latest.pointsSpent', { n, value }) }
    case 'Account.PointsWereBlocked': return { text: t('latest.pointsBlocked', { n, value }) }
    case 'Account.PointsTransferHasBeenExpired': return { text: t('latest.pointsExpired') }
    case 'Transaction.TransactionWasRegistered':
      return { text: t(p.transactionData?.documentType === 'return' ? 'latest.return' : 'latest.receipt', { name: p.transactionData?.documentNumber ?? '' }) }
    default: return undefined
  }
}
