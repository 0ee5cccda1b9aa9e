import type { ComponentChildren, JSX } from 'preact'
import type { CustomerBalance } from '../../api/types'
import type { Query } from '../../api/client'
import { date, number, points, t } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { ErrorState, Skeleton } from '../../ui/basics'

// Figures sums up what a customer has: points, what expires next, purchases, and the way to the next level.
export function Figures({ query }: { query: Query<CustomerBalance> }): JSX.Element {
  const b = query.data
  if (!b)
    return (
      <div class="balance">
        {query.error ? <ErrorState error={query.error} retry={query.reload} /> : <Skeleton lines={2} />}
      </div>
    )
  const [day] = Object.keys(b.pointsExpiringBreakdown).sort()
  return (
    <dl class="balance">
      <Figure name={t('figures.points')} value={points(b.points)}>
        {[
          b.lockedPoints > 0 && t('figures.pending', { points: points(b.lockedPoints) }),
          b.blockedPoints > 0 && t('figures.blocked', { points: points(b.blockedPoints) }),
        ]
          .filter(Boolean)
          .join(' · ') || t('figures.earned', { points: points(b.totalEarnedPoints) })}
      </Figure>
      <Figure name={t('figures.expiring')} value={day ? points(b.pointsExpiringBreakdown[day]!) : '–'}>
        {day ? t('figures.expireOn', { day: date(day) }) : b.points > 0 && t('figures.neverExpire')}
      </Figure>
      <Figure name={t('figures.sales')} value={money(b.transactionsAmount, b.currency)}>
        {t('figures.receipts', { n: b.transactionsCount })}
      </Figure>
      <Figure name={t('customers.level')} value={b.levelName ?? '–'}>
        <ToNextLevel balance={b} />
      </Figure>
    </dl>
  )
}

function Figure({ name, value, children }: { name: string; value: string; children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong class="number">{value}</strong>
        <span class="muted">{children}</span>
      </dd>
    </div>
  )
}

function ToNextLevel({ balance: b }: { balance: CustomerBalance }): JSX.Element {
  const amount = b.transactionsAmountToNextLevel ?? b.transactionsAmountToNextLevelWithoutDeliveryCosts
  const missing = b.pointsToNextLevel ?? amount
  if (!b.nextLevelName || missing === undefined || !b.nextLevelConditionValue) return <>{t('figures.highestLevel')}</>
  const text =
    amount !== undefined
      ? t('figures.amountToLevel', { amount: money(missing, b.currency), level: b.nextLevelName })
      : t('figures.pointsToLevel', { points: points(missing), level: b.nextLevelName })
  const reached = Math.max(b.nextLevelConditionValue - missing, 0)
  return (
    <span class="way">
      <progress
        max={b.nextLevelConditionValue}
        value={reached}
        aria-label={t('figures.way', { reached: number(reached), wanted: number(b.nextLevelConditionValue) })}
      />
      <span>{text}</span>
    </span>
  )
}
