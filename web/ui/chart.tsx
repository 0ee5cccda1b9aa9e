// A chart of values over time, with a table of the same values for those who cannot see it. The library is loaded when
// the first chart is shown.
import type { JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import { whenLoaded } from '../api/underway'
import { language, number, t } from '../i18n/i18n'
import { theme } from './theme'

export interface Series {
  title: string
  values: (number | null)[]
  tone: 'accent' | 'success' | 'warning' | 'danger' | 'muted' // colour, by a token of the style sheet
}

export interface ChartProps {
  title: string
  unit: string // of the values, such as points
  times: string[] // beginnings of the intervals, YYYY-MM-DD in the store's zone
  series: Series[]
  height?: number // pixels
  format?: (value: number) => string
}

export function Chart(props: ChartProps): JSX.Element {
  const { title, unit, times, series, height = 220, format = number } = props
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const [asTable, setAsTable] = useState(false)
  useEffect(() => {
    if (asTable || !box.current) return
    let plot: uPlot | undefined
    let left = false
    const target = box.current
    const draw = (library: typeof uPlot): void => {
      plot?.destroy()
      plot = new library(options(props, target, height, format), data(props), target)
    }
    let again: (() => void) | undefined
    whenLoaded(import('uplot'), (module) => {
      if (left) return
      draw(module.default)
      again = () => draw(module.default)
      dark.addEventListener('change', again)
    })
    const observer = new ResizeObserver(() => plot?.setSize({ width: target.clientWidth, height }))
    observer.observe(target)
    return () => {
      left = true
      observer.disconnect()
      if (again) dark.removeEventListener('change', again)
      plot?.destroy()
    }
  }, [times, series, asTable, language.value, theme.value, height])
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption>
        <span id={id}>
          {title}
          <span class="muted"> · {unit}</span>
        </span>
        <ul class="legend">
          {series.map((s) => (
            <li key={s.title}>
              <span class={`swatch ${s.tone}`} />
              {s.title}
            </li>
          ))}
        </ul>
        <button type="button" class="text-button muted" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {t(asTable ? 'chart.asChart' : 'chart.asTable')}
        </button>
      </figcaption>
      {asTable ? (
        <ValuesTable {...props} />
      ) : (
        <div ref={box} class="chart-box" role="img" aria-label={summary(props)} style={{ height: `${height}px` }} />
      )}
    </figure>
  )
}

const dark = matchMedia('(prefers-color-scheme: dark)')

function data({ times, series }: ChartProps): uPlot.AlignedData {
  return [times.map((time) => Date.parse(`${time.slice(0, 10)}T00:00:00Z`) / 1000), ...series.map((s) => s.values)]
}

// color reads a token of the style sheet as the page shows it now.
function color(of: Element, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(--${name})`
  of.append(probe)
  const value = getComputedStyle(probe).color
  probe.remove()
  return value
}

function options(props: ChartProps, target: Element, height: number, format: (value: number) => string): uPlot.Options {
  const axis = {
    stroke: color(target, 'muted'),
    font: '12px system-ui',
    grid: { stroke: color(target, 'line'), width: 1 },
    ticks: { show: false },
  }
  const days = new Intl.DateTimeFormat(language.value, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const short = new Intl.NumberFormat(language.value, { notation: 'compact', maximumFractionDigits: 1 })
  return {
    width: target.clientWidth,
    height,
    legend: { show: false },
    tzDate: (seconds) => new Date(seconds * 1000),
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
    scales: { y: { range: (_, __, max) => [0, Math.max(max, 1) * 1.08] } },
    axes: [
      { ...axis, grid: { show: false }, space: 64, values: (_, ticks) => ticks.map((s) => days.format(s * 1000)) },
      { ...axis, size: 48, space: 40, values: (_, ticks) => ticks.map((v) => short.format(v)) },
    ],
    series: [
      {},
      ...props.series.map((s, i) => ({
        label: s.title,
        stroke: color(target, s.tone),
        width: 2,
        points: { show: props.times.length < 3 },
        ...(i === 0 ? { fill: color(target, `${s.tone === 'muted' ? 'sunken' : s.tone + '-soft'}`) } : {}),
      })),
    ],
    plugins: [tooltip(props, format)],
  }
}

// tooltip shows the values under the pointer.
function tooltip({ times, series }: ChartProps, format: (value: number) => string): uPlot.Plugin {
  const box = document.createElement('div')
  box.className = 'chart-tip'
  return {
    hooks: {
      init: (plot) => plot.over.append(box),
      setCursor: (plot) => {
        const at = plot.cursor.idx
        box.hidden = at === null || at === undefined
        if (at === null || at === undefined) return
        box.replaceChildren(
          ...[dayOf(times[at]!), ...series.map((s) => `${s.title}: ${format(s.values[at] ?? 0)}`)].map((text) =>
            Object.assign(document.createElement('div'), { textContent: text }),
          ),
        )
        const left = plot.cursor.left ?? 0
        box.style.left = `${Math.min(left + 12, plot.over.clientWidth - box.offsetWidth)}px`
      },
    },
  }
}

function dayOf(time: string): string {
  return new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeZone: 'UTC' }).format(
    Date.parse(`${time.slice(0, 10)}T00:00:00Z`),
  )
}

function summary({ title, unit, series, format = number }: ChartProps): string {
  const sums = series.map((s) => `${s.title} ${format(s.values.reduce<number>((sum, v) => sum + (v ?? 0), 0))}`)
  return `${title}, ${unit}: ${sums.join(', ')}`
}

function ValuesTable({ times, series, format = number }: ChartProps): JSX.Element {
  return (
    <div class="table-frame chart-table" tabIndex={0} role="group" aria-label={t('chart.asTable')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('chart.day')}</th>
            {series.map((s) => (
              <th key={s.title} class="number" scope="col">
                {s.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time, i) => (
            <tr key={time}>
              <td>{dayOf(time)}</td>
              {series.map((s) => (
                <td key={s.title} class="number">
                  {format(s.values[i] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

// Sparkline is a small line without axes, as decoration beside a figure.
export function Sparkline({ values }: { values: number[] }): JSX.Element | null {
  if (values.length < 2) return null
  const max = Math.max(...values, 1)
  const points = values.map(
    (v, i) => `${((i / (values.length - 1)) * 100).toFixed(1)},${(27 - (v / max) * 24).toFixed(1)}`,
  )
  return (
    <svg class="sparkline" viewBox="0 0 100 28" preserveAspectRatio="none" aria-hidden="true">
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        vector-effect="non-scaling-stroke"
      />
    </svg>
  )
}
