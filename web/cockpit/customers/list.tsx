import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { CustomerDetail } from '../../api/types'
import { may } from '../../api/session'
import { points, t } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Badge, ButtonLink, Empty, Page, Time } from '../../ui/basics'
import { place } from '../../ui/router'
import { List, type Column, type Filter, type ParamName } from '../../ui/table'
import { customerColumns, DownloadButton } from '../download'
import { useLevels, useSegments } from '../lookups'
import { ChooseBar, mayChoose, type Chosen } from './choose'
import { customerName } from './name'
import { Status, statusText } from './status'
import { SavedViews } from './views'
import { WaitingForActivation } from './waiting'

const columns = (chosen: Chosen, onChange: (chosen: Chosen) => void): Column<CustomerDetail>[] => [
  ...(mayChoose()
    ? [
        {
          name: 'choose',
          title: t('bulk.choose'),
          untitled: true,
          head: (rows: CustomerDetail[]) => (
            <input
              type="checkbox"
              aria-label={t('bulk.page')}
              checked={chosen === 'all' || (rows.length > 0 && rows.every((c) => chosen.has(c.customerId)))}
              disabled={chosen === 'all'}
              onChange={(event) => {
                const next = new Set(chosen === 'all' ? [] : chosen)
                for (const c of rows) {
                  if (event.currentTarget.checked) next.add(c.customerId)
                  else next.delete(c.customerId)
                }
                onChange(next)
              }}
            />
          ),
          cell: (c: CustomerDetail) => (
            <input
              type="checkbox"
              aria-label={t('bulk.chooseOne', { name: customerName(c) })}
              checked={chosen === 'all' || chosen.has(c.customerId)}
              disabled={chosen === 'all'}
              onChange={(event) => {
                const next = new Set(chosen === 'all' ? [] : chosen)
                if (event.currentTarget.checked) next.add(c.customerId)
                else next.delete(c.customerId)
                onChange(next)
              }}
            />
          ),
        },
      ]
    : []),
  {
    name: 'name',
    title: t('customers.name'),
    sort: 'lastName',
    cell: (c) => (
      <>
        <span class="primary-line">{customerName(c)}</span>
        <span class="second-line">{c.email ?? ''}</span>
      </>
    ),
  },
  { name: 'phone', title: t('customers.phone'), cell: (c) => <span class="nowrap">{c.phone}</span>, spare: true },
  {
    name: 'level',
    title: t('customers.level'),
    cell: (c) => c.level?.name && <Badge>{c.level.name}</Badge>,
    sort: 'level',
  },
  {
    name: 'points',
    title: t('points.amount'),
    cell: (c) => c.points !== undefined && points(c.points),
    sort: 'points',
    number: true,
  },
  {
    name: 'purchases',
    title: t('customers.purchases'),
    cell: (c) => points(c.transactionsCount),
    sort: 'transactionsCount',
    number: true,
    wide: true,
  },
  {
    name: 'spent',
    title: t('customers.spent'),
    cell: (c) => money(c.transactionsAmount, c.currency ?? ''),
    sort: 'spent',
    number: true,
    wide: true,
  },
  {
    name: 'last',
    title: t('customers.lastPurchase'),
    cell: (c) => <Time at={c.lastTransactionDate} only="date" />,
    sort: 'lastPurchaseAt',
    wide: true,
  },
  { name: 'status', title: t('customers.status'), cell: (c) => <Status customer={c} />, wide: true },
  {
    name: 'since',
    title: t('customers.since'),
    cell: (c) => <Time at={c.createdAt} only="date" />,
    sort: 'createdAt',
    spare: true,
  },
]

type Name = ParamName<'/api/{store}/customer'> & ParamName<'/api/{store}/csv/customer'>

export default function Customers(): JSX.Element {
  const levels = useLevels()
  const segments = useSegments()
  const [chosen, setChosen] = useState<Chosen>(new Set())
  const filtered = ['levelId', 'segmentId', 'status', 'createdAtFrom', 'createdAtTo', 'q']
    .map((name) => place.value.query.get(name))
    .join()
  useEffect(() => setChosen(new Set()), [filtered])
  const filters: Filter<Name>[] = [
    {
      name: 'status',
      title: t('customers.anyStatus'),
      options: ['active', 'new', 'blocked'].map((value) => ({ value, text: statusText(value) })),
    },
    { name: 'createdAtFrom', title: t('customers.sinceFrom') },
    { name: 'createdAtTo', title: t('customers.sinceTo') },
  ]
  if (may('SEGMENT')) {
    filters.unshift({
      name: 'segmentId',
      title: t('customers.anySegment'),
      options: segments.map((s) => ({ value: s.segmentId, text: s.name })),
    })
  }
  if (may('LEVEL')) {
    filters.unshift({
      name: 'levelId',
      title: t('customers.anyLevel'),
      options: levels.map((l) => ({ value: l.levelId, text: l.name ?? l.levelId })),
    })
  }
  const add = may('CUSTOMER', 'MODIFY') && (
    <ButtonLink kind="primary" icon="plus" to="/customers/new">
      {t('customers.add')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.allCustomers')} actions={add}>
      <WaitingForActivation>
        <List
          label={t('nav.allCustomers')}
          path="/api/{store}/customer"
          params={{ withPoints: 1 }}
          columns={columns(chosen, setChosen)}
          read={(r) => ({ rows: r.customers, total: r.total })}
          rowKey={(c) => c.customerId}
          search="q"
          searchAlone
          to={(c) => `/customers/${c.customerId}`}
          defaultSort={{ field: 'createdAt', descending: true }}
          bar={
            mayChoose()
              ? (rows, total) => (
                  <ChooseBar {...{ rows, total, chosen }} filters={filters.map((f) => f.name)} onChange={setChosen} />
                )
              : undefined
          }
          filters={filters}
          tools={<SavedViews filters={filters.map((f) => f.name)} />}
          actions={
            <DownloadButton
              path="/api/{store}/csv/customer"
              filters={filters.map((f) => f.name)}
              search="q"
              file={t('customers.file')}
              columns={customerColumns()}
            />
          }
          empty={
            <Empty icon="customers" title={t('customers.empty')} action={add}>
              {t('customers.emptyHelp')}
            </Empty>
          }
        />
      </WaitingForActivation>
    </Page>
  )
}
