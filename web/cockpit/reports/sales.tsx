import type { JSX } from 'preact'
import type { AnalyticsSplitRow } from '../../api/types'
import { useQuery } from '../../api/client'
import { language, number, percent, t, tIf } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Card, Empty, ErrorState, Skeleton } from '../../ui/basics'
import { Link } from '../../ui/router'
import { Table } from '../../ui/table'
import { Change } from '../change'
import { DownloadButton } from '../download'
import { leadsTo } from '../overview/first_steps'
import type { Period } from '../period'

// Sales splits the sales of the period by point of sale or by level.
export function Sales({
  by,
  period,
  compared,
}: {
  by: 'pos' | 'level'
  period: Period
  compared: string
}): JSX.Element {
  const { from, to, compareFrom } = period
  const query = { by, from, to, compareFrom, _locale: language.value }
  const { data, error, reload } = useQuery('/api/{store}/admin/analytics/sales', query)
  if (!data || data.by !== by) return error ? <ErrorState error={error} retry={reload} /> : <Skeleton lines={8} />
  if (data.rows.length === 0)
    return (
      <Card>
        <Empty icon="sales" title={t('reports.noSales')}>
          {t('reports.noSalesHelp')}
        </Empty>
      </Card>
    )
  const total = data.total
  const title = t(by === 'pos' ? 'reports.places' : 'reports.levels')
  const of = (n: number): string => money(n, data.currency)
  const columns = [
    {
      name: 'name',
      title: t(by === 'pos' ? 'reports.place' : 'reports.level'),
      cell: (r: AnalyticsSplitRow) => (
        <span class="primary-line">
          <Name row={r} by={by} />
        </span>
      ),
    },
    { name: 'sales', title: t('reports.figure.sales'), number: true, cell: (r: AnalyticsSplitRow) => of(r.sums.sales) },
    {
      name: 'share',
      title: t('reports.share'),
      number: true,
      wide: true,
      cell: (r: AnalyticsSplitRow) => (total.sums.sales > 0 ? percent(r.sums.sales / total.sums.sales) : '–'),
    },
    {
      name: 'change',
      title: t('reports.change'),
      number: true,
      cell: (r: AnalyticsSplitRow) => (
        <Change value={r.sums.sales} before={r.compared.sales} title={`${compared}: ${of(r.compared.sales)}`} />
      ),
    },
    {
      name: 'receipts',
      title: t('reports.figure.receipts'),
      number: true,
      cell: (r: AnalyticsSplitRow) => number(r.sums.receipts),
    },
    {
      name: 'average',
      title: t('reports.figure.averageReceipt'),
      number: true,
      wide: true,
      cell: (r: AnalyticsSplitRow) => (r.sums.averageReceipt === undefined ? '–' : of(r.sums.averageReceipt)),
    },
    ...(by === 'pos'
      ? [
          {
            name: 'members',
            title: t('reports.figure.memberShare'),
            number: true,
            wide: true,
            cell: (r: AnalyticsSplitRow) => (r.sums.sales > 0 ? percent(r.sums.memberSales / r.sums.sales) : '–'),
          },
        ]
      : []),
  ]
  return (
    <Card
      title={title}
      actions={
        <DownloadButton
          path="/api/{store}/admin/analytics/sales/export"
          filters={[]}
          file={t('reports.file.sales')}
          asked={() => query}
        />
      }
    >
      <p class="muted">{t(by === 'pos' ? 'reports.placesHelp' : 'reports.levelsHelp')}</p>
      <Table
        label={title}
        rowKey={(r) => r.id ?? r.kind ?? ''}
        empty={null}
        rows={[...data.rows, { ...total, kind: 'total' }]}
        columns={columns}
      />
      {data.more !== undefined && <p class="muted">{t('reports.more', { n: data.more })}</p>}
    </Card>
  )
}

function Name({ row: r, by }: { row: AnalyticsSplitRow; by: 'pos' | 'level' }): JSX.Element {
  if (!r.id) return <>{tIf(`reports.kind.${r.kind}`, r.kind ?? '')}</>
  const to = by === 'pos' ? '/transactions' : `/levels/${r.id}`
  const name = r.name || t('reports.deleted')
  if (!r.name || !leadsTo(to)) return <>{name}</>
  return <Link to={by === 'pos' ? `/transactions?posId=${r.id}` : to}>{name}</Link>
}
