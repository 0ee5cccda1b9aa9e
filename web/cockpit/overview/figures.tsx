import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { AnalyticsFigureView, AnalyticsSeriesView } from '../../api/types'
import { useQuery, type Query } from '../../api/client'
import { may } from '../../api/session'
import { number, points, t } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { ButtonLink, Empty, failureText } from '../../ui/basics'
import { Sparkline } from '../../ui/chart'
import { Link } from '../../ui/router'
import { Change } from '../change'
import type { Period } from '../period'
import { leadsTo } from './first_steps'

export type Metric =
  | 'activeMembers'
  | 'pointsIssued'
  | 'pointsSpent'
  | 'pointsExpired'
  | 'pointsOutstanding'
  | 'couponsBought'
  | 'couponsUsed'
  | 'sales'

// headline are the figures that are shown large, with the screen behind each. The others follow.
const headline: { metric: Metric; to: string }[] = [
  { metric: 'sales', to: '/reports' },
  { metric: 'activeMembers', to: '/customers' },
  { metric: 'pointsOutstanding', to: '/owed' },
]

const metrics: Metric[] = ['pointsIssued', 'pointsSpent', 'pointsExpired', 'couponsBought', 'couponsUsed']

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

// useHasNothing reports whether nothing was ever counted in the store, once that is known.
export function useHasNothing(period: Period | undefined): boolean {
  const all = [...headline.map((h) => h.metric), ...metrics].map((metric) => useSeries(metric, period).data)
  return all.every((series) => series && series.total.value === 0 && series.previous.value === 0)
}

// NoFigures stands in the place of figures that are all zero.
export function NoFigures(): JSX.Element {
  return (
    <Empty
      icon="chart"
      title={t('overview.empty')}
      action={
        may('CUSTOMER', 'MODIFY') && (
          <ButtonLink icon="upload" to="/imports/new">
            {t('imports.new')}
          </ButtonLink>
        )
      }
    >
      {t('overview.emptyHelp')}
    </Empty>
  )
}

export function Figures({ period, compared }: { period: Period | undefined; compared: string }): JSX.Element {
  return (
    <>
      <ul class="metrics headline" aria-label={t('overview.headline')}>
        {headline.map(({ metric, to }) => (
          <Figure key={metric} metric={metric} to={to} period={period} compared={compared} />
        ))}
      </ul>
      <ul class="metrics" aria-label={t('overview.figures')}>
        {metrics.map((metric) => (
          <Figure key={metric} metric={metric} period={period} compared={compared} />
        ))}
      </ul>
    </>
  )
}

function Figure({
  metric,
  to,
  period,
  compared,
}: {
  metric: Metric
  to?: string
  period: Period | undefined
  compared: string
}): JSX.Element {
  const { data, error } = useSeries(metric, period)
  const values = useMemo(() => (data ? complete(data).map((p) => p.value) : []), [data])
  return (
    <li class="figure">
      <span class="figure-name">
        {to && leadsTo(to) ? (
          <Link to={to} class="figure-link">
            {t(`overview.${metric}`)}
          </Link>
        ) : (
          t(`overview.${metric}`)
        )}
      </span>
      {data ? (
        <>
          <span class="figure-value" title={format(data, data.total.value)}>
            {short(data, data.total.value)}
          </span>
          <Change
            value={data.total.value}
            before={data.previous.value}
            title={`${compared}: ${format(data, data.previous.value)}`}
          />
        </>
      ) : error ? (
        <span class="muted">{failureText(error)}</span>
      ) : (
        <span class="bone" />
      )}
      <Sparkline values={values} />
    </li>
  )
}
