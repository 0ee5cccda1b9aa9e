import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { PurchaseBought } from '../../api/types'
import { newKey, write } from '../../api/client'
import { may } from '../../api/session'
import { points, t } from '../../i18n/i18n'
import { Badge, Button, Copy, Empty, Time } from '../../ui/basics'
import { Confirm, Dialog, toast } from '../../ui/dialog'
import { Form, SelectField, useForm } from '../../ui/form'
import { Table } from '../../ui/table'
import { canCancel, CancelPurchase } from '../bought/cancel'
import { deliveryStates, isDelivery, type DeliveryState } from '../bought/delivery'
import { useTimeline } from './cursor'

// Coupons lists what a customer bought, the newest first, with what can be done with each.
export function Coupons({ customer, onBuy }: { customer: string; onBuy: () => void }): JSX.Element {
  const { first, entries, more, busy } = useTimeline(customer, 'purchase', 50)
  const [asked, setAsked] = useState<PurchaseBought | null>(null)
  const [delivery, setDelivery] = useState<PurchaseBought | null>(null)
  const [cancelling, setCancelling] = useState<PurchaseBought | null>(null)
  const modify = may('REWARD_CAMPAIGN', 'MODIFY')
  const rows = first.data && entries.map((e) => e.data as PurchaseBought)
  return (
    <>
      <Table<PurchaseBought>
        label={t('tab.coupons')}
        rows={rows}
        error={first.error}
        retry={first.reload}
        loading={first.loading}
        rowKey={(b) => b.coupon.id || b.purchasedAt}
        empty={
          <Empty
            icon="coupon"
            title={t('coupons.empty')}
            action={
              modify && (
                <Button icon="rewards" onClick={onBuy}>
                  {t('buy.title')}
                </Button>
              )
            }
          />
        }
        columns={[
          {
            name: 'reward',
            title: t('coupons.reward'),
            cell: (b) => (
              <>
                <span class="primary-line">{b.campaignName}</span>
                {b.coupon.code && (
                  <span class="second-line">
                    <Copy text={b.coupon.code} />
                  </span>
                )}
              </>
            ),
          },
          {
            name: 'bought',
            title: t('coupons.bought'),
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
            wide: true,
          },
          {
            name: 'state',
            title: t('coupons.state'),
            cell: (b) => (
              <div class="row">
                <div>
                  <CouponState coupon={b} />
                  <Delivery coupon={b} onChange={modify ? setDelivery : undefined} />
                </div>
                {modify && canCancel(b) && (
                  <div class="row">
                    {(b.canBeUsed || b.used) && (
                      <Button small onClick={() => setAsked(b)}>
                        {b.used ? t('coupons.unuse') : t('coupons.use')}
                      </Button>
                    )}
                    {!b.used && (
                      <Button small kind="plain" onClick={() => setCancelling(b)}>
                        {t('coupons.cancel')}
                      </Button>
                    )}
                  </div>
                )}
              </div>
            ),
          },
        ]}
      />
      {more && (
        <div>
          <Button busy={busy} onClick={busy ? undefined : () => void more()}>
            {t('timeline.more')}
          </Button>
        </div>
      )}
      {asked && <AskUse coupon={asked} onClose={() => setAsked(null)} />}
      {delivery && (
        <DeliveryDialog
          coupon={delivery}
          customer={customer}
          onClose={() => setDelivery(null)}
          onCanceled={() => canCancel(delivery) && setCancelling(delivery)}
        />
      )}
      {cancelling && <CancelPurchase bought={cancelling} onClose={() => setCancelling(null)} />}
    </>
  )
}

// Delivery is the state of what is sent, a button for those who may change it.
function Delivery({
  coupon: b,
  onChange,
}: {
  coupon: PurchaseBought
  onChange: ((b: PurchaseBought) => void) | undefined
}): JSX.Element | null {
  if (!isDelivery(b)) return null
  const text = t('timeline.delivery', { status: t(`coupons.delivery.${b.deliveryStatus.status as 'ordered'}`) })
  return (
    <span class="second-line">
      {onChange ? (
        <button type="button" class="text-button" onClick={() => onChange(b)}>
          {text}
        </button>
      ) : (
        text
      )}
    </span>
  )
}

export function CouponState({ coupon: b }: { coupon: PurchaseBought }): JSX.Element {
  if (b.used)
    return (
      <Badge>
        {t('coupons.used')} <Time at={b.usageDate} only="date" />
      </Badge>
    )
  if (b.status === 'cancelled' || b.status === 'canceled') return <Badge tone="danger">{t('coupons.cancelled')}</Badge>
  if (b.status === 'expired')
    return (
      <Badge tone="danger">
        {t('coupons.expired')} <Time at={b.activeTo} only="end" />
      </Badge>
    )
  if (b.status === 'inactive')
    return (
      <Badge tone="accent">
        {t('coupons.from')} <Time at={b.activeSince} only="begin" />
      </Badge>
    )
  return b.activeTo ? (
    <Badge tone="success">
      {t('coupons.until')} <Time at={b.activeTo} only="end" />
    </Badge>
  ) : (
    <Badge tone="success">{t('coupons.usable')}</Badge>
  )
}

function AskUse({ coupon: b, onClose }: { coupon: PurchaseBought; onClose: () => void }): JSX.Element {
  const key = useRef(newKey())
  const values = { name: b.campaignName, code: b.coupon.code }
  const kind = b.used ? 'unuse' : 'use'
  return (
    <Confirm
      title={t(`coupons.ask.${kind}`, values)}
      action={t(`coupons.${kind}`)}
      danger={false}
      onClose={onClose}
      onConfirm={async () => {
        await write('POST', '/api/{store}/admin/campaign/coupons/mark_as_used', {
          body: {
            coupons: [
              {
                campaignId: b.campaignId,
                couponId: b.coupon.id,
                code: b.coupon.code,
                customerId: b.customerId,
                used: b.used ? '0' : '1',
              },
            ],
          },
          key: key.current,
        })
        toast(t(`coupons.done.${kind}`, values))
      }}
    >
      {t(`coupons.askHelp.${kind}`, values)}
    </Confirm>
  )
}

// DeliveryDialog changes how far a delivery is. A cancelled one asks whether the purchase is cancelled, too.
function DeliveryDialog({
  coupon: b,
  customer,
  onClose,
  onCanceled,
}: {
  coupon: PurchaseBought
  customer: string
  onClose: () => void
  onCanceled: () => void
}): JSX.Element {
  const form = useForm({ status: b.deliveryStatus.status as DeliveryState }, async (values, key) => {
    await write('PUT', '/api/{store}/admin/customer/{customer}/bought/coupon/{coupon}/changeDeliveryStatus', {
      params: { customer, coupon: b.coupon.id },
      body: { deliveryStatus: values },
      key,
    })
    toast(t('coupons.deliverySaved', { name: b.campaignName }))
    onClose()
    if (values.status === 'canceled') onCanceled()
  })
  return (
    <Dialog title={t('coupons.deliveryOf', { name: b.campaignName })} onClose={onClose}>
      <Form form={form} cancel={onClose}>
        <SelectField
          form={form}
          path="status"
          label={t('coupons.delivery')}
          options={deliveryStates.map((value) => ({ value, text: t(`coupons.delivery.${value}`) }))}
        />
      </Form>
    </Dialog>
  )
}
