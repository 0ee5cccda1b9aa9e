import type { ComponentChildren, JSX } from 'preact'
import type {
  NotificationView,
  PurchaseBought,
  TimelineEntryView,
  TransactionView,
  TransferView,
} from '../../api/types'
import { clock, date, points, t, tIf } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Button, Empty, ErrorState, Skeleton } from '../../ui/basics'
import { Icon, type IconName } from '../../ui/icons'
import { Link, place, setQuery } from '../../ui/router'
import { useLevels } from '../lookups'
import { signed, typeText } from '../points/words'
import { useTimeline } from './cursor'
import { isReturn } from './purchases'

const kinds = ['purchase', 'transfer', 'transaction', 'notification', 'event'] as const

// duplicates are events that other entries of the timeline show already.
const duplicates = new Set([
  'PointsWereAdded',
  'PointsWereSpent',
  'PointsWereBlocked',
  'PointsWereTransferred',
  'PointsWereMoved',
  'AssignedTransactionToCustomer',
  'CustomerWasAssignedToTransaction',
  'TransactionWasRegistered',
  'AccountWasCreated',
  'AccountWasAssignedToStore',
  'AssignedAccountToCustomer',
  'CustomerWasAssignedToStore',
  'CampaignWasBoughtByCustomer',
  'CustomerLevelWasRecalculated',
])

// Timeline shows what happened to a customer, by day.
export function Timeline({ customer }: { customer: string }): JSX.Element {
  const chosen = place.value.query.get('kind') ?? ''
  const { first, entries, more, busy } = useTimeline(customer, chosen, 40)
  const levels = useLevels()
  const shown = entries.filter((e) => !duplicates.has(eventName(e)))
  const seen = first.data?.kinds ?? []
  return (
    <>
      {seen.length > 1 && (
        <div class="row" role="group" aria-label={t('timeline.show')}>
          {['', ...kinds.filter((kind) => seen.includes(kind))].map((kind) => (
            <Button key={kind} small pressed={kind === chosen} onClick={() => setQuery({ kind })}>
              {kind === '' ? t('timeline.all') : t(`timeline.kind.${kind as 'event'}`)}
            </Button>
          ))}
        </div>
      )}
      {first.error && !first.data && <ErrorState error={first.error} retry={first.reload} />}
      {!first.error && !first.data && <Skeleton lines={8} />}
      {first.data && shown.length === 0 && !more && (
        <Empty icon="clock" title={t('timeline.empty')}>
          {t('timeline.emptyHelp')}
        </Empty>
      )}
      {byDay(shown).map(([day, list]) => (
        <section key={day} class="day">
          <h2>{date(list[0]!.at)}</h2>
          <ol>
            {list.map((e) => {
              const { icon, title, detail, to } = words(e, levels)
              return (
                <li key={`${e.kind}-${e.id}`} class={e.kind}>
                  <span class="entry-icon">
                    <Icon name={icon} size={16} />
                  </span>
                  <div>
                    {to ? <Link to={to}>{title}</Link> : <span>{title}</span>}
                    {detail && <span class="second-line">{detail}</span>}
                  </div>
                  <time class="muted number" dateTime={e.at}>
                    {clock(e.at)}
                  </time>
                </li>
              )
            })}
          </ol>
        </section>
      ))}
      {more && (
        <div>
          <Button busy={busy} onClick={busy ? undefined : () => void more()}>
            {t('timeline.more')}
          </Button>
        </div>
      )}
    </>
  )
}

// byDay groups entries by the day of the store's clock.
function byDay(entries: TimelineEntryView[]): [string, TimelineEntryView[]][] {
  const days = new Map<string, TimelineEntryView[]>()
  for (const e of entries) {
    const day = e.at.slice(0, 10)
    days.set(day, [...(days.get(day) ?? []), e])
  }
  return [...days]
}

interface Event {
  type: string
  payload: Record<string, any>
}

// eventName returns the last part of the type of an event, such as CustomerWasActivated, and nothing for other entries.
function eventName(e: TimelineEntryView): string {
  return e.kind === 'event' ? ((e.data as Event).type.split('.').at(-1) ?? '') : ''
}

interface Words {
  icon: IconName
  title: ComponentChildren
  detail?: ComponentChildren
  to?: string // screen that tells more
}

function words(e: TimelineEntryView, levels: { levelId: string; name?: string }[]): Words {
  switch (e.kind) {
    case 'purchase': {
      const b = e.data as PurchaseBought
      const price =
        b.costInPoints > 0
          ? t('preview.points', { n: b.costInPoints, amount: points(b.costInPoints) })
          : t('preview.free')
      return {
        icon: 'coupon',
        title: t('timeline.bought', { name: b.campaignName }),
        detail: [price, b.coupon.code].filter(Boolean).join(' · '),
      }
    }
    case 'transfer': {
      const p = e.data as TransferView
      return {
        icon: 'points',
        title: t('points.signed', { points: signed(p) }),
        detail: p.comment || typeText(p.type),
        to: `/transfers/${p.pointsTransferId}`,
      }
    }
    case 'transaction': {
      const r = e.data as TransactionView
      return {
        icon: 'sales',
        title: t(isReturn(r) ? 'timeline.return' : 'timeline.receipt', { amount: money(r.grossValue, r.currency) }),
        detail: [r.documentNumber, ...r.items.slice(0, 3).map((i) => i.name)].join(' · '),
        to: `/transactions/${r.transactionId}`,
      }
    }
    case 'notification':
      return { icon: 'bell', title: (e.data as NotificationView).text, detail: t('timeline.message') }
    default:
      return { ...eventWords(eventName(e), (e.data as Event).payload, levels) }
  }
}

function eventWords(name: string, payload: Record<string, any>, levels: { levelId: string; name?: string }[]): Words {
  const code: string = payload['coupon']?.code ?? ''
  switch (name) {
    case 'CampaignUsageWasChanged':
      return {
        icon: 'check',
        title: t(payload['used'] ? 'timeline.couponUsed' : 'timeline.couponUnused'),
        detail: code,
      }
    case 'CustomerWasMovedToLevel': {
      const level = levels.find((l) => l.levelId === payload['levelId']?.levelId)?.name
      return { icon: 'star', title: level ? t('timeline.level', { level }) : t('timeline.levelUnknown') }
    }
    case 'CampaignBoughtDeliveryStatusWasChanged':
      return {
        icon: 'rewards',
        title: t('timeline.delivery', {
          status: tIf(`coupons.delivery.${String(payload['status'])}`, String(payload['status'])),
        }),
      }
    default:
      return { icon: 'info', title: tIf(`timeline.event.${name}`, t('timeline.other')), detail: code }
  }
}
