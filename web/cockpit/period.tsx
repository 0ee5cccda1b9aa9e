// The period that figures are of, and the one that they are compared with. Both are in the address bar.
import type { JSX } from 'preact'
import { useQuery } from '../api/client'
import { date, t } from '../i18n/i18n'
import { ErrorState, Skeleton } from '../ui/basics'
import { place, setQuery } from '../ui/router'

export interface Period {
  from: string // YYYY-MM-DD, as are the others
  to: string
  interval: 'day' | 'week'
  compareFrom?: string
}

const mostDays = 732 // that the API sums up at once

const presets = ['30', '90', '365', 'month', 'lastMonth', 'year', 'lastYear', 'own'] as const
type Preset = (typeof presets)[number]

const comparisons = ['before', 'year', 'own'] as const

const dayLength = 86_400_000 // milliseconds

function moved(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayLength).toISOString().slice(0, 10)
}

function daysOf(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / dayLength + 1
}

// periodOf returns the days until today, today included.
export function periodOf(today: string, days: number): Period {
  return spanOf(moved(today, 1 - days), today)
}

function spanOf(from: string, to: string): Period {
  return { from, to, interval: daysOf(from, to) > 100 ? 'week' : 'day' }
}

function presetPeriod(preset: Preset, today: string): Period {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))]
  const first = (y: number, m: number): string => new Date(Date.UTC(y, m - 1, 1)).toISOString().slice(0, 10)
  switch (preset) {
    case 'month':
      return spanOf(first(year, month), today)
    case 'lastMonth':
      return spanOf(first(year, month - 1), moved(first(year, month), -1))
    case 'year':
      return spanOf(first(year, 1), today)
    case 'lastYear':
      return spanOf(first(year - 1, 1), `${year - 1}-12-31`)
    default:
      return periodOf(today, Number(preset) || 30)
  }
}

// yearBefore returns the same day a year earlier; 28 February for the 29th.
export function yearBefore(day: string): string {
  const year = String(Number(day.slice(0, 4)) - 1)
  return year + (day.slice(4) === '-02-29' ? '-02-28' : day.slice(4))
}

export interface ChosenPeriod {
  period: Period | undefined // undefined until today is known in the store, or while the dates are not valid
  compared: string // the period to compare with, as text
  bar: JSX.Element // of the controls
  problem: JSX.Element | null // shown in place of the figures
}

// usePeriod reads the period from the address bar.
export function usePeriod(): ChosenPeriod {
  const query = place.value.query
  const preset = presets.find((name) => name === query.get('period')) ?? presets[0]
  const comparison = comparisons.find((name) => name === query.get('compare')) ?? comparisons[0]
  // The last days of a store, in its own time zone and by its own clock, tell which day is today there.
  const today = useQuery('/api/{store}/admin/analytics/series', { metric: 'pointsOutstanding' })
  const now = today.data?.total.to
  const usual = now ? presetPeriod(preset, now) : undefined
  const [from, to] = [query.get('from') ?? usual?.from ?? '', query.get('to') ?? usual?.to ?? '']
  const own = preset === 'own'
  const valid = !own || (from !== '' && to !== '' && from <= to && daysOf(from, to) <= mostDays)
  let period = own && now && valid ? spanOf(from, to) : usual
  const other = query.get('compareFrom') ?? ''
  if (period && comparison === 'year') period = { ...period, compareFrom: yearBefore(period.from) }
  if (period && comparison === 'own' && other) period = { ...period, compareFrom: other }
  const before = period && (period.compareFrom ?? moved(period.from, -daysOf(period.from, period.to)))
  const compared =
    period && before
      ? t('period.span', { from: date(before), to: date(moved(before, daysOf(period.from, period.to) - 1)) })
      : ''
  const choose = (next: string): void =>
    setQuery({
      period: next === presets[0] ? '' : next,
      from: next === 'own' ? from : '',
      to: next === 'own' ? to : '',
      page: '',
    })
  const bar = (
    <>
      <select
        class="input filter"
        aria-label={t('period.period')}
        value={preset}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {presets.map((name) => (
          <option key={name} value={name} selected={name === preset}>
            {t(`period.preset.${name}`)}
          </option>
        ))}
      </select>
      {own && <Day name="from" title={t('period.from')} value={from} />}
      {own && <Day name="to" title={t('period.to')} value={to} />}
      <select
        class="input filter"
        aria-label={t('period.compare')}
        value={comparison}
        onChange={(event) =>
          setQuery({
            compare: event.currentTarget.value === comparisons[0] ? '' : event.currentTarget.value,
            compareFrom: '',
          })
        }
      >
        {comparisons.map((name) => (
          <option key={name} value={name} selected={name === comparison}>
            {t(`period.compare.${name}`)}
          </option>
        ))}
      </select>
      {comparison === 'own' && <Day name="compareFrom" title={t('period.compareFrom')} value={other} />}
    </>
  )
  const problem = !valid ? (
    <p class="error" role="alert">
      {t('period.invalid', { n: mostDays })}
    </p>
  ) : today.error && !today.data ? (
    <ErrorState error={today.error} retry={today.reload} />
  ) : period ? null : (
    <Skeleton lines={8} />
  )
  return { period: valid ? period : undefined, compared, bar, problem }
}

function Day({ name, title, value }: { name: string; title: string; value: string }): JSX.Element {
  return (
    <label class="date-filter">
      <span>{title}</span>
      <input
        class="input filter"
        type="date"
        value={value}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
      />
    </label>
  )
}
