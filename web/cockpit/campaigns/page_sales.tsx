import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { useQuery } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Card, ErrorState, Skeleton } from '../../ui/basics'
import { Chart, type Series } from '../../ui/chart'
import { periodOf } from '../period'

const days = 90

// Sales shows how many coupons of a campaign were bought and used by day.
export function Sales({ id }: { id: string }): JSX.Element {
  // The default period ends on the day that is today in the store.
  const today = useQuery('/api/{store}/admin/analytics/series', { metric: 'couponsBought' })
  const from = today.data && periodOf(today.data.total.to, days).from
  const sales = useQuery(from ? '/api/{store}/admin/analytics/rewards/{campaign}' : null, { campaign: id, from })
  const uses = useQuery(from ? '/api/{store}/admin/analytics/rewards/{campaign}' : null, {
    campaign: id,
    metric: 'couponsUsed',
    from,
  })
  const data = uses.data && sales.data // both, so that the chart is drawn once
  const times = useMemo(() => data?.points.map((p) => p.from) ?? [], [data])
  const series = useMemo<Series[]>(
    () => [
      { title: t('overview.couponsBought'), tone: 'accent', values: data?.points.map((p) => p.value) ?? [] },
      { title: t('overview.couponsUsed'), tone: 'success', values: uses.data?.points.map((p) => p.value) ?? [] },
    ],
    [data, uses.data],
  )
  const failed = [today, sales, uses].find((q) => q.error && !q.data)
  return (
    <Card title={t('campaigns.salesOverTime')}>
      {data ? (
        <>
          <p class="muted">
            {[
              t('campaigns.soldIn', { n: data.total.value }),
              t('campaigns.soldBefore', { n: data.previous.value }),
              t('campaigns.usedIn', { n: uses.data!.total.value }),
            ].join(' · ')}
          </p>
          <Chart
            title={t('overview.chartCoupons')}
            unit={t('overview.couponsByDay')}
            times={times}
            series={series}
            height={180}
          />
        </>
      ) : failed ? (
        <ErrorState error={failed.error!} retry={failed.reload} />
      ) : (
        <Skeleton lines={6} />
      )}
    </Card>
  )
}
