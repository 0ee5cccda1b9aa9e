import type { JSX } from 'preact'
import type { EventlogView } from '../../api/types'
import { may } from '../../api/session'
import { dateTime, points, relative, t } from '../../i18n/i18n'
import { Card, ErrorState, Skeleton } from '../../ui/basics'
import { Link } from '../../ui/router'
import { useLive } from '../live'
import { LiveState } from '../live_state'

const shown = 11
const everything = {}

// LatestEvents shows what customers do while they do it.
export function LatestEvents(): JSX.Element {
  const { events, error, reload, connected } = useLive(everything, 100)
  const lines = events?.flatMap((event) => {
    const line = lineOf(event)
    return line ? [{ event, ...line }] : []
  }).slice(0, shown)
  return (
    <Card title={t('latest.title')} actions={events && <LiveState connected={connected} />}>
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
        : error ? <ErrorState error={error} retry={reload} /> : <Skeleton lines={6} />}
    </Card>
  )
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
