import type { JSX } from 'preact'
import type { CampaignFull, CustomerSummary } from '../../api/types'
import { may } from '../../api/session'
import { points, t } from '../../i18n/i18n'
import { Badge, Empty, Time } from '../../ui/basics'
import { List } from '../../ui/table'
import { customerName } from '../customers/name'

// Buyers lists who bought the campaign.
export function Buyers({ campaign: c }: { campaign: CampaignFull }): JSX.Element {
  return (
    <List
      label={t('campaigns.buyersTab')}
      path="/api/{store}/campaign/{campaign}/bought"
      params={{ campaign: c.campaignId }}
      read={(r) => ({ rows: r.boughtCampaigns, total: r.total })}
      rowKey={(b) => b.coupon.id ?? b.coupon.code}
      to={may('CUSTOMER') ? (b) => `/customers/${b.customerId}` : undefined}
      columns={[
        {
          name: 'customer',
          title: t('customers.name'),
          cell: (b) => (
            <>
              <span class="primary-line">
                {customerName({
                  firstName: b.customerName,
                  lastName: b.customerLastname,
                  email: b.customerEmail,
                  phone: b.customerPhone,
                })}
              </span>
              <span class="second-line">{b.customerEmail}</span>
            </>
          ),
        },
        { name: 'at', title: t('campaigns.boughtAt'), cell: (b) => <Time at={b.purchasedAt} /> },
        { name: 'code', title: t('editor.singleCode'), wide: true, cell: (b) => <code>{b.coupon.code}</code> },
        { name: 'cost', title: t('campaigns.price'), number: true, wide: true, cell: (b) => points(b.costInPoints) },
        {
          name: 'used',
          title: t('campaigns.state'),
          wide: true,
          cell: (b) =>
            b.used ? <Badge>{t('campaigns.used')}</Badge> : <Badge tone="success">{t('campaigns.usable')}</Badge>,
        },
      ]}
      empty={<Empty icon="customers" title={t('campaigns.nobodyBought')} />}
    />
  )
}

// Audience lists the customers who see the campaign.
export function Audience({ campaign: c }: { campaign: CampaignFull }): JSX.Element {
  return (
    <List
      label={t('editor.audience')}
      path="/api/{store}/campaign/{campaign}/customers/visible"
      params={{ campaign: c.campaignId }}
      read={(r: { customers: CustomerSummary[]; total: number }) => ({ rows: r.customers, total: r.total })}
      rowKey={(row) => row.customerId}
      to={may('CUSTOMER') ? (row) => `/customers/${row.customerId}` : undefined}
      columns={[
        {
          name: 'name',
          title: t('customers.name'),
          cell: (row) => (
            <>
              <span class="primary-line">{customerName(row)}</span>
              <span class="second-line">{row.email ?? ''}</span>
            </>
          ),
        },
        {
          name: 'card',
          title: t('customers.card'),
          wide: true,
          cell: (row) => row.loyaltyCardNumber && <code>{row.loyaltyCardNumber}</code>,
        },
      ]}
      empty={
        <Empty icon="customers" title={t('campaigns.nobodySees')}>
          {t('campaigns.nobodySeesHelp')}
        </Empty>
      }
    />
  )
}
