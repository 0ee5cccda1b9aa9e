import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AnalyticsCouponsRow } from '../../api/types'
import { useQuery } from '../../api/client'
import { may } from '../../api/session'
import { language, number, points, t, tIf } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Button, Card, ErrorState, Skeleton } from '../../ui/basics'
import { Link } from '../../ui/router'
import { Table } from '../../ui/table'
import { DownloadButton } from '../download'
import type { Period } from '../period'

// Coupons splits what was bought and used of each reward by level or by point of sale.
export function Coupons({ period }: { period: Period }): JSX.Element {
  const [by, setBy] = useState<'level' | 'pos'>('level')
  const query = { by, from: period.from, to: period.to, _locale: language.value }
  const { data, error, reload } = useQuery('/api/{store}/admin/analytics/coupons', query)
  const cash = (n: number | undefined): string => (n === undefined || !data ? '–' : money(n, data.currency))
  const ofLevel = by === 'level'
  const columns = [
    {
      name: 'name',
      title: t('reports.reward'),
      cell: (r: AnalyticsCouponsRow) => (
        <span class="primary-line">
          <Reward row={r} period={period} />
        </span>
      ),
    },
    {
      name: 'by',
      title: t(ofLevel ? 'reports.level' : 'reports.place'),
      cell: (r: AnalyticsCouponsRow) =>
        r.id ? r.name || t('reports.deleted') : tIf(`reports.kind.${r.kind}`, r.kind ?? ''),
    },
    ...(ofLevel
      ? [
          {
            name: 'bought',
            title: t('reports.bought'),
            number: true,
            cell: (r: AnalyticsCouponsRow) => number(r.bought),
          },
          {
            name: 'points',
            title: t('reports.points'),
            number: true,
            wide: true,
            cell: (r: AnalyticsCouponsRow) => points(r.points),
          },
          ...(data?.pointCost === undefined
            ? []
            : [
                {
                  name: 'cost',
                  title: t('reports.pointsCost'),
                  number: true,
                  wide: true,
                  cell: (r: AnalyticsCouponsRow) => cash(r.pointsCost),
                },
              ]),
        ]
      : []),
    { name: 'used', title: t('reports.used'), number: true, cell: (r: AnalyticsCouponsRow) => number(r.used) },
    {
      name: 'usedValue',
      title: t('reports.usedValue'),
      number: true,
      wide: true,
      cell: (r: AnalyticsCouponsRow) => cash(r.usedValue),
    },
    {
      name: 'receipts',
      title: t('reports.figure.receipts'),
      number: true,
      wide: true,
      cell: (r: AnalyticsCouponsRow) => number(r.receipts),
    },
    { name: 'sales', title: t('reports.salesWith'), number: true, cell: (r: AnalyticsCouponsRow) => cash(r.sales) },
  ]
  return (
    <Card
      title={t('reports.coupons')}
      actions={
        <DownloadButton
          path="/api/{store}/admin/analytics/coupons/export"
          filters={[]}
          file={t('reports.file.coupons')}
          asked={() => query}
        />
      }
    >
      <p class="muted">{t(ofLevel ? 'reports.couponsOfLevels' : 'reports.couponsOfPlaces')}</p>
      <div class="row" role="group" aria-label={t('reports.coupons')}>
        <Button small pressed={ofLevel} onClick={() => setBy('level')}>
          {t('reports.levels')}
        </Button>
        <Button small pressed={!ofLevel} onClick={() => setBy('pos')}>
          {t('reports.places')}
        </Button>
      </div>
      {!data || data.by !== by ? (
        error ? (
          <ErrorState error={error} retry={reload} />
        ) : (
          <Skeleton lines={6} />
        )
      ) : (
        <Table
          label={t('reports.coupons')}
          rowKey={(r) => `${r.campaignId} ${r.id ?? ''}`}
          rows={data.rows}
          columns={columns}
          empty={<p class="muted">{t('reports.noCoupons')}</p>}
        />
      )}
      {data?.more !== undefined && <p class="muted">{t('reports.more', { n: data.more })}</p>}
    </Card>
  )
}

// Reward links to the coupons that were bought in the period.
function Reward({ row: r, period }: { row: AnalyticsCouponsRow; period: Period }): JSX.Element {
  if (!r.reward) return <>{t('reports.deleted')}</>
  if (!may('REWARD_CAMPAIGN')) return <>{r.reward}</>
  return (
    <Link to={`/bought?campaignId=${r.campaignId}&purchasedAtFrom=${period.from}&purchasedAtTo=${period.to}`}>
      {r.reward}
    </Link>
  )
}
