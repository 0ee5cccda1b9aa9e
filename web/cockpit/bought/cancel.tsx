import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import type { PurchaseBought } from '../../api/types'
import { newKey, write } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Confirm, toast } from '../../ui/dialog'

// canCancel reports whether a purchase can be cancelled, as far as the page knows: the server also knows for how long.
export function canCancel(b: PurchaseBought): boolean {
  return b.campaignType !== 'cashback' && (b.used || b.status === 'active' || b.status === 'inactive')
}

// CancelPurchase asks before it cancels a purchase. A used coupon is set back to unused first.
export function CancelPurchase({ bought: b, onClose }: { bought: PurchaseBought; onClose: () => void }): JSX.Element {
  const keys = useRef([newKey(), newKey()] as const)
  const values = { name: b.campaignName, code: b.coupon.code }
  return (
    <Confirm
      title={t('coupons.ask.cancel', values)}
      action={t('coupons.cancel')}
      onClose={onClose}
      onConfirm={async () => {
        const [unuse, cancel] = keys.current
        if (b.used) {
          await write('POST', '/api/{store}/admin/campaign/coupons/mark_as_used', {
            body: {
              coupons: [
                {
                  campaignId: b.campaignId,
                  couponId: b.coupon.id,
                  code: b.coupon.code,
                  customerId: b.customerId,
                  used: '0',
                },
              ],
            },
            key: unuse,
          })
        }
        await write('POST', '/api/{store}/admin/customer/{customer}/bought/coupon/{coupon}/cancel', {
          params: { customer: b.customerId, coupon: b.coupon.id },
          key: cancel,
        })
        toast(t('coupons.done.cancel', values))
      }}
    >
      {t(b.used ? 'coupons.askHelp.cancelUsed' : 'coupons.askHelp.cancel', values)}
    </Confirm>
  )
}
