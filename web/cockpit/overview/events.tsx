import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { DataimportView, EventlogFound, EventlogView } from '../../api/types'
import { get, useQuery } from '../../api/client'
import { may } from '../../api/session'
import { dateTime, number, points, relative, t } from '../../i18n/i18n'
import { Card, ErrorState, Skeleton } from '../../ui/basics'
import { Link } from '../../ui/router'
import { kindOf } from '../imports/kinds'
import { useLive } from '../live'
import { LiveState } from '../live_state'

const shown = 11
const perPage = 100
const pagesAtMost = 8 // of older events, of which many may have no line
const everything = {}

// LatestEvents shows what customers do while they do it.
export function LatestEvents(): JSX.Element {
  const { events, next, error, reload, connected } = useLive(everything, perPage)
  const imports = useQuery('/api/{store}/admin/import', { perPage: 20 })
  const [older, setOlder] = useState<EventlogFound[]>([])
  const all = [...(events ?? []), ...older.flatMap((page) => page.events)]
  const known = imports.data?.imports ?? []
  const lines = linesOf(all, known).slice(0, shown)
  const before = older.length > 0 ? older[older.length - 1]!.next : next
  const wantsMore = events !== undefined && lines.length < shown && !!before && older.length < pagesAtMost
  useEffect(() => {
    if (!wantsMore) return
    const controller = new AbortController()
    const oldest = all[all.length - 1]
    const during = oldest && known.find((i) => goesOnAt(i, oldest))
    const from = during?.startedAt ? { to: new Date(Date.parse(during.startedAt) - 1000).toISOString() } : { before }
    get('/api/{store}/admin/event', { ...from, perPage }, controller.signal).then(
      (page) => setOlder([...older, page]),
      () => {
        if (!controller.signal.aborted) setOlder([...older, { events: [] }])
      },
    )
    return () => controller.abort()
  }, [wantsMore, older.length])
  const some = Math.floor((events?.[0]?.id ?? 0) / 25)
  useEffect(() => {
    if (some > 0) imports.reload()
  }, [some]) // an import may be why so many came
  return (
    <Card title={t('latest.title')} actions={events && <LiveState connected={connected} />}>
      {events && (lines.length > 0 || !wantsMore) ? (
        lines.length === 0 ? (
          <p class="muted">{t('latest.none')}</p>
        ) : (
          <ul class="latest">
            {lines.map(({ event, text, link, times }) => (
              <li key={event.id}>
                {link ? (
                  <Link to={link}>{text}</Link>
                ) : (
                  <span>{times > 1 ? `${text} (× ${number(times)})` : text}</span>
                )}
                <time class="muted" dateTime={event.recorderOn} title={dateTime(event.recorderOn)}>
                  {relative(event.recorderOn)}
                </time>
              </li>
            ))}
          </ul>
        )
      ) : error ? (
        <ErrorState error={error} retry={reload} />
      ) : (
        <Skeleton lines={6} />
      )}
    </Card>
  )
}

interface Line {
  event: EventlogView // the newest one
  text: string
  link?: string
  times: number // how many events in a row say the same
}

// linesOf returns the lines of events, of which the newest is the first. An import has one line, and so have events in
// a row that say the same, as those of a bulk action do.
function linesOf(events: EventlogView[], imports: DataimportView[]): Line[] {
  const lines: Line[] = []
  const told = new Set<string>() // ids of imports
  for (const event of events) {
    const line = lineOf(event)
    if (!line) continue
    const of = imports.find((i) => isOf(i, event))
    const last = lines[lines.length - 1]
    if (of) {
      if (told.has(of.importId)) continue
      told.add(of.importId)
      const kind = kindOf(of.kind)
      const name = of.fileName ? ` (${of.fileName})` : ''
      lines.push({
        event,
        text: t('latest.import', { kind: kind ? t(kind.title) : of.kind, n: of.totalSuccess }) + name,
        link: `/imports/${of.importId}`,
        times: 1,
      })
    } else if (last?.text === line.text) {
      last.times++
      last.link = undefined
    } else {
      lines.push({
        event,
        text: line.text,
        link: line.customer && may('CUSTOMER') ? `/customers/${line.customer}` : undefined,
        times: 1,
      })
    }
  }
  return lines
}

const pointTypes = [
  'Account.PointsWereAdded',
  'Account.PointsWereSpent',
  'Account.PointsWereBlocked',
  'User.CustomerWasMovedToLevel',
]

// effects are the events with a line that an import of a kind causes.
const effects: Record<string, string[]> = {
  customers: ['User.CustomerWasRegistered', ...pointTypes],
  transfers: pointTypes,
  transactions: ['Transaction.TransactionWasRegistered', ...pointTypes],
  assignments: pointTypes,
}

// isOf reports whether an event is probably an effect of an import: one of its kind, while it was carried out.
function isOf(i: DataimportView, event: EventlogView): boolean {
  return (effects[i.kind]?.includes(shortType(event)) ?? false) && goesOnAt(i, event)
}

// goesOnAt reports whether an import was carried out when an event was recorded. Its times are whole seconds.
function goesOnAt(i: DataimportView, event: EventlogView): boolean {
  const at = Date.parse(event.recorderOn)
  return (
    !i.dryRun &&
    !!i.startedAt &&
    at >= Date.parse(i.startedAt) &&
    (!i.finishedAt || at < Date.parse(i.finishedAt) + 1000)
  )
}

function shortType(event: EventlogView): string {
  return event.type.replace('Platform.Domain.', '').replace('.Event.', '.')
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
  switch (shortType(event)) {
    case 'User.CustomerWasRegistered': {
      const name = [p.customerData?.firstName, p.customerData?.lastName].filter(Boolean).join(' ')
      return { text: name ? t('latest.registered', { name }) : t('latest.someoneRegistered'), customer }
    }
    case 'User.CampaignWasBoughtByCustomer':
      return { text: t('latest.bought', { name: p.campaignName ?? '' }), customer }
    case 'User.CampaignUsageWasChanged':
      return { text: t(p.used ? 'latest.used' : 'latest.unused'), customer }
    case 'User.CampaignWasReturned':
      return { text: t('latest.cancelled'), customer }
    case 'User.CustomerWasMovedToLevel':
      return { text: t('latest.level'), customer }
    case 'User.CustomerWasDeleted':
      return { text: t('latest.deleted') }
    case 'User.CustomerWasAnonymized':
      return { text: t('latest.anonymized') }
    case 'Account.PointsWereAdded':
      return { text: t('latest.pointsAdded', { n, value }) }
    case 'Account.PointsWereSpent':
      return { text: t('latest.pointsSpent', { n, value }) }
    case 'Account.PointsWereBlocked':
      return { text: t('latest.pointsBlocked', { n, value }) }
    case 'Account.PointsTransferHasBeenExpired':
      return { text: t('latest.pointsExpired') }
    case 'Transaction.TransactionWasRegistered':
      return {
        text: t(p.transactionData?.documentType === 'return' ? 'latest.return' : 'latest.receipt', {
          name: p.transactionData?.documentNumber ?? '',
        }),
      }
    default:
      return undefined
  }
}
