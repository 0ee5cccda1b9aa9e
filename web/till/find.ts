// Finds what was scanned or typed: a customer by card, phone, e-mail or name, or a coupon by its code.
import { Failure, get } from '../api/client'
import type { PurchaseCouponView } from '../api/types'
import { language } from '../i18n/i18n'
import { kept, unreachable } from './known'
import { seller } from './seller'

export interface Match {
  id: string
  name: string
  detail: string
}

export type Found =
  | { kind: 'customer'; id: string }
  | { kind: 'coupons'; text: string; coupons: PurchaseCouponView[] }
  | { kind: 'several'; text: string; customers: Match[]; total: number }
  | { kind: 'nothing'; text: string; offline: boolean }

const shown = 8 // customers of whom one can be chosen

// find asks for customers first, because an unknown code of a coupon counts against a limit of the seller. A customer
// whose card, phone or e-mail is the text wins over a coupon, and a coupon over a part of a name.
export async function find(typed: string): Promise<Found> {
  const text = typed.trim()
  const query = /^\+?[\d\s()-]+$/.test(text) ? text.replace(/[\s()-]/g, '') : text
  try {
    const { customers, total } = await get('/api/{store}/customer', { q: query, perPage: shown })
    const same = (value?: string): boolean => value?.toLowerCase() === query.toLowerCase()
    const exact = customers.find((c) => same(c.loyaltyCardNumber) || same(c.email) || same(c.phone))
    if (exact) return { kind: 'customer', id: exact.customerId }
    const isCode = /^[^\s@]*\d[^\s@]*$/.test(text) && !/^\+?\d{1,9}$/.test(text)
    if (customers.length === 0 || isCode) {
      const coupons = await findCoupons(text)
      if (coupons.length > 0) return { kind: 'coupons', text, coupons }
    }
    if (customers.length === 1) return { kind: 'customer', id: customers[0]!.customerId }
    if (customers.length === 0) return { kind: 'nothing', text, offline: false }
    return {
      kind: 'several',
      text,
      total,
      customers: customers.map((c) => ({
        id: c.customerId,
        name: `${c.firstName} ${c.lastName}`,
        detail: [c.loyaltyCardNumber, c.phone, c.email].filter(Boolean).join(' · '),
      })),
    }
  } catch (e) {
    if (e instanceof Failure && unreachable(e)) return findKept(text)
    throw e
  }
}

export async function findCoupons(code: string): Promise<PurchaseCouponView[]> {
  if (!seller.value?.allowCouponLookup) return []
  try {
    return (await get('/api/{store}/seller/coupons/{couponCode}', { couponCode: code, _locale: language.value }))
      .coupons
  } catch (e) {
    if (e instanceof Failure && e.kind === 'missing') return []
    throw e
  }
}

// findKept finds among the customers whom the device knows.
function findKept(text: string): Found {
  const words = text.toLowerCase()
  const digits = words.replace(/[\s()-]/g, '')
  const all = kept()
  const exact = all.find(
    (c) =>
      [c.card, c.email, c.phone].some((v) => v && [words, digits].includes(v.toLowerCase())) ||
      c.coupons.some((coupon) => coupon.code === text),
  )
  if (exact) return { kind: 'customer', id: exact.id }
  const named = all.filter((c) => c.name.toLowerCase().includes(words))
  if (named.length === 1) return { kind: 'customer', id: named[0]!.id }
  if (named.length === 0) return { kind: 'nothing', text, offline: true }
  return {
    kind: 'several',
    text,
    total: named.length,
    customers: named.slice(0, shown).map((c) => ({
      id: c.id,
      name: c.name,
      detail: [c.card, c.phone, c.email].filter(Boolean).join(' · '),
    })),
  }
}
