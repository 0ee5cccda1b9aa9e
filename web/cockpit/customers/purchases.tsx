import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { TransactionView, TransactionViewList } from '../../api/types'
import { money, points, t } from '../../i18n/i18n'
import { Badge, Empty, Facts, Time } from '../../ui/basics'
import { Dialog } from '../../ui/dialog'
import { List, Table, type Column } from '../../ui/table'

export function isReturn(r: { documentType: string }): boolean {
  return r.documentType === 'return'
}

const columns = (): Column<TransactionView>[] => [
  {
    name: 'number', title: t('receipts.number'), sort: 'documentNumber',
    cell: (r) => <><span class="primary-line">{r.documentNumber}</span>{isReturn(r) && <Badge tone="warning">{t('receipts.return')}</Badge>}</>,
  },
  { name: 'date', title: t('receipts.date'), cell: (r) => <Time at={r.purchaseDate} />, sort: 'purchaseDate', wide: true },
  { name: 'items', title: t('receipts.items'), cell: (r) => <span class="muted">{itemNames(r)}</span>, wide: true },
  { name: 'amount', title: t('receipts.amount'), cell: (r) => money(r.grossValue, r.currency), sort: 'grossValue', number: true },
  { name: 'points', title: t('receipts.points'), cell: (r) => points(r.pointsEarned), number: true, wide: true },
]

function itemNames(r: TransactionView): string {
  const names = r.items.map((i) => i.name)
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} …` : names.join(', ')
}

// Purchases lists the receipts of a customer.
export function Purchases({ customer }: { customer: string }): JSX.Element {
  const [shown, setShown] = useState<TransactionView | null>(null)
  return (
    <>
      <List<TransactionView> label={t('tab.purchases')} path="/api/{store}/transaction" params={{ customerId: customer }} columns={columns()}
        read={(r: TransactionViewList) => ({ rows: r.transactions, total: r.total })} rowKey={(r) => r.transactionId} onPick={setShown}
        defaultSort={{ field: 'purchaseDate', descending: true }}
        empty={<Empty icon="sales" title={t('receipts.empty')}>{t('receipts.emptyHelp')}</Empty>} />
      {shown && <Receipt receipt={shown} onClose={() => setShown(null)} />}
    </>
  )
}

function Receipt({ receipt: r, onClose }: { receipt: TransactionView; onClose: () => void }): JSX.Element {
  return (
    <Dialog title={t(isReturn(r) ? 'receipts.returnOne' : 'receipts.one', { number: r.documentNumber })} onClose={onClose} wide>
      <Table label={t('receipts.items')} rows={r.items} rowKey={(i) => `${i.sku.code}-${i.name}`} empty={<p class="muted">{t('receipts.noItems')}</p>} columns={[
        { name: 'name', title: t('receipts.item'), cell: (i) => <><span class="primary-line">{i.name}</span><span class="second-line">{i.sku.code}</span></> },
        { name: 'quantity', title: t('receipts.quantity'), cell: (i) => points(i.quantity), number: true },
        { name: 'amount', title: t('receipts.amount'), cell: (i) => money(i.grossValue, r.currency), number: true },
      ]} />
      <Facts items={[
        [t('receipts.date'), <Time at={r.purchaseDate} />],
        [t('receipts.amount'), money(r.grossValue, r.currency)],
        [t('receipts.points'), points(r.pointsEarned)],
        [t('receipts.revised'), r.revisedDocument],
        [t('receipts.place'), r.purchasePlace],
      ]} />
    </Dialog>
  )
}
