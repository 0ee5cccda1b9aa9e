import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { TransferLotView, TransferView } from '../../api/types'
import { useQuery } from '../../api/client'
import { may } from '../../api/session'
import { points, t } from '../../i18n/i18n'
import { Button, Card, Empty, Time } from '../../ui/basics'
import { Menu } from '../../ui/dialog'
import { List, Table, type Column } from '../../ui/table'
import { AskChange, changeItems, changesOf, type Change } from '../points/change'
import { signed, State, types, typeText, What } from '../points/words'

type Ask = (transfer: TransferView, change: Change) => void

// PointsTab shows what is left of each lot and when it expires, and every movement of points.
export function PointsTab({ customer, onAdd }: { customer: string; onAdd: () => void }): JSX.Element {
  const lots = useQuery('/api/{store}/admin/customer/{customer}/lots', { customer })
  const [asked, setAsked] = useState<{ id: string; change: Change } | null>(null)
  const ask: Ask = (transfer, change) => setAsked({ id: transfer.pointsTransferId, change })
  const add = may('POINT_TRANSFER', 'MODIFY') && (
    <Button icon="plus" onClick={onAdd}>
      {t('points.add')}
    </Button>
  )
  const to = (p: TransferView): string => `/transfers/${p.pointsTransferId}`
  return (
    <>
      <Card title={t('points.lots')}>
        <Table<TransferLotView>
          label={t('points.lots')}
          rows={lots.data?.lots}
          error={lots.error}
          retry={lots.reload}
          loading={lots.loading}
          rowKey={(l) => l.pointsTransferId}
          to={to}
          columns={lotColumns(ask)}
          empty={<Empty icon="points" title={t('points.noLots')} action={add} />}
        />
        {lots.data && lots.data.total > lots.data.lots.length && (
          <p class="muted">{t('points.moreLots', { n: lots.data.total - lots.data.lots.length })}</p>
        )}
      </Card>
      <h2>{t('points.movements')}</h2>
      <List
        label={t('points.movements')}
        path="/api/{store}/points/transfer"
        params={{ customerId: customer }}
        columns={columns(ask)}
        to={to}
        read={(r) => ({ rows: r.transfers, total: r.total })}
        rowKey={(p) => p.pointsTransferId}
        filters={[
          {
            name: 'type',
            title: t('points.anyType'),
            options: types.map((value) => ({ value, text: typeText(value) })),
          },
        ]}
        empty={<Empty icon="points" title={t('points.noMovements')} action={add} />}
      />
      {asked && <AskChange {...asked} onClose={() => setAsked(null)} />}
    </>
  )
}

const lotColumns = (ask: Ask): Column<TransferLotView>[] => [
  {
    name: 'left',
    title: t('points.left'),
    number: true,
    cell: (l) => (
      <>
        {points(l.left)}
        {l.left !== l.value && <span class="second-line">{t('points.of', { points: points(l.value) })}</span>}
      </>
    ),
  },
  { name: 'from', title: t('points.from'), opens: true, cell: (l) => l.comment || typeText(l.type) },
  {
    name: 'expires',
    title: t('points.expires'),
    cell: (l) => (l.expiresAt ? <Time at={l.expiresAt} only="end" /> : t('points.never')),
  },
  { name: 'state', title: t('points.state'), cell: (l) => <State transfer={l} />, wide: true },
  {
    name: 'actions',
    title: '',
    cell: (l) =>
      changesOf(l).length > 0 && (
        <Menu
          label={t('points.actionsOf', { points: points(l.left) })}
          items={changeItems(l, (change) => ask(l, change))}
        />
      ),
  },
]

const columns = (ask: Ask): Column<TransferView>[] => [
  { name: 'value', title: t('points.amount'), cell: (p) => signed(p), number: true },
  { name: 'type', title: t('points.what'), opens: true, cell: (p) => <What transfer={p} /> },
  { name: 'date', title: t('points.date'), cell: (p) => <Time at={p.createdAt} />, wide: true },
  { name: 'state', title: t('points.state'), cell: (p) => <State transfer={p} />, wide: true },
  {
    name: 'actions',
    title: '',
    cell: (p) =>
      changesOf(p).includes('unblock') && (
        <Button small onClick={() => ask(p, 'unblock')}>
          {t('points.unblock')}
        </Button>
      ),
  },
]
