// What the server says about something that it has confirmed, in words.
import type { CheckoutRestoredView, PurchaseSoldCoupons, TransactionRegisteredView } from '../api/types'
import { points, t } from '../i18n/i18n'
import type { Kind } from './queue'

// resultOf describes what came of an entry of the queue, such as "+100 points, now Gold". It is empty where the entry
// says it all.
export function resultOf(kind: Kind, response: unknown): string {
  switch (kind) {
    case 'receipt':
    case 'return':
      return gainOf(response as TransactionRegisteredView)
    case 'buy':
      return codesOf(response as PurchaseSoldCoupons)
    case 'restore':
      return restoredOf(response as CheckoutRestoredView)
    default:
      return ''
  }
}

function gainOf(r: TransactionRegisteredView): string {
  const sign = r.points > 0 ? '+' : ''
  return [
    r.points !== 0 && `${sign}${t('till.points', { n: r.points, points: points(r.points) })}`,
    r.levelChanges && r.levelName && t('till.nowLevel', { level: r.levelName }),
  ]
    .filter(Boolean)
    .join(', ')
}

function restoredOf({ coupons, points: n }: CheckoutRestoredView): string {
  const codes = (of: CheckoutRestoredView['coupons']): string => of.map((c) => c.code).join(', ')
  const back = codes(coupons.filter((c) => !c.reason && c.status !== 'cancelled'))
  const stay = codes(coupons.filter((c) => c.reason))
  return [
    n !== 0 && `+${t('till.points', { n, points: points(n) })}`,
    back && t('till.couponsBack', { codes: back }),
    stay && t('till.couponsStay', { codes: stay }),
  ]
    .filter(Boolean)
    .join(', ')
}

function codesOf(sold: PurchaseSoldCoupons): string {
  const codes = sold.coupons
    .map((c) => c.code)
    .filter(Boolean)
    .join(', ')
  return codes && t('till.code', { code: codes })
}
