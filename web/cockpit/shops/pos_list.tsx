import type { JSX } from 'preact'
import type { PosView } from '../../api/types'
import { may } from '../../api/session'
import { number, t } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { ButtonLink, Card, Empty, Page } from '../../ui/basics'
import { List, type Column } from '../../ui/table'
import { TillList } from '../../ui/tills'

const columns = (): Column<PosView>[] => [
  {
    name: 'name',
    title: t('pos.name'),
    sort: 'name',
    cell: (p) => (
      <>
        <span class="primary-line">{p.name}</span>
        <span class="second-line">{addressOf(p)}</span>
      </>
    ),
  },
  {
    name: 'identifier',
    title: t('pos.identifier'),
    sort: 'identifier',
    wide: true,
    cell: (p) => <code>{p.identifier}</code>,
  },
  {
    name: 'count',
    title: t('pos.sales'),
    sort: 'transactionsCount',
    number: true,
    wide: true,
    cell: (p) => number(p.transactionsCount),
  },
  {
    name: 'amount',
    title: t('pos.amount'),
    sort: 'transactionsAmount',
    number: true,
    cell: (p) => money(p.transactionsAmount, p.currency),
  },
]

// addressOf is the address in one line.
export function addressOf(p: PosView): string {
  const { street, address1, postal, city } = p.location
  return [[street, address1].filter(Boolean).join(' '), [postal, city].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ')
}

export default function PointsOfSale(): JSX.Element {
  const mayEdit = may('POS', 'MODIFY')
  const create = mayEdit && (
    <ButtonLink kind="primary" icon="plus" to="/points-of-sale/new">
      {t('pos.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.pointsOfSale')} actions={create}>
      <List
        label={t('nav.pointsOfSale')}
        path="/api/{store}/pos"
        columns={columns()}
        rowKey={(p) => p.posId}
        read={(r) => ({ rows: r.pos, total: r.total })}
        defaultSort={{ field: 'name', descending: false }}
        to={mayEdit ? (p) => `/points-of-sale/${p.posId}` : undefined}
        empty={
          <Empty icon="shops" title={t('pos.empty')} action={create}>
            {t('pos.emptyHelp')}
          </Empty>
        }
      />
      <Card title={t('tills.title')}>
        <TillList mayRevoke={mayEdit} />
      </Card>
    </Page>
  )
}
