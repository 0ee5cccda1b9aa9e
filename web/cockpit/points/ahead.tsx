import type { JSX } from 'preact'
import { useQuery } from '../../api/client'
import { date, points, t } from '../../i18n/i18n'

const days = 30

// Ahead sums up the points that expire and that unlock in the next days, today included.
export function Ahead(): JSX.Element {
  return (
    <dl class="balance">
      <Sum of="expired" name={t('points.ahead.expired', { n: days })} none={t('points.ahead.noneExpires')} />
      <Sum of="pending" name={t('points.ahead.pending', { n: days })} none={t('points.ahead.nonePending')} />
    </dl>
  )
}

function Sum({ of, name, none }: { of: 'expired' | 'pending'; name: string; none: string }): JSX.Element {
  const { data, error, partial } = useQuery('/api/{store}/points/transfers', {
    pointType: of,
    lastDays: 1,
    futureDays: days - 1,
  })
  const dates = Object.entries(data ?? {})
    .filter(([, n]) => n > 0)
    .sort(([a], [b]) => a.localeCompare(b))
  const sum = dates.reduce((all, [, n]) => all + n, 0)
  const [first] = dates
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong class="number">
          {data ? (partial ? t('points.ahead.atLeast', { points: points(sum) }) : points(sum)) : '–'}
        </strong>
        <span class="muted">
          {first
            ? t('points.ahead.first', { points: points(first[1]), day: date(first[0]) })
            : data
              ? none
              : error
                ? t('table.stale')
                : '…'}
        </span>
      </dd>
    </div>
  )
}
