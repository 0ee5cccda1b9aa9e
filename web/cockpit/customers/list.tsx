import type { JSX } from 'preact'
import type { CustomerDetail, CustomerDetailList, LevelListOfLevelView } from '../../api/types'
import { useQuery } from '../../api/client'
import { may } from '../../api/session'
import { points, t } from '../../i18n/i18n'
import { Badge, Empty, Page, Time } from '../../ui/basics'
import { List, type Column } from '../../ui/table'
import { customerName } from './name'

const columns = (): Column<CustomerDetail>[] => [
  {
    name: 'name', title: t('customers.name'), sort: 'lastName',
    cell: (c) => <><span class="primary-line">{customerName(c)}</span><span class="second-line">{c.email ?? c.phone ?? ''}</span></>,
  },
  { name: 'card', title: t('customers.card'), cell: (c) => c.loyaltyCardNumber && <code>{c.loyaltyCardNumber}</code>, wide: true },
  { name: 'level', title: t('customers.level'), cell: (c) => c.level?.name && <Badge>{c.level.name}</Badge> },
  { name: 'purchases', title: t('customers.purchases'), cell: (c) => points(c.transactionsCount), sort: 'transactionsCount', number: true, wide: true },
  { name: 'status', title: t('customers.status'), cell: (c) => <Status customer={c} />, wide: true },
  { name: 'since', title: t('customers.since'), cell: (c) => <Time at={c.createdAt} only="date" />, sort: 'createdAt', wide: true },
]

export default function Customers(): JSX.Element {
  const levels = useQuery<LevelListOfLevelView>(may('LEVEL') ? '/api/{store}/level' : null, { perPage: 100 }).data?.levels ?? []
  return (
    <Page title={t('nav.allCustomers')}>
      <List<CustomerDetail> label={t('nav.allCustomers')} path="/api/{store}/customer" columns={columns()}
        read={(r: CustomerDetailList) => ({ rows: r.customers, total: r.total })} rowKey={(c) => c.customerId} search="q"
        to={(c) => `/customers/${c.customerId}`} defaultSort={{ field: 'createdAt', descending: true }}
        filters={levels.length > 0 ? [{ name: 'levelId', title: t('customers.anyLevel'), options: levels.map((l) => ({ value: l.levelId, text: l.name ?? l.levelId })) }] : []}
        empty={<Empty icon="customers" title={t('customers.empty')}>{t('customers.emptyHelp')}</Empty>} />
    </Page>
  )
}

export function Status({ customer }: { customer: CustomerDetail }): JSX.Element {
  const type = customer.status.type
  const tone = type === 'active' ? 'success' : type === 'blocked' || type === 'deleted' ? 'danger' : 'neutral'
  const texts: Record<string, string> = {
    active: t('customers.active'), new: t('customers.new'), blocked: t('customers.blocked'), deleted: t('customers.deleted'),
  }
  return <Badge tone={tone}>{texts[type] ?? type}</Badge>
}
