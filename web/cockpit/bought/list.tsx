import type { JSX } from 'preact'
import type { AnyParams } from '../../api/calls'
import type { PurchaseBought } from '../../api/types'
import { write } from '../../api/client'
import { may } from '../../api/session'
import { points, t } from '../../i18n/i18n'
import { ButtonLink, Copy, Empty, Page, Time } from '../../ui/basics'
import { toast, toastFailure } from '../../ui/dialog'
import { Switch } from '../../ui/form'
import { href, place } from '../../ui/router'
import { endOfDay, List, type Column, type Filter, type ParamName } from '../../ui/table'
import { CouponState } from '../customers/coupons'
import { DownloadButton } from '../download'
import { customerName } from '../customers/name'
import { CustomerFilter } from '../customers/search'
import { DeliverySelect, deliveryStates } from './delivery'
import { RewardFilter } from './filters'

// setUsed marks a coupon as used or not used.
async function setUsed(b: PurchaseBought, on: boolean): Promise<void> {
  const values = { name: b.campaignName, code: b.coupon.code }
  try {
    await write('POST', '/api/{store}/admin/campaign/coupons/mark_as_used', {
      body: {
        coupons: [
          {
            campaignId: b.campaignId,
            couponId: b.coupon.id,
            code: b.coupon.code,
            customerId: b.customerId,
            used: on ? '1' : '0',
          },
        ],
      },
    })
    toast(t(on ? 'coupons.done.use' : 'coupons.done.unuse', values))
  } catch (error) {
    toastFailure(error)
    throw error
  }
}

function Customer({ of: b }: { of: PurchaseBought }): JSX.Element {
  const name = customerName({
    firstName: b.customerName,
    lastName: b.customerLastname,
    email: b.customerEmail,
    phone: b.customerPhone,
  })
  return (
    <>
      <span class="primary-line buyer">
        {may('CUSTOMER') ? (
          <a class="row-link" href={href(`/customers/${b.customerId}`)}>
            {name}
          </a>
        ) : (
          name
        )}
      </span>
      <span class="second-line contact">{b.customerEmail ?? b.customerPhone ?? ''}</span>
    </>
  )
}

const columns = (mayModify: boolean): Column<PurchaseBought>[] => [
  {
    name: 'reward',
    title: t('coupons.reward'),
    cell: (b) => (
      <>
        <span class="primary-line">
          <a class="row-link" href={href(`/campaigns/${b.campaignId}`)}>
            {b.campaignName}
          </a>
        </span>
        {b.coupon.code && (
          <span class="second-line row-code">
            <Copy text={b.coupon.code} />
          </span>
        )}
      </>
    ),
  },
  { name: 'customer', title: t('customers.one'), cell: (b) => <Customer of={b} /> },
  {
    name: 'bought',
    title: t('coupons.bought'),
    sort: 'purchasedAt',
    wide: true,
    cell: (b) => (
      <>
        <span class="nowrap">
          <Time at={b.purchasedAt} only="date" />
        </span>
        <span class="second-line">
          {b.costInPoints > 0
            ? t('preview.points', { n: b.costInPoints, amount: points(b.costInPoints) })
            : t('preview.free')}
        </span>
      </>
    ),
  },
  { name: 'state', title: t('coupons.state'), wide: true, cell: (b) => <CouponState coupon={b} /> },
  {
    name: 'used',
    title: t('bought.used'),
    cell: (b) =>
      b.campaignType !== 'cashback' && (
        <Switch
          hideLabel
          label={t('bought.usedLabel', { code: b.coupon.code || b.campaignName })}
          checked={b.used}
          disabled={!mayModify || !(b.used || b.canBeUsed)}
          onChange={(on) => setUsed(b, on)}
        />
      ),
  },
  {
    name: 'delivery',
    title: t('coupons.delivery'),
    wide: true,
    cell: (b) => <DeliverySelect bought={b} mayModify={mayModify} />,
  },
]

const filters = (): Filter<
  ParamName<'/api/{store}/campaign/bought'> & ParamName<'/api/{store}/campaign/bought/export/csv'>
>[] => [
  {
    name: 'campaignId',
    title: t('bought.anyReward'),
    field: (value, onChange) => <RewardFilter value={value} onChange={onChange} />,
  },
  ...(may('CUSTOMER')
    ? [
        {
          name: 'customerId' as const,
          title: t('customers.anyCustomer'),
          field: (value: string, onChange: (value: string) => void) => (
            <CustomerFilter value={value} onChange={onChange} />
          ),
        },
      ]
    : []),
  {
    name: 'used',
    title: t('bought.usedOrNot'),
    options: [
      { value: '1', text: t('bought.used') },
      { value: '0', text: t('bought.notUsed') },
    ],
  },
  {
    name: 'deliveryStatus',
    title: t('bought.anyDelivery'),
    options: deliveryStates.map((value) => ({ value, text: t(`coupons.delivery.${value}`) })),
  },
  { name: 'purchasedAtFrom', title: t('bought.from') },
  { name: 'purchasedAtTo', title: t('bought.to'), send: endOfDay },
]

// Bought lists the rewards that customers have bought, the newest first.
export default function Bought(): JSX.Element {
  return (
    <Page title={t('nav.bought')}>
      <List
        label={t('nav.bought')}
        path="/api/{store}/campaign/bought"
        columns={columns(may('REWARD_CAMPAIGN', 'MODIFY'))}
        read={(r) => ({ rows: r.boughtCampaigns, total: r.total })}
        rowKey={(b) => b.coupon.id}
        search="code"
        searchLabel={t('bought.code')}
        filters={filters()}
        actions={
          <DownloadButton
            path="/api/{store}/campaign/bought/export/csv"
            filters={[]}
            asked={asked}
            search="code"
            file={t('bought.file')}
          />
        }
        defaultSort={{ field: 'purchasedAt', descending: true }}
        empty={
          <Empty
            icon="coupon"
            title={t('coupons.empty')}
            action={
              <ButtonLink icon="rewards" to="/campaigns">
                {t('bought.toCampaigns')}
              </ButtonLink>
            }
          >
            {t('bought.emptyHelp')}
          </Empty>
        }
      />
    </Page>
  )
}

// asked returns the filters of the list as the export takes them.
function asked(): AnyParams {
  const query = place.value.query
  return Object.fromEntries(
    filters().map((f) => {
      const value = query.get(f.name)
      return [f.name, value && f.send ? f.send(value) : value]
    }),
  )
}
