import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { AnalyticsFigureView, AnalyticsSeriesView } from '../../api/types'
import { useQuery, type Query } from '../../api/client'
import { number, percent, points, t, type Key } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { failureText } from '../../ui/basics'
import { Sparkline } from '../../ui/chart'
import { Icon } from '../../ui/icons'
import type { Period } from './period'

export type Metric = 'activeMembers' | 'pointsIssued' | 'pointsSpent' | 'pointsExpired' | 'pointsOutstanding' |
  'couponsBought' | 'couponsUsed' | 'sales'

const metrics: Metric[] = [
  'activeMembers', 'pointsIssued', 'pointsSpent', 'pointsOutstanding', 'sales', 'couponsBought', 'couponsUsed', 'pointsExpired',
]

// useSeries reads a metric over a period; nothing while the period is not known.
export function useSeries(metric: Metric, period: Period | undefined): Query<AnalyticsSeriesView> {
  return useQuery(period ? '/api/{store}/admin/analytics/series' : null, { metric, ...period })
}

// complete leaves out a first and a last week that the period cuts off: they look as if nothing happened in them.
export function complete(series: AnalyticsSeriesView): AnalyticsFigureView[] {
  if (series.interval !== 'week') return series.points
  return series.points.filter((p) => Date.parse(p.to) - Date.parse(p.from) === 6 * 86_400_000)
}

// format writes a value of a series in its unit.
function format(series: AnalyticsSeriesView, value: number): string {
  return series.unit === 'money' ? money(value, series.currency ?? '') : points(value)
}

// short writes a value without decimals that nobody needs at a glance.
function short(series: AnalyticsSeriesView, value: number): string {
  if (Math.abs(value) < 1000) return format(series, value)
  return series.unit === 'money'
    ? number(value, { style: 'currency', currency: series.currency || 'EUR', maximumFractionDigits: 0 })
    : number(value, { maximumFractionDigits: 0 })
}

export function Figures({ period, days }: { period: Period | undefined; days: number }): JSX.Element {
  return (
    <ul class="metrics" aria-label={t('overview.figures')}>
      {metrics.map((metric) => <Figure key={metric} metric={metric} period={period} days={days} />)}
    </ul>
  )
}

function Figure({ metric, period, days }: { metric: Metric; period: Period | undefined; days: number }): JSX.Element {
  const { data, error } = useSeries(metric, period)
  const values = useMemo(() => data ? complete(data).map((p) => p.value) : [], [data])
  return (
    <li class="figure">
      <span class="figure-name">{t(`overview.${metric}`)}</span>
      {data
        ? (
          <>
            <span class="figure-value" title={format(data, data.total.value)}>{short(data, data.total.value)}</span>
            <Change series={data} days={days} />
          </>
        )
        : error ? <span class="muted">{failureText(error)}</span> : <span class="bone" />}
      <Sparkline values={values} />
    </li>
  )
}

const most = 9.99 // larger changes, as of a program that has just begun, are not shown exactly

// Change compares the period with the one before it.
function Change({ series, days }: { series: AnalyticsSeriesView; days: number }): JSX.Element {
  const { total, previous } = series
  const before = t('overview.before', { n: days, value: format(series, previous.value) })
  if (previous.value === 0) return <span class="figure-change" title={before}>{t(total.value === 0 ? 'overview.unchanged' : 'overview.noneBefore')}</span>
  const ratio = (total.value - previous.value) / Math.abs(previous.value)
  const way: Key = ratio > 0 ? 'overview.up' : ratio < 0 ? 'overview.down' : 'overview.unchanged'
  return (
    <span class="figure-change" title={before}>
      {ratio !== 0 && <Icon name={ratio > 0 ? 'up' : 'down'} size={14} />}
      <span class={ratio === 0 ? '' : 'hidden'}>{t(way)} </span>
      {ratio !== 0 && (ratio > most ? `> ${percent(most)}` : percent(Math.abs(ratio)))}
    </span>
  )
}
