import type { JSX } from 'preact'
import type { TransactionView } from '../../api/types'
import { useQuery } from '../../api/client'
import { may } from '../../api/session'
import { points, t } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Badge, ButtonLink, Empty, Page, Time } from '../../ui/basics'
import { List, type Column } from '../../ui/table'

const columns = (): Column<TransactionView>[] => [
  {
    name: 'number',
    title: t('sales.number'),
    sort: 'documentNumber',
    cell: (d) => (
      <>
        <span class="primary-line">{d.documentNumber}</span>{' '}
        {d.documentType === 'return' && <Badge tone="warning">{t('sales.return')}</Badge>}
        <span class="second-line">
          <Time at={d.purchaseDate} />
        </span>
      </>
    ),
  },
  {
    name: 'customer',
    title: t('customers.one'),
    wide: true,
    cell: (d) => (
      <>
        {d.customerData.name}
        {!d.customerId && (
          <>
            {' '}
            <Badge>{t('sales.unmatched')}</Badge>
          </>
        )}
      </>
    ),
  },
  { name: 'points', title: t('sales.points'), number: true, wide: true, cell: (d) => earned(d) },
  { name: 'gross', title: t('sales.gross'), sort: 'grossValue', number: true, cell: (d) => grossOf(d) },
]

// grossOf is the value of a document, below zero for a return.
export function grossOf(d: TransactionView): string {
  return money(d.documentType === 'return' ? -d.grossValue : d.grossValue, d.currency)
}

// earned is what a sale earned, or what a return took.
export function earned(d: TransactionView): string {
  if (!d.customerId) return '–'
  return points(d.documentType === 'return' ? -d.pointsEarned : d.pointsEarned)
}

export default function Sales(): JSX.Element {
  const places =
    useQuery(may('POS') ? '/api/{store}/pos' : null, { perPage: 200, sort: 'name', direction: 'ASC' }).data?.pos ?? []
  const create = may('TRANSACTION', 'MODIFY') && (
    <ButtonLink kind="primary" icon="plus" to="/transactions/new">
      {t('sales.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.transactions')} actions={create}>
      <List
        label={t('nav.transactions')}
        path="/api/{store}/transaction"
        columns={columns()}
        read={(r) => ({ rows: r.transactions, total: r.total })}
        rowKey={(d) => d.transactionId}
        to={(d) => `/transactions/${d.transactionId}`}
        search="documentNumber"
        searchLabel={t('sales.search')}
        defaultSort={{ field: 'purchaseDate', descending: true }}
        filters={[
          {
            name: 'documentType',
            title: t('sales.anyType'),
            options: [
              { value: 'sell', text: t('sales.sales') },
              { value: 'return', text: t('sales.returns') },
            ],
          },
          ...(may('POS')
            ? [
                {
                  name: 'posId' as const,
                  title: t('sales.anyPos'),
                  options: places.map((p) => ({ value: p.posId, text: p.name })),
                },
              ]
            : []),
          { name: 'purchaseDateFrom', title: t('editor.from') },
          { name: 'purchaseDateTo', title: t('editor.to') },
        ]}
        empty={
          <Empty icon="sales" title={t('sales.empty')} action={create}>
            {t('sales.emptyHelp')}
          </Empty>
        }
      />
    </Page>
  )
}
