import type { JSX } from 'preact'
import type { ReportFullView, ReportRewardView } from '../../api/types'
import { may } from '../../api/session'
import { language, number, points, t } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Card, Empty } from '../../ui/basics'
import { Link } from '../../ui/router'
import { Table } from '../../ui/table'
import { DownloadButton } from '../download'
import type { Period } from '../period'
import { Background } from './background'
import { Coupons } from './coupons'

// Rewards shows what each reward brought and cost in the period, and what is still unused.
export function Rewards({ period }: { period: Period }): JSX.Element {
  return (
    <div class="stack">
      <Coupons period={period} />
      <Background kind="rewards" period={period}>
        {(report) => <Result report={report} />}
      </Background>
    </div>
  )
}

function Result({ report }: { report: ReportFullView }): JSX.Element {
  const of = report.rewards!
  if (of.rewards.length === 0)
    return (
      <Card>
        <Empty icon="rewards" title={t('reports.noRewards')}>
          {t('reports.noRewardsHelp')}
        </Empty>
      </Card>
    )
  const cash = (n: number | undefined): string => (n === undefined ? '–' : money(n, report.currency))
  const total: ReportRewardView = { ...of.total, campaignId: '', receipts: 0, sales: 0 }
  const columns = [
    {
      name: 'name',
      title: t('reports.reward'),
      cell: (r: ReportRewardView) => (
        <span class="primary-line">
          {r.campaignId === '' ? (
            t('reports.kind.total')
          ) : r.name && may('REWARD_CAMPAIGN') ? (
            <Link to={`/campaigns/${r.campaignId}`}>{r.name}</Link>
          ) : (
            r.name || t('reports.deleted')
          )}
        </span>
      ),
    },
    { name: 'bought', title: t('reports.bought'), number: true, cell: (r: ReportRewardView) => number(r.bought) },
    {
      name: 'points',
      title: t('reports.points'),
      number: true,
      wide: true,
      cell: (r: ReportRewardView) => points(r.points),
    },
    ...(of.pointCost === undefined
      ? []
      : [
          {
            name: 'cost',
            title: t('reports.pointsCost'),
            number: true,
            wide: true,
            cell: (r: ReportRewardView) => cash(r.pointsCost),
          },
        ]),
    { name: 'used', title: t('reports.used'), number: true, cell: (r: ReportRewardView) => number(r.used) },
    {
      name: 'usedValue',
      title: t('reports.usedValue'),
      number: true,
      wide: true,
      cell: (r: ReportRewardView) => cash(r.usedValue),
    },
    {
      name: 'average',
      title: t('reports.figure.averageReceipt'),
      number: true,
      wide: true,
      cell: (r: ReportRewardView) => (r.averageReceipt === undefined ? '' : cash(r.averageReceipt)),
    },
    {
      name: 'sales',
      title: t('reports.salesWith'),
      number: true,
      wide: true,
      cell: (r: ReportRewardView) => (r.campaignId === '' ? '' : cash(r.sales)),
    },
    { name: 'unused', title: t('reports.unused'), number: true, cell: (r: ReportRewardView) => number(r.unused) },
    {
      name: 'unusedValue',
      title: t('reports.unusedValue'),
      number: true,
      wide: true,
      cell: (r: ReportRewardView) => cash(r.unusedValue),
    },
  ]
  return (
    <Card
      title={t('reports.rewards')}
      actions={
        <DownloadButton
          path="/api/{store}/admin/analytics/report/{report}/rewards"
          params={{ report: report.reportId }}
          filters={[]}
          file={t('reports.file.rewards')}
          asked={() => ({ _locale: language.value })}
        />
      }
    >
      <p class="muted">{t('reports.rewardsHelp')}</p>
      <Table
        label={t('reports.rewards')}
        rowKey={(r) => r.campaignId}
        empty={null}
        rows={[...of.rewards, total]}
        columns={columns}
      />
    </Card>
  )
}
