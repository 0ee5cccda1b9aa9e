import type { JSX } from 'preact'
import type { TransactionView } from '../../api/types'
import { points, t } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Badge, Empty, Time } from '../../ui/basics'
import { List, type Column } from '../../ui/table'

export function isReturn(r: { documentType: string }): boolean {
  return r.documentType === 'return'
}

const columns = (): Column<TransactionView>[] => [
  {
    name: 'number',
    title: t('receipts.number'),
    sort: 'documentNumber',
    cell: (r) => (
      <>
        <span class="primary-line">{r.documentNumber}</span>
        {isReturn(r) && <Badge tone="warning">{t('receipts.return')}</Badge>}
      </>
    ),
  },
  {
    name: 'date',
    title: t('receipts.date'),
    cell: (r) => <Time at={r.purchaseDate} />,
    sort: 'purchaseDate',
    wide: true,
  },
  { name: 'items', title: t('receipts.items'), cell: (r) => <span class="muted">{itemNames(r)}</span>, wide: true },
  {
    name: 'amount',
    title: t('receipts.amount'),
    cell: (r) => money(r.grossValue, r.currency),
    sort: 'grossValue',
    number: true,
  },
  { name: 'points', title: t('receipts.points'), cell: (r) => points(r.pointsEarned), number: true, wide: true },
]

function itemNames(r: TransactionView): string {
  const names = r.items.map((i) => i.name)
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} …` : names.join(', ')
}

// Purchases lists the receipts of a customer.
export function Purchases({ customer }: { customer: string }): JSX.Element {
  return (
    <List
      label={t('tab.purchases')}
      path="/api/{store}/transaction"
      params={{ customerId: customer }}
      columns={columns()}
      read={(r) => ({ rows: r.transactions, total: r.total })}
      rowKey={(r) => r.transactionId}
      to={(r) => `/transactions/${r.transactionId}`}
      defaultSort={{ field: 'purchaseDate', descending: true }}
      empty={
        <Empty icon="sales" title={t('receipts.empty')}>
          {t('receipts.emptyHelp')}
        </Empty>
      }
    />
  )
}
