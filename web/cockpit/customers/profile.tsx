import type { JSX } from 'preact'
import type { CustomerDetail } from '../../api/types'
import { useQuery } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Badge, Card, Copy, ErrorState, Facts, Page, Skeleton, Time } from '../../ui/basics'
import type { RouteProps } from '../../ui/router'
import { Status } from './list'
import { customerName } from './name'

export default function Profile({ params }: RouteProps): JSX.Element {
  const { data: c, error, reload } = useQuery<CustomerDetail>(`/api/{store}/customer/${params['customer']}`)
  const back = { to: '/customers', text: t('nav.allCustomers') }
  if (error && !c) return <Page title={t('customers.one')} back={back}><ErrorState error={error} retry={reload} /></Page>
  if (!c) return <Page title={t('customers.one')} back={back}><Skeleton lines={6} /></Page>
  return (
    <Page title={customerName(c)} back={back} badge={c.level?.name && <Badge tone="accent">{c.level.name}</Badge>}
      lead={[c.email, c.phone].filter(Boolean).join(' · ')}>
      <Card title={t('customers.details')}>
        <Facts items={[
          [t('customers.status'), <Status customer={c} />],
          [t('customers.card'), c.loyaltyCardNumber && <Copy text={c.loyaltyCardNumber} />],
          [t('customers.since'), <Time at={c.createdAt} />],
          [t('customers.id'), <Copy text={c.customerId} />],
        ]} />
      </Card>
    </Page>
  )
}
