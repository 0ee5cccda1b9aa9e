import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { TransferView } from '../../api/types'
import { may } from '../../api/session'
import { clock, t } from '../../i18n/i18n'
import { Button, Empty, Page, Time } from '../../ui/basics'
import { List, type Column, type Filter, type ParamName } from '../../ui/table'
import { customerName } from '../customers/name'
import { CustomerFilter } from '../customers/search'
import { DownloadButton } from '../download'
import { Ahead } from './ahead'
import { transferOwner } from './change'
import { PointsDialog } from './dialogs'
import { signed, State, states, stateText, types, typeText } from './words'

// The order of creation needs no sorting, however many transfers there are.
const columns = (): Column<TransferView>[] => [
  {
    name: 'customer',
    title: t('customers.one'),
    cell: (p) => (
      <>
        <span class="primary-line">{customerName(transferOwner(p))}</span>
        <span class="second-line">{p.comment}</span>
      </>
    ),
  },
  { name: 'type', title: t('points.what'), cell: (p) => typeText(p.type), wide: true },
  {
    name: 'date',
    title: t('points.date'),
    sort: 'pointsTransferId',
    cell: (p) => (
      <>
        <span class="nowrap">
          <Time at={p.createdAt} only="date" />
        </span>
        <span class="second-line">{clock(p.createdAt)}</span>
      </>
    ),
  },
  {
    name: 'expires',
    title: t('points.expires'),
    cell: (p) => p.expiresAt && <Time at={p.expiresAt} only="end" />,
    wide: true,
  },
  { name: 'state', title: t('points.state'), cell: (p) => <State transfer={p} />, wide: true },
  { name: 'value', title: t('points.amount'), cell: (p) => signed(p), number: true },
]

type Name = ParamName<'/api/{store}/points/transfer'> & ParamName<'/api/{store}/csv/points/transfer'>

function filters(): Filter<Name>[] {
  const all: Filter<Name>[] = [
    { name: 'type', title: t('points.anyType'), options: types.map((value) => ({ value, text: typeText(value) })) },
    { name: 'state', title: t('points.anyState'), options: states.map((value) => ({ value, text: stateText(value) })) },
    { name: 'createdAtFrom', title: t('editor.from') },
    { name: 'createdAtTo', title: t('editor.to') },
  ]
  const ofCustomer: Filter<Name> = {
    name: 'customerId',
    title: t('customers.one'),
    field: (value, onChange) => <CustomerFilter value={value} onChange={onChange} />,
  }
  return may('CUSTOMER') ? [ofCustomer, ...all] : all
}

// Transfers lists every movement of points.
export default function Transfers(): JSX.Element {
  const [dialog, setDialog] = useState<'add' | 'spend' | null>(null)
  const modify = may('POINT_TRANSFER', 'MODIFY') && may('CUSTOMER')
  const add = modify && (
    <Button kind="primary" icon="plus" onClick={() => setDialog('add')}>
      {t('points.add')}
    </Button>
  )
  const shown = filters()
  return (
    <Page
      title={t('nav.transfers')}
      actions={
        <>
          <DownloadButton
            path="/api/{store}/csv/points/transfer"
            filters={shown.map((f) => f.name)}
            file={t('points.file')}
          />
          {modify && <Button onClick={() => setDialog('spend')}>{t('points.spend')}</Button>}
          {add}
        </>
      }
    >
      <Ahead />
      <List
        label={t('nav.transfers')}
        path="/api/{store}/points/transfer"
        columns={columns()}
        read={(r) => ({ rows: r.transfers, total: r.total })}
        rowKey={(p) => p.pointsTransferId}
        to={(p) => `/transfers/${p.pointsTransferId}`}
        defaultSort={{ field: 'pointsTransferId', descending: true }}
        filters={shown}
        empty={
          <Empty icon="points" title={t('points.noMovements')} action={add}>
            {t('points.noMovementsHelp')}
          </Empty>
        }
      />
      {dialog && <PointsDialog kind={dialog} onClose={() => setDialog(null)} />}
    </Page>
  )
}
