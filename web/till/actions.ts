// Using and buying: each through the queue, with its outcome in words.
import type { PurchaseUsedCoupons } from '../api/types'
import { write } from '../api/client'
import { points, t } from '../i18n/i18n'
import type { Known, Reward } from './known'
import { showConfirmed, showRefused, showWaiting } from './outcome'
import { confirmed, submit } from './queue'
import { resultOf } from './result'

export interface Usable {
  code: string
  name: string
  text: string
  customer: string
  customerId?: string
  campaignId?: string
  couponId?: string
}

export async function useCoupon(coupon: Usable): Promise<void> {
  const { code, customerId, campaignId, couponId } = coupon
  const what = coupon.customer ? t('till.whatOf', { what: coupon.name, customer: coupon.customer }) : coupon.name
  try {
    const outcome = await submit({
      kind: 'use',
      what: coupon.name,
      customer: coupon.customer,
      customerId,
      couponId,
      path: '/api/{store}/seller/coupons/mark_as_used',
      params: {},
      body: { coupons: [{ code, customerId, campaignId, couponId, used: true }] },
    })
    if (!outcome.confirmed) return showWaiting(what)
    const made = outcome.response.coupons[0]
    showConfirmed(t('till.used', { what: coupon.name }), coupon.text, made && (() => void takeBack(coupon, made)))
  } catch (e) {
    showRefused(what, e)
  }
}

// takeBack makes a coupon unused again that was used by mistake a moment ago.
async function takeBack(coupon: Usable, made: PurchaseUsedCoupons['coupons'][number]): Promise<void> {
  try {
    await write('POST', '/api/{store}/seller/coupons/mark_as_used', {
      body: {
        coupons: [
          {
            code: coupon.code,
            customerId: made.customerId,
            campaignId: made.campaignId,
            couponId: made.couponId,
            used: false,
          },
        ],
      },
    })
    confirmed.value++
    showConfirmed(t('till.unused', { what: coupon.name }))
  } catch (e) {
    showRefused(coupon.name, e)
  }
}

export async function buy(customer: Known, reward: Reward, key: string): Promise<void> {
  try {
    const outcome = await submit(
      {
        kind: 'buy',
        what: reward.name,
        customer: customer.name,
        customerId: customer.id,
        path: '/api/{store}/seller/customer/{customer}/campaign/{campaign}/buy',
        params: { customer: customer.id, campaign: reward.campaignId },
        body: {},
      },
      key,
    )
    if (!outcome.confirmed) return showWaiting(t('till.whatOf', { what: reward.name, customer: customer.name }))
    showConfirmed(t('till.bought', { what: reward.name }), resultOf('buy', outcome.response) || reward.text)
  } catch (e) {
    showRefused(reward.name, e)
  }
}

// cancelPurchase takes a purchase back. It does not wait for the network: who is at the counter wants to know.
export async function cancelPurchase(
  customer: Known,
  coupon: { couponId: string; name: string },
  key: string,
): Promise<void> {
  try {
    const made = await write('POST', '/api/{store}/seller/customer/{customer}/bought/coupon/{coupon}/cancel', {
      params: { customer: customer.id, coupon: coupon.couponId },
      key,
    })
    confirmed.value++
    showConfirmed(
      t('till.cancelled', { what: coupon.name }),
      made.points > 0 ? t('till.cancelledText', { points: points(made.points) }) : '',
    )
  } catch (e) {
    showRefused(coupon.name, e)
  }
}
