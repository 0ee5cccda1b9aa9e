import type { JSX } from 'preact'
import { useQuery } from '../../api/client'
import { may } from '../../api/session'
import { language, number, t } from '../../i18n/i18n'
import { Card, ErrorState, Skeleton } from '../../ui/basics'
import { Link } from '../../ui/router'
import type { Period } from '../period'

// TopRewards shows the rewards that sold best in the period.
export function TopRewards({ period }: { period: Period | undefined }): JSX.Element {
  const { data, error, reload } = useQuery(period ? '/api/{store}/admin/analytics/rewards' : null, {
    from: period?.from,
    to: period?.to,
    _locale: language.value,
  })
  const most = data?.rewards[0]?.couponsBought ?? 1
  return (
    <Card title={t('overview.topRewards')}>
      {data ? (
        data.rewards.length === 0 ? (
          <p class="muted">{t('overview.noRewards')}</p>
        ) : (
          <ol class="top-rewards">
            {data.rewards.map((r) => (
              <li key={r.campaignId}>
                {may('REWARD_CAMPAIGN') ? (
                  <Link to={`/campaigns/${r.campaignId}`}>{r.name}</Link>
                ) : (
                  <span>{r.name}</span>
                )}
                <span class="number" title={t('overview.couponsBought')}>
                  {number(r.couponsBought)}
                </span>
                <progress
                  class="progress"
                  max={most}
                  value={r.couponsBought}
                  aria-label={t('overview.boughtOf', { name: r.name, n: r.couponsBought })}
                />
              </li>
            ))}
          </ol>
        )
      ) : error ? (
        <ErrorState error={error} retry={reload} />
      ) : (
        <Skeleton lines={6} />
      )}
    </Card>
  )
}
