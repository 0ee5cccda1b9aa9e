import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { TransactionItem, TransactionView } from '../../api/types'
import { useQuery } from '../../api/client'
import { may } from '../../api/session'
import { number, t } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Badge, Button, Card, Copy, Empty, ErrorState, Facts, Notice, Page, Skeleton, Time } from '../../ui/basics'
import { Link, type RouteProps } from '../../ui/router'
import { Table } from '../../ui/table'
import { History } from '../audit/history'
import { AssignDialog } from './assign'
import { earned, grossOf } from './list'
import { ReturnDialog } from './return'

// SalePage shows a receipt or a return: its lines, its customer, and what it earned or took.
export default function SalePage({ params }: RouteProps): JSX.Element {
  const {
    data: d,
    error,
    reload,
  } = useQuery('/api/{store}/transaction/{transaction}', { transaction: params['transaction'] })
  const [dialog, setDialog] = useState<'return' | 'assign' | null>(null)
  const back = { to: '/transactions', text: t('nav.transactions') }
  if (error && !d)
    return (
      <Page title={t('sales.one')} back={back}>
        <ErrorState error={error} retry={reload} />
      </Page>
    )
  if (!d)
    return (
      <Page title={t('sales.one')} back={back}>
        <Skeleton lines={6} />
      </Page>
    )
  const isReturn = d.documentType === 'return'
  const mayEdit = may('TRANSACTION', 'MODIFY')
  const assign = mayEdit && may('CUSTOMER') && (
    <Button icon="customers" onClick={() => setDialog('assign')}>
      {t('sales.assign')}
    </Button>
  )
  return (
    <Page
      title={d.documentNumber}
      back={back}
      badge={isReturn && <Badge tone="warning">{t('sales.return')}</Badge>}
      lead={<Time at={d.purchaseDate} />}
      actions={
        <>
          <History of={d.transactionId} />
          {mayEdit && !isReturn && (
            <Button icon="refresh" onClick={() => setDialog('return')}>
              {t('sales.takeBack')}
            </Button>
          )}
        </>
      }
    >
      {!d.customerId && (
        <Notice tone="warning" title={t('sales.nobody')}>
          <div class="stack">
            <span>{t('sales.nobodyHelp')}</span>
            {assign && <div>{assign}</div>}
          </div>
        </Notice>
      )}
      <div class="columns wide-columns">
        <Document document={d} />
        <Customer document={d} />
      </div>
      <Lines document={d} />
      {!isReturn && d.customerId && <Returns of={d} customer={d.customerId} />}
      {dialog === 'return' && <ReturnDialog sale={d} onClose={() => setDialog(null)} />}
      {dialog === 'assign' && <AssignDialog document={d} onClose={() => setDialog(null)} />}
    </Page>
  )
}

function Document({ document: d }: { document: TransactionView }): JSX.Element {
  const pos = useQuery(d.posId && may('POS') ? '/api/{store}/pos/{pos}' : null, { pos: d.posId }).data
  return (
    <Card title={t('sales.one')}>
      <Facts
        items={[
          [t('sales.gross'), <strong>{grossOf(d)}</strong>],
          [t(d.documentType === 'return' ? 'sales.pointsTaken' : 'sales.points'), earned(d)],
          [t('sales.returnOf'), d.revisedDocument],
          [t('pos.one'), pos?.name],
          [t('sales.place'), d.purchasePlace],
          [
            t('editor.labels'),
            d.labels.length > 0
              ? d.labels.map((l) => (
                  <Badge key={l.key + l.value}>
                    {l.key}: {l.value}
                  </Badge>
                ))
              : '',
          ],
          [t('customers.id'), <Copy text={d.transactionId} short />],
        ]}
      />
    </Card>
  )
}

function Customer({ document: d }: { document: TransactionView }): JSX.Element {
  const c = d.customerData
  const name = d.customerId && may('CUSTOMER') ? <Link to={`/customers/${d.customerId}`}>{c.name}</Link> : c.name
  return (
    <Card title={t('customers.one')}>
      <Facts
        items={[
          [t('customers.name'), name],
          [t('sellers.email'), c.email],
          [t('sellers.phone'), c.phone],
          [t('customers.card'), c.loyaltyCardNumber && <Copy text={c.loyaltyCardNumber} />],
          [t('sales.nip'), c.nip],
          [t('sales.matchedAt'), d.assignedToCustomerDate && <Time at={d.assignedToCustomerDate} />],
        ]}
      />
    </Card>
  )
}

function Lines({ document: d }: { document: TransactionView }): JSX.Element {
  return (
    <Table<TransactionItem>
      label={t('sales.lines')}
      rows={d.items}
      rowKey={(i) => String(d.items.indexOf(i))}
      columns={[
        {
          name: 'name',
          title: t('sales.article'),
          cell: (i) => (
            <>
              <span class="primary-line">{i.name}</span>
              <span class="second-line">{i.sku.code}</span>
            </>
          ),
        },
        { name: 'category', title: t('sales.category'), wide: true, cell: (i) => i.category },
        { name: 'quantity', title: t('sales.quantity'), number: true, cell: (i) => number(i.quantity) },
        { name: 'value', title: t('sales.lineValue'), number: true, cell: (i) => money(i.grossValue, d.currency) },
      ]}
      empty={<Empty icon="sales" title={t('table.noMatch')} />}
    />
  )
}

// Returns lists the returns of a sale, found among the latest of its customer.
function Returns({ of, customer }: { of: TransactionView; customer: string }): JSX.Element | null {
  const found =
    useQuery('/api/{store}/transaction', {
      customerId: customer,
      documentType: 'return',
      perPage: 100,
      sort: 'purchaseDate',
      direction: 'DESC',
    }).data?.transactions.filter((d) => d.revisedDocument === of.documentNumber) ?? []
  if (found.length === 0) return null
  return (
    <Card title={t('sales.returns')}>
      <ul class="receipt-list">
        {found.map((d) => (
          <li key={d.transactionId}>
            <Link to={`/transactions/${d.transactionId}`}>{d.documentNumber}</Link> <Time at={d.purchaseDate} />
            <span class="spacer" />
            <span class="number">{grossOf(d)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
