import type { JSX } from 'preact'
import type { SellerView } from '../../api/types'
import { write } from '../../api/client'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { ButtonLink, Empty, Page } from '../../ui/basics'
import { toast, toastFailure } from '../../ui/dialog'
import { Switch } from '../../ui/form'
import { List, type Column } from '../../ui/table'

// setActive lets a seller sign in, or ends all of their sessions.
export async function setActive(s: SellerView, on: boolean): Promise<void> {
  try {
    await write('POST', `/api/{store}/seller/{seller}/${on ? 'activate' : 'deactivate'}`, {
      params: { seller: s.sellerId },
    })
    toast(t(on ? 'sellers.switchedOn' : 'sellers.switchedOff', { name: s.name }))
  } catch (error) {
    toastFailure(error)
    throw error
  }
}

const columns = (): Column<SellerView>[] => [
  {
    name: 'name',
    title: t('sellers.name'),
    sort: 'lastName',
    cell: (s) => (
      <>
        <span class="primary-line">{s.name}</span>
        <span class="second-line">{s.email}</span>
      </>
    ),
  },
  {
    name: 'pos',
    title: t('pos.one'),
    wide: true,
    cell: (s) => (
      <>
        {s.posName}
        <span class="second-line">{s.posCity}</span>
      </>
    ),
  },
  { name: 'may', title: t('sellers.may'), wide: true, cell: (s) => <Allowed seller={s} /> },
  {
    name: 'active',
    title: t('sellers.active'),
    sort: 'active',
    cell: (s) => (
      <Switch
        hideLabel
        label={t('sellers.activeLabel', { name: s.name })}
        checked={s.active}
        disabled={!may('SELLER', 'MODIFY')}
        onChange={(on) => setActive(s, on)}
      />
    ),
  },
]

function Allowed({ seller: s }: { seller: SellerView }): JSX.Element {
  const all = [
    s.allowTransactions && t('sellers.mayReceipts'),
    s.allowCouponUse && t('sellers.mayUse'),
    s.allowCouponLookup && t('sellers.mayLookUp'),
    s.allowPointTransfer && t('sellers.mayPoints'),
    s.allowCouponCancel && t('sellers.mayCancel'),
  ].filter((text): text is string => !!text)
  if (all.length === 0) return <span class="muted">–</span>
  return <span class="muted">{all.join(' · ')}</span>
}

export default function Sellers(): JSX.Element {
  const mayEdit = may('SELLER', 'MODIFY')
  const create = mayEdit && (
    <ButtonLink kind="primary" icon="plus" to="/sellers/new">
      {t('sellers.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.sellers')} actions={create}>
      <List
        label={t('nav.sellers')}
        path="/api/{store}/seller"
        columns={columns()}
        rowKey={(s) => s.sellerId}
        read={(r) => ({ rows: r.sellers, total: r.total })}
        search="lastName"
        searchLabel={t('sellers.search')}
        to={mayEdit ? (s) => `/sellers/${s.sellerId}` : undefined}
        defaultSort={{ field: 'lastName', descending: false }}
        empty={
          <Empty icon="shops" title={t('sellers.empty')} action={create}>
            {t('sellers.emptyHelp')}
          </Empty>
        }
      />
    </Page>
  )
}
