import type { JSX } from 'preact'
import type { ReportCohortView, ReportFullView, ReportTopView } from '../../api/types'
import { may } from '../../api/session'
import { date, language, number, percent, t } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Card } from '../../ui/basics'
import { Link } from '../../ui/router'
import { Table } from '../../ui/table'
import { DownloadButton } from '../download'
import type { Period } from '../period'
import { Background } from './background'

// Customers shows who bought in the period, how often, and who came back.
export function Customers({ period }: { period: Period }): JSX.Element {
  return (
    <Background kind="customers" period={period}>
      {(report) => <Result report={report} />}
    </Background>
  )
}

function Result({ report }: { report: ReportFullView }): JSX.Element {
  const of = report.customers!
  const most = Math.max(...of.byReceipts.map((o) => o.customers), 1)
  return (
    <>
      <ul class="metrics owed" aria-label={t('reports.customers')}>
        <Figure
          name={t('reports.buyers')}
          value={number(of.buyers)}
          help={t('reports.buyersHelp', { n: of.members })}
        />
        <Figure
          name={t('reports.repeatRate')}
          value={of.repeatRate === undefined ? '–' : percent(of.repeatRate)}
          help={t('reports.repeatHelp', { n: of.repeatBuyers })}
        />
        <Figure
          name={t('reports.perBuyer')}
          value={of.buyers > 0 ? money(of.sales / of.buyers, report.currency) : '–'}
          help={t('reports.perBuyerHelp')}
        />
      </ul>
      <div class="columns">
        <Card title={t('reports.often')}>
          <ol class="top-rewards">
            {of.byReceipts.map((o, i) => {
              const name =
                i === of.byReceipts.length - 1
                  ? t('reports.orMore', { n: o.receipts })
                  : t('reports.receiptCount', { n: o.receipts })
              return (
                <li key={o.receipts}>
                  <span>{name}</span>
                  <span class="number">{number(o.customers)}</span>
                  <progress
                    class="progress"
                    max={most}
                    value={o.customers}
                    aria-label={`${name}: ${number(o.customers)}`}
                  />
                </li>
              )
            })}
          </ol>
        </Card>
        <Segments report={report} />
      </div>
      <Cohorts report={report} />
      <Top report={report} />
    </>
  )
}

function Figure({ name, value, help }: { name: string; value: string; help: string }): JSX.Element {
  return (
    <li class="figure">
      <span class="figure-name">{name}</span>
      <span class="figure-value">{value}</span>
      <span class="muted">{help}</span>
    </li>
  )
}

function Segments({ report }: { report: ReportFullView }): JSX.Element {
  const all = report.customers!.segments
  return (
    <Card title={t('reports.segments')} actions={all && all.length > 0 && <Save report={report} part="segments" />}>
      {!all || all.length === 0 ? (
        <p class="muted">{t(all ? 'reports.noSegments' : 'reports.segmentsTooLong')}</p>
      ) : (
        <Table
          label={t('reports.segments')}
          rowKey={(s) => s.segmentId}
          empty={null}
          rows={all}
          columns={[
            {
              name: 'name',
              title: t('reports.segment'),
              cell: (s) => (
                <span class="primary-line">
                  {may('SEGMENT') ? <Link to={`/segments/${s.segmentId}`}>{s.name}</Link> : s.name}
                </span>
              ),
            },
            { name: 'members', title: t('reports.members'), number: true, wide: true, cell: (s) => number(s.members) },
            { name: 'buyers', title: t('reports.buyers'), number: true, cell: (s) => number(s.buyers) },
            {
              name: 'sales',
              title: t('reports.figure.sales'),
              number: true,
              cell: (s) => money(s.sales, report.currency),
            },
          ]}
        />
      )}
    </Card>
  )
}

const shownMonths = 12

// Cohorts shows which share of the customers who joined in a month bought in it and in the months after.
function Cohorts({ report }: { report: ReportFullView }): JSX.Element | null {
  const all = report.customers!.cohorts
  if (all.length === 0) return null
  const months = Math.min(Math.max(...all.map((c) => c.buyers.length)), shownMonths)
  return (
    <Card title={t('reports.cohorts')} actions={<Save report={report} part="cohorts" />}>
      <p class="muted">{t('reports.cohortsHelp')}</p>
      <Table
        label={t('reports.cohorts')}
        rowKey={(c) => c.month}
        empty={null}
        rows={all}
        columns={[
          {
            name: 'month',
            title: t('reports.joinedIn'),
            cell: (c: ReportCohortView) => <span class="primary-line">{monthName(c.month)}</span>,
          },
          { name: 'joined', title: t('reports.joined'), number: true, cell: (c: ReportCohortView) => number(c.joined) },
          ...Array.from({ length: months }, (_, n) => ({
            name: String(n),
            title: n === 0 ? t('reports.sameMonth') : `+${n}`,
            number: true,
            cell: (c: ReportCohortView) => (n < c.buyers.length ? <Share of={c.buyers[n]!} in={c.joined} /> : null),
          })),
        ]}
      />
    </Card>
  )
}

function Share({ of, in: all }: { of: number; in: number }): JSX.Element {
  const share = all > 0 ? of / all : 0
  return (
    <span class={`cohort cohort-${Math.min(Math.ceil(share * 5), 5)}`} title={number(of)}>
      {percent(share, 0)}
    </span>
  )
}

function Top({ report }: { report: ReportFullView }): JSX.Element | null {
  const all = report.customers!.top
  if (all.length === 0) return null
  const named = may('CUSTOMER')
  return (
    <Card title={t('reports.top')} actions={<Save report={report} part="top" />}>
      <Table
        label={t('reports.top')}
        rowKey={(c) => c.customerId}
        empty={null}
        rows={all}
        columns={[
          {
            name: 'name',
            title: t('reports.customer'),
            cell: (c: ReportTopView) => {
              const name =
                [c.firstName, c.lastName].filter(Boolean).join(' ') ||
                c.email ||
                (named ? t('reports.deleted') : c.customerId)
              return (
                <span class="primary-line">
                  {named && (c.firstName || c.email) ? <Link to={`/customers/${c.customerId}`}>{name}</Link> : name}
                </span>
              )
            },
          },
          {
            name: 'sales',
            title: t('reports.figure.sales'),
            number: true,
            cell: (c: ReportTopView) => money(c.sales, report.currency),
          },
          {
            name: 'receipts',
            title: t('reports.figure.receipts'),
            number: true,
            cell: (c: ReportTopView) => number(c.receipts),
          },
          { name: 'last', title: t('reports.last'), wide: true, cell: (c: ReportTopView) => date(c.lastPurchaseAt) },
        ]}
      />
    </Card>
  )
}

function Save({ report, part }: { report: ReportFullView; part: 'top' | 'cohorts' | 'segments' }): JSX.Element {
  return (
    <DownloadButton
      path={`/api/{store}/admin/analytics/report/{report}/${part}`}
      params={{ report: report.reportId }}
      filters={[]}
      file={t(`reports.file.${part}`)}
    />
  )
}

function monthName(month: string): string {
  return new Intl.DateTimeFormat(language.value, { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01T00:00:00Z`),
  )
}
