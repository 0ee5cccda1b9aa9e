import type { JSX } from 'preact'
import type { FeatureLimit } from '../../api/types'
import { useQuery } from '../../api/client'
import { number, t, tIf } from '../../i18n/i18n'
import { Button, Empty, Page } from '../../ui/basics'
import { place, setQuery } from '../../ui/router'
import { SearchField, Table } from '../../ui/table'

const sizes: [number, string][] = [
  [1 << 30, 'gigabyte'],
  [1 << 20, 'megabyte'],
  [1 << 10, 'kilobyte'],
  [1, 'byte'],
]
const spans: [number, string][] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]

// valueText says how much a limit is in the largest unit of which it is a whole number.
export function valueText({ value, unit }: { value: number; unit: string }): string {
  const steps = unit === 'bytes' ? sizes : unit === 'seconds' ? spans : null
  if (!steps) return `${number(value)} ${tIf(`limits.unit.${unit.replaceAll(' ', '_')}`, unit)}`
  const [size, name] = (value > 0 && steps.find(([n]) => value % n === 0)) || [1, unit === 'bytes' ? 'byte' : 'second']
  return number(value / size, { style: 'unit', unit: name, unitDisplay: 'long' })
}

// Limits lists what the server bounds, by the names that the API and the documentation use.
export default function Limits(): JSX.Element {
  const { data, error, loading, reload } = useQuery('/api/limits')
  const words = place.value.query.get('q') ?? ''
  const rows = data?.limits.filter((l) =>
    `${l.name} ${l.setting ?? ''} ${l.unit}`.toLowerCase().includes(words.toLowerCase()),
  )
  return (
    <Page title={t('nav.limits')} lead={t('limits.lead')}>
      <div class="list">
        <div class="toolbar">
          <SearchField value={words} onChange={(q) => setQuery({ q })} />
        </div>
        <Table<FeatureLimit>
          label={t('nav.limits')}
          rows={rows}
          rowKey={(l) => l.name}
          error={error}
          retry={reload}
          loading={loading && !data}
          columns={[
            { name: 'name', title: t('limits.name'), cell: (l) => <code>{l.name}</code> },
            { name: 'value', title: t('limits.value'), cell: (l) => valueText(l) },
            {
              name: 'setting',
              title: t('limits.setting'),
              wide: true,
              cell: (l) => l.setting && <code>{l.setting}</code>,
            },
          ]}
          empty={
            <Empty
              icon="search"
              title={t('table.noMatch')}
              action={<Button onClick={() => setQuery({ q: '' })}>{t('table.clear')}</Button>}
            />
          }
        />
      </div>
    </Page>
  )
}
