import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { TransferView, TransferViewList } from '../../api/types'
import { newKey, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { points, t } from '../../i18n/i18n'
import { Badge, Button, Card, Empty, Time, type Tone } from '../../ui/basics'
import { Confirm, Menu, toast } from '../../ui/dialog'
import { List, Table, type Column } from '../../ui/table'
import { apiOf } from './types'

interface Lot extends TransferView {
  left: number
}

type Change = 'cancel' | 'activate' | 'expire'

// PointsTab shows what is left of each lot and when it expires, and every movement of points.
export function PointsTab({ customer, onAdd }: { customer: string; onAdd: () => void }): JSX.Element {
  const lots = useQuery<{ lots: Lot[]; total: number }>(apiOf(customer, '/lots'))
  const [asked, setAsked] = useState<{ transfer: TransferView; change: Change } | null>(null)
  const modify = may('POINT_TRANSFER', 'MODIFY')
  const add = modify && <Button icon="plus" onClick={onAdd}>{t('points.add')}</Button>
  return (
    <>
      <Card title={t('points.lots')}>
        <Table<Lot> label={t('points.lots')} rows={lots.data?.lots} error={lots.error} retry={lots.reload} loading={lots.loading}
          rowKey={(l) => l.pointsTransferId} empty={<Empty icon="points" title={t('points.noLots')} action={add} />} columns={[
            { name: 'left', title: t('points.left'), number: true, cell: (l) => <>{points(l.left)}{l.left !== l.value && <span class="second-line">{t('points.of', { points: points(l.value) })}</span>}</> },
            { name: 'from', title: t('points.from'), cell: (l) => l.comment || typeText(l.type) },
            { name: 'expires', title: t('points.expires'), cell: (l) => l.expiresAt ? <Time at={l.expiresAt} only="date" /> : t('points.never') },
            { name: 'state', title: t('points.state'), cell: (l) => l.lockedUntil ? <Badge tone="warning">{t('points.lockedUntil')} <Time at={l.lockedUntil} only="date" /></Badge> : <Badge tone="success">{t('points.state.active')}</Badge>, wide: true },
            {
              name: 'actions', title: '', cell: (l) => modify && (
                <Menu label={t('points.actionsOf', { points: points(l.left) })} items={[
                  l.state === 'pending' && { text: t('points.activate'), onClick: () => setAsked({ transfer: l, change: 'activate' }) },
                  l.state === 'active' && { text: t('points.expire'), danger: true, onClick: () => setAsked({ transfer: l, change: 'expire' }) },
                  l.type === 'adding' && { text: t('points.cancel'), danger: true, onClick: () => setAsked({ transfer: l, change: 'cancel' }) },
                ]} />
              ),
            },
          ]} />
        {lots.data && lots.data.total > lots.data.lots.length && <p class="muted">{t('points.moreLots', { n: lots.data.total - lots.data.lots.length })}</p>}
      </Card>
      <h2>{t('points.movements')}</h2>
      <List<TransferView> label={t('points.movements')} path="/api/{store}/points/transfer" params={{ customerId: customer }}
        columns={columns(modify, (transfer) => setAsked({ transfer, change: 'cancel' }))}
        read={(r: TransferViewList) => ({ rows: r.transfers, total: r.total })} rowKey={(p) => p.pointsTransferId}
        filters={[{ name: 'type', title: t('points.anyType'), options: ['adding', 'spending', 'blocked', 'p2p_adding', 'p2p_spending'].map((value) => ({ value, text: typeText(value) })) }]}
        empty={<Empty icon="points" title={t('points.noMovements')} action={add} />} />
      {asked && <AskTransfer {...asked} onClose={() => setAsked(null)} />}
    </>
  )
}

export function typeText(type: string): string {
  return t(`points.type.${type as 'adding'}`)
}

// signed is the amount with the direction in which the points went.
export function signed(transfer: { type: string; value: number }): string {
  return `${transfer.type.endsWith('adding') ? '+' : '−'}${points(transfer.value)}`
}

const tones: Record<string, Tone> = { active: 'success', pending: 'warning', expired: 'neutral', canceled: 'danger' }

const columns = (modify: boolean, onCancel: (transfer: TransferView) => void): Column<TransferView>[] => [
  { name: 'value', title: t('points.amount'), cell: (p) => signed(p), number: true },
  { name: 'type', title: t('points.what'), cell: (p) => <><span class="primary-line">{p.comment || typeText(p.type)}</span>{p.comment && <span class="second-line">{typeText(p.type)}</span>}</> },
  { name: 'date', title: t('points.date'), cell: (p) => <Time at={p.createdAt} />, wide: true },
  { name: 'state', title: t('points.state'), cell: (p) => <Badge tone={tones[p.state]}>{t(`points.state.${p.state as 'active'}`)}</Badge>, wide: true },
  {
    name: 'actions', title: '', cell: (p) => modify && p.type === 'blocked' && p.state === 'active' && (
      <Button small onClick={() => onCancel(p)}>{t('points.unblock')}</Button>
    ),
  },
]

function AskTransfer({ transfer, change, onClose }: { transfer: TransferView; change: Change; onClose: () => void }): JSX.Element {
  const key = useRef(newKey())
  const kind = transfer.type === 'blocked' ? 'unblock' : change
  const amount = points((transfer as Lot).left ?? transfer.value)
  return (
    <Confirm title={t(`points.ask.${kind}`, { points: amount })} action={t(`points.${kind}`)} onClose={onClose}
      danger={kind === 'cancel' || kind === 'expire'}
      onConfirm={async () => {
        await write('POST', `/api/{store}/points/transfer/${transfer.pointsTransferId}/${change}`, undefined, key.current)
        toast(t('points.changed'))
      }}>
      {t(`points.askHelp.${kind}`, { points: amount })}
    </Confirm>
  )
}
