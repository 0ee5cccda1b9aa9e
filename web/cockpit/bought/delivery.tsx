import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { PurchaseBought } from '../../api/types'
import { write } from '../../api/client'
import { t } from '../../i18n/i18n'
import { toast, toastFailure } from '../../ui/dialog'
import { canCancel, CancelPurchase } from './cancel'

export const deliveryStates = ['ordered', 'shipped', 'delivered', 'canceled'] as const

export type DeliveryState = (typeof deliveryStates)[number]

// isDelivery reports whether there is a delivery to speak of. The server calls everything ordered that is used; of what
// is not sent, such as vouchers, that means nothing.
export function isDelivery({ campaignType, deliveryStatus: { status } }: PurchaseBought): boolean {
  return Boolean(status) && (campaignType === 'gift_code' || status !== 'ordered')
}

// DeliverySelect changes how far a delivery is at once, and back with a message if the server refuses. Rewards that
// nobody has ordered yet have none. A cancelled delivery asks whether the purchase is cancelled, too.
export function DeliverySelect({
  bought: b,
  mayModify,
}: {
  bought: PurchaseBought
  mayModify: boolean
}): JSX.Element | null {
  const stored = b.deliveryStatus.status
  const [chosen, setChosen] = useState<string | null>(null)
  const [cancelling, setCancelling] = useState(false)
  useMemo(() => setChosen(null), [stored])
  if (!isDelivery(b)) return null
  const shown = chosen ?? stored
  if (!mayModify) return <>{t(`coupons.delivery.${shown as 'ordered'}`)}</>
  const change = async (status: DeliveryState): Promise<void> => {
    setChosen(status)
    try {
      await write('PUT', '/api/{store}/admin/customer/{customer}/bought/coupon/{coupon}/changeDeliveryStatus', {
        params: { customer: b.customerId, coupon: b.coupon.id },
        body: { deliveryStatus: { status } },
      })
      toast(t('coupons.deliverySaved', { name: b.campaignName }))
      setCancelling(status === 'canceled' && canCancel(b))
    } catch (error) {
      setChosen(null)
      toastFailure(error)
    }
  }
  return (
    <>
      <select
        class="input delivery"
        aria-label={t('coupons.deliveryOf', { name: `${b.campaignName} ${b.coupon.code}`.trim() })}
        value={shown}
        onChange={(event) => void change(event.currentTarget.value as DeliveryState)}
      >
        {deliveryStates.map((value) => (
          <option key={value} value={value} selected={value === shown}>
            {t(`coupons.delivery.${value}`)}
          </option>
        ))}
      </select>
      {cancelling && <CancelPurchase bought={b} onClose={() => setCancelling(false)} />}
    </>
  )
}
