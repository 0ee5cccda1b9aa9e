import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { AnalyticsSeriesView } from '../../api/types'
import { t } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Card, ErrorState, Skeleton } from '../../ui/basics'
import { Chart, type Series } from '../../ui/chart'
import { Tabs } from '../../ui/tabs'
import { complete, useSeries, type Metric } from './figures'
import type { Period } from '../period'

interface Line {
  metric: Metric
  tone: Series['tone']
}

// Charts shows what happened in the period: points, coupons and sales.
export function Charts({ period }: { period: Period | undefined }): JSX.Element {
  return (
    <Card class="overview-chart">
      <Tabs
        name="chart"
        label={t('overview.charts')}
        tabs={[
          {
            name: 'points',
            title: t('overview.chartPoints'),
            body: () => (
              <Lines
                period={period}
                title={t('overview.chartPoints')}
                lines={[
                  { metric: 'pointsIssued', tone: 'accent' },
                  { metric: 'pointsSpent', tone: 'success' },
                  { metric: 'pointsExpired', tone: 'danger' },
                ]}
              />
            ),
          },
          {
            name: 'coupons',
            title: t('overview.chartCoupons'),
            body: () => (
              <Lines
                period={period}
                title={t('overview.chartCoupons')}
                lines={[
                  { metric: 'couponsBought', tone: 'accent' },
                  { metric: 'couponsUsed', tone: 'success' },
                ]}
              />
            ),
          },
          {
            name: 'sales',
            title: t('overview.sales'),
            body: () => (
              <Lines period={period} title={t('overview.sales')} lines={[{ metric: 'sales', tone: 'accent' }]} />
            ),
          },
        ]}
      />
    </Card>
  )
}

function Lines({ title, lines, period }: { title: string; lines: Line[]; period: Period | undefined }): JSX.Element {
  const results = lines.map((line) => useSeries(line.metric, period)) // a tab has the same lines always
  const loaded = results.map((r) => r.data)
  const series = useMemo(
    () =>
      loaded.map((data, i) => ({
        title: t(`overview.${lines[i]!.metric}`),
        tone: lines[i]!.tone,
        values: data ? complete(data).map((p) => p.value) : [],
      })),
    loaded,
  )
  const first = loaded[0]
  const times = useMemo(() => (first ? complete(first).map((p) => p.from) : []), [first])
  const failed = results.find((r) => r.error && !r.data)
  if (failed) return <ErrorState error={failed.error!} retry={() => results.forEach((r) => r.reload())} />
  if (!first || !loaded.every((data) => data?.total.from === first.total.from)) return <Skeleton lines={8} />
  return (
    <Chart
      title={title}
      unit={unitOf(first)}
      times={times}
      series={series}
      height={280}
      format={first.unit === 'money' ? (v) => money(v, first.currency ?? '') : undefined}
    />
  )
}

function unitOf(series: AnalyticsSeriesView): string {
  const weekly = series.interval === 'week'
  if (series.unit === 'money')
    return t(weekly ? 'overview.moneyByWeek' : 'overview.moneyByDay', { currency: series.currency ?? '' })
  if (series.unit === 'points') return t(weekly ? 'overview.pointsByWeek' : 'overview.pointsByDay')
  return t(weekly ? 'overview.couponsByWeek' : 'overview.couponsByDay')
}
