import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { TransferDetail, TransferTakenLot } from '../../api/types'
import { useQuery } from '../../api/client'
import { may } from '../../api/session'
import { points, t } from '../../i18n/i18n'
import { Button, Card, Copy, ErrorState, Facts, Page, Skeleton, Time } from '../../ui/basics'
import { Link, type RouteProps } from '../../ui/router'
import { Table } from '../../ui/table'
import { customerName } from '../customers/name'
import { AskChange, changesOf, transferOwner, type Change } from './change'
import { isLot, signed, State, typeText, What } from './words'

// TransferPage tells where the points of a transfer came from or went to.
export default function TransferPage({ params }: RouteProps): JSX.Element {
  const id = params['transfer']!
  const { data: p, error, reload } = useQuery('/api/{store}/points/transfer/{transfer}', { transfer: id })
  const [asked, setAsked] = useState<Change | null>(null)
  const back = { to: '/transfers', text: t('nav.transfers') }
  if (error && !p)
    return (
      <Page title={t('points.one')} back={back}>
        <ErrorState error={error} retry={reload} />
      </Page>
    )
  if (!p)
    return (
      <Page title={t('points.one')} back={back}>
        <Skeleton lines={6} />
      </Page>
    )
  return (
    <Page
      title={t('points.signed', { points: signed(p) })}
      back={back}
      badge={<State transfer={p} />}
      lead={p.comment || typeText(p.type)}
      actions={changesOf(p).map((change) => (
        <Button key={change} onClick={() => setAsked(change)}>
          {t(`points.${change}`)}
        </Button>
      ))}
    >
      <div class="columns">
        <Movement transfer={p} />
        <Behind transfer={p} />
      </div>
      {p.lots && <TakenFrom lots={p.lots} />}
      {asked && <AskChange id={id} change={asked} onClose={() => setAsked(null)} />}
    </Page>
  )
}

function Movement({ transfer: p }: { transfer: TransferDetail }): JSX.Element {
  return (
    <Card title={t('points.one')}>
      <Facts
        items={[
          [t('points.what'), typeText(p.type)],
          [t('points.amount'), <strong class="number">{signed(p)}</strong>],
          [
            t('points.left'),
            p.left !== undefined && t('points.leftOf', { left: points(p.left), value: points(p.value) }),
          ],
          [t('points.lost'), p.expiredPoints !== undefined && points(p.expiredPoints)],
          [t('points.date'), <Time at={p.createdAt} />],
          [t('points.lockedUntil'), p.lockedUntil && <Time at={p.lockedUntil} />],
          [
            t(p.state === 'expired' ? 'points.expiredAt' : 'points.expires'),
            isLot(p) && (p.expiresAt ? <Time at={p.expiresAt} /> : t('points.never')),
          ],
          [t('points.comment'), p.comment],
          [t('points.by'), t(`points.by.${p.issuer as 'admin'}`)],
          [t('customers.id'), <Copy text={p.pointsTransferId} short />],
        ]}
      />
    </Card>
  )
}

// Behind shows whose points they are, and the receipt, purchase or other customer that made them move.
function Behind({ transfer: p }: { transfer: TransferDetail }): JSX.Element {
  const other = p.senderId ?? p.receiverId
  const facts: [string, ComponentChildren][] = [
    [t('customers.name'), <CustomerLink id={p.customerId}>{customerName(transferOwner(p))}</CustomerLink>],
    [t('customers.email'), p.customerEmail],
    [t('customers.phone'), p.customerPhone],
    [t('customers.card'), p.customerLoyaltyCardNumber && <Copy text={p.customerLoyaltyCardNumber} />],
    [t(p.senderId ? 'points.sender' : 'points.receiver'), other && <OtherCustomer id={other} />],
    [
      t('sales.one'),
      p.transactionId && (
        <ReceiptLink id={p.transactionId.transactionId}>{p.transactionDocumentNumber ?? t('points.show')}</ReceiptLink>
      ),
    ],
    [
      t('sales.returnOf'),
      p.revisedTransactionId && <ReceiptLink id={p.revisedTransactionId.transactionId}>{t('points.show')}</ReceiptLink>,
    ],
    [t('pos.one'), p.posName],
    [
      t('points.purchase'),
      p.purchase &&
        (may('REWARD_CAMPAIGN') ? (
          <Link to={`/campaigns/${p.purchase.campaignId}`}>{p.purchase.campaignName}</Link>
        ) : (
          p.purchase.campaignName
        )),
    ],
  ]
  return (
    <Card title={t('customers.one')}>
      <Facts items={facts} />
    </Card>
  )
}

function CustomerLink({ id, children }: { id: string; children: ComponentChildren }): JSX.Element {
  return may('CUSTOMER') ? (
    <Link to={`/customers/${id}`} query={{ tab: 'points' }}>
      {children}
    </Link>
  ) : (
    <>{children}</>
  )
}

function OtherCustomer({ id }: { id: string }): JSX.Element | null {
  const { data: c, error } = useQuery(may('CUSTOMER') ? '/api/{store}/customer/{customer}' : null, { customer: id })
  if (c) return <CustomerLink id={id}>{customerName(c)}</CustomerLink>
  return may('CUSTOMER') && !error ? null : <>{t('customers.unnamed')}</>
}

function ReceiptLink({ id, children }: { id: string; children: ComponentChildren }): JSX.Element {
  return may('TRANSACTION') ? <Link to={`/transactions/${id}`}>{children}</Link> : <>{children}</>
}

// TakenFrom lists the lots that a transfer took points from.
function TakenFrom({ lots }: { lots: TransferTakenLot[] }): JSX.Element {
  return (
    <Card title={t('points.takenFrom')}>
      <Table<TransferTakenLot>
        label={t('points.takenFrom')}
        rows={lots}
        rowKey={(l) => l.pointsTransferId}
        empty={null}
        to={(l) => `/transfers/${l.pointsTransferId}`}
        columns={[
          { name: 'from', title: t('points.from'), cell: (l) => <What transfer={l} /> },
          { name: 'added', title: t('points.date'), cell: (l) => <Time at={l.createdAt} only="date" />, wide: true },
          {
            name: 'expires',
            title: t('points.expires'),
            cell: (l) => (l.expiresAt ? <Time at={l.expiresAt} only="end" /> : t('points.never')),
          },
          { name: 'state', title: t('points.state'), cell: (l) => <State transfer={l} />, wide: true },
          { name: 'value', title: t('points.amount'), cell: (l) => points(l.value), number: true },
        ]}
      />
    </Card>
  )
}
