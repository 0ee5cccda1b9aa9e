import type { JSX } from 'preact'
import type { AnalyticsSummaryLine } from '../../api/types'
import { useQuery } from '../../api/client'
import { number, percent, points, t, tIf, type Key } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Card, ErrorState, Skeleton } from '../../ui/basics'
import { Link } from '../../ui/router'
import { Table } from '../../ui/table'
import { Change } from '../change'
import { DownloadButton } from '../download'
import { NoFigures } from '../overview/figures'
import { leadsTo } from '../overview/first_steps'
import type { Period } from '../period'

// groups are the figures in the order of the page, and the screen with the rows behind them.
const groups: { title: Key; to: string; figures: string[] }[] = [
  {
    title: 'reports.group.sales',
    to: '/transactions',
    figures: ['sales', 'receipts', 'averageReceipt', 'memberSales', 'memberReceipts', 'anonymousSales', 'memberShare'],
  },
  { title: 'reports.group.members', to: '/customers', figures: ['activeMembers', 'newMembers', 'returningMembers'] },
  {
    title: 'reports.group.points',
    to: '/transfers',
    figures: ['pointsIssued', 'pointsSpent', 'pointsExpired', 'pointsOutstanding', 'redemptionRate'],
  },
  { title: 'reports.group.coupons', to: '/bought', figures: ['couponsBought', 'couponsUsed', 'couponUseRate'] },
]

// Figures shows every figure of the period, how it is counted, and what it was in the other period.
export function Figures({ period, compared }: { period: Period; compared: string }): JSX.Element {
  const { from, to, compareFrom } = period
  const { data, error, reload } = useQuery('/api/{store}/admin/analytics/summary', { from, to, compareFrom })
  if (!data) return error ? <ErrorState error={error} retry={reload} /> : <Skeleton lines={12} />
  if (data.figures.every((f) => !f.value && !f.compared)) return <NoFigures />
  const shown = (f: AnalyticsSummaryLine, value: number | undefined): string =>
    value === undefined ? '–' : format(f.unit, value, data.currency)
  return (
    <div class="stack">
      <div class="report-actions">
        <DownloadButton
          path="/api/{store}/admin/analytics/summary/export"
          filters={[]}
          file={t('reports.file.figures')}
          asked={() => ({ from, to, compareFrom })}
        />
      </div>
      {groups.map((group) => (
        <Card
          key={group.title}
          title={t(group.title)}
          actions={leadsTo(group.to) && <Link to={group.to}>{t('reports.rows')}</Link>}
        >
          <Table
            label={t(group.title)}
            rowKey={(f) => f.figure}
            empty={null}
            rows={data.figures
              .filter((f) => group.figures.includes(f.figure))
              .sort((a, b) => group.figures.indexOf(a.figure) - group.figures.indexOf(b.figure))}
            columns={[
              {
                name: 'figure',
                title: t('reports.figure'),
                cell: (f) => (
                  <>
                    <span class="primary-line">{tIf(`reports.figure.${f.figure}`, f.figure)}</span>
                    <small class="muted figure-help">{tIf(`reports.how.${f.figure}`, '')}</small>
                  </>
                ),
              },
              { name: 'value', title: t('reports.value'), number: true, cell: (f) => shown(f, f.value) },
              {
                name: 'before',
                title: t('reports.before'),
                number: true,
                wide: true,
                cell: (f) => shown(f, f.compared),
              },
              {
                name: 'change',
                title: t('reports.change'),
                number: true,
                cell: (f) =>
                  f.value === undefined || f.compared === undefined ? null : (
                    <Change
                      value={f.value}
                      before={f.compared}
                      share={f.unit === 'share'}
                      title={`${compared}: ${shown(f, f.compared)}`}
                    />
                  ),
              },
            ]}
          />
        </Card>
      ))}
    </div>
  )
}

function format(unit: string, value: number, currency: string): string {
  switch (unit) {
    case 'money':
      return money(value, currency)
    case 'share':
      return percent(value)
    case 'points':
      return points(value)
    default:
      return number(value)
  }
}
