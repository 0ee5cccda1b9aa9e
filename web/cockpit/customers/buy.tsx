import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { PurchaseOfferedByAdministrator } from '../../api/types'
import { useQuery, write } from '../../api/client'
import { points, t } from '../../i18n/i18n'
import { Button, Empty, ErrorState, Skeleton } from '../../ui/basics'
import { Dialog, toast } from '../../ui/dialog'
import { Checkbox, Form, NumberField, useForm } from '../../ui/form'
import { useBalance } from '../points/dialogs'

type Offer = PurchaseOfferedByAdministrator

interface Props {
  customer: { customerId: string }
  onClose: () => void
}

const notBoughtHere = ['percentage_discount_code', 'cashback', 'custom_campaign_code']

// BuyDialog shows the rewards that the customer can have, and asks before it buys one.
export function BuyDialog({ customer, onClose }: Props): JSX.Element {
  const balance = useBalance(customer.customerId)
  const offers = useQuery('/api/{store}/admin/customer/{customer}/campaign/available', {
    customer: customer.customerId,
    withoutCoupons: 1,
    perPage: 100,
  })
  const [chosen, setChosen] = useState<Offer | null>(null)
  const all = (offers.data?.campaigns ?? []).filter((o) => !notBoughtHere.includes(o.reward))
  if (chosen)
    return <ConfirmPurchase offer={chosen} customer={customer} onClose={onClose} back={() => setChosen(null)} />
  return (
    <Dialog title={t('buy.title')} onClose={onClose}>
      {offers.error && !offers.data && <ErrorState error={offers.error} retry={offers.reload} />}
      {!offers.error && !offers.data && <Skeleton lines={5} />}
      {offers.data && all.length === 0 && (
        <Empty icon="rewards" title={t('buy.none')}>
          {t('buy.noneHelp')}
        </Empty>
      )}
      {all.length > 0 && (
        <ul class="offers">
          {all.map((o) => (
            <li key={o.campaignId}>
              <div>
                <strong>{o.name}</strong>
                <span class="second-line">
                  {o.canBeBoughtByCustomer ? t(`reward.${o.reward as 'gift_code'}`) : whyNot(o, balance)}
                </span>
              </div>
              <span class="number">{priceText(o.costInPoints)}</span>
              <Button
                small
                label={t('buy.chooseNamed', { name: o.name ?? '' })}
                class="wide-label"
                onClick={() => setChosen(o)}
              >
                {t('buy.choose')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function priceText(price: number): string {
  return price === 0 ? t('preview.free') : t('preview.points', { n: price, amount: points(price) })
}

function whyNot(o: Offer, balance: number | undefined): string {
  if (o.usageLeft <= 0) return t('campaigns.soldOut')
  if (o.usageLeftForCustomer <= 0) return t('buy.limitReached')
  if (balance !== undefined && balance < o.costInPoints)
    return t('buy.missing', { points: points(o.costInPoints - balance) })
  return t('buy.notNow')
}

function ConfirmPurchase({ offer, customer, onClose, back }: Props & { offer: Offer; back: () => void }): JSX.Element {
  const balance = useBalance(customer.customerId)
  const form = useForm({ quantity: '1', withoutPoints: false }, async (values, key) => {
    const sold = await write('POST', '/api/{store}/admin/customer/{customer}/campaign/{campaign}/buy', {
      params: { customer: customer.customerId, campaign: offer.campaignId },
      body: { quantity: values.quantity, withoutPoints: values.withoutPoints ? '1' : '0' },
      key,
    })
    toast(t('buy.done', { name: offer.name ?? '', codes: sold.coupons.map((c) => c.code).join(', ') }))
    onClose()
  })
  const price = form.values.withoutPoints ? 0 : offer.costInPoints * (Number(form.values.quantity) || 0)
  return (
    <Dialog title={t('buy.confirm', { name: offer.name ?? '' })} onClose={onClose}>
      <Form form={form} save={t('buy.submit')} extra={<Button onClick={back}>{t('buy.back')}</Button>}>
        <NumberField form={form} path="quantity" label={t('buy.quantity')} whole autoFocus />
        {offer.costInPoints > 0 && (
          <Checkbox form={form} path="withoutPoints" label={t('buy.withoutPoints')} help={t('buy.withoutPointsHelp')} />
        )}
        <p>
          {t('buy.price')} <strong class="number">{priceText(price)}</strong>
          {balance !== undefined && price > 0 && (
            <span class="muted"> · {t('points.available', { points: points(balance) })}</span>
          )}
        </p>
      </Form>
    </Dialog>
  )
}
