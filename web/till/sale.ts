// A sale that is priced by a checkout. Its wanted rewards are bought first, then the receipt is registered with the prices
// after discounts, and then the coupons that lowered them are used for it: a receipt whose number is taken has used
// nothing. Each step has an Idempotency-Key of its own, and the sale is kept on the device until its last step is done,
// so that whatever stops it, going on does nothing twice.
import { signal } from '@preact/signals'
import type { CheckoutCouponView, CheckoutRewardView, CheckoutView, PostCheckoutForm, PurchaseCoupon, TransactionRegisteredView } from '../api/types'
import { Failure, newKey, write } from '../api/client'
import * as session from '../api/session'

export type Items = NonNullable<NonNullable<PostCheckoutForm['checkout']>['items']>

export interface Sale {
  key: string
  at: number // when it began, in milliseconds since 1970
  number: string // of the receipt
  items: Items // before discounts
  checkout: CheckoutView
  bought: Record<number, PurchaseCoupon> // by the index of the reward in the checkout
  receipt?: TransactionRegisteredView
  refusals: Record<string, number> // by step: a refusal is stored under its key, so that another try needs another one
}

export interface Step {
  id: string
  kind: 'buy' | 'receipt' | 'use'
  what: string
  done: boolean
}

// The server keeps responses under a key for seven days; after that, going on could do a step twice.
const maxAge = 6 * 24 * 3600 * 1000

const place = (): string => session.keptAt('sales')

function read(): Record<string, Sale> {
  try {
    const all = JSON.parse((place() && localStorage.getItem(place())) || '{}') as Record<string, Sale>
    return Object.fromEntries(Object.entries(all).filter(([, sale]) => Date.now() - sale.at < maxAge))
  } catch {
    return {}
  }
}

// unfinished are the sales that have begun and are not done, by customer.
export const unfinished = signal<Record<string, Sale>>({})

export function readUnfinished(): void {
  unfinished.value = read()
}

session.onForget(() => (unfinished.value = {}))

function keep(customer: string, sale: Sale | null): void {
  const all = read()
  if (sale) all[customer] = sale
  else delete all[customer]
  if (place()) localStorage.setItem(place(), JSON.stringify(all))
  unfinished.value = all
}

// drop forgets a sale. What was done stays.
export function drop(sale: Sale): void {
  keep(sale.checkout.customerId ?? '', null)
}

export function newSale(number: string, items: Items, checkout: CheckoutView): Sale {
  return { key: newKey(), at: Date.now(), number, items, checkout, bought: {}, refusals: {} }
}

// stepsOf returns the steps in the order in which they are taken.
export function stepsOf(sale: Sale): Step[] {
  const { rewards, coupons } = sale.checkout
  const used = [...coupons, ...rewards].filter(isUsed).map(nameOf)
  const steps: Step[] = rewards.flatMap((r, i) => (r.applied
    ? [{ id: `buy${i}`, kind: 'buy' as const, what: nameOf(r), done: i in sale.bought }] : []))
  steps.push({ id: 'receipt', kind: 'receipt', what: sale.number, done: sale.receipt !== undefined })
  if (used.length > 0) steps.push({ id: 'use', kind: 'use', what: used.join(', '), done: false })
  return steps
}

// isUsed reports whether an offer is marked as used: one that takes nothing off is only bought.
const isUsed = (o: CheckoutCouponView | CheckoutRewardView): boolean => o.applied && o.discount > 0

export const nameOf = (o: CheckoutCouponView | CheckoutRewardView): string => o.name || ('code' in o ? o.code : o.campaignId)

// isUntouched reports whether no step is done.
export const isUntouched = (sale: Sale): boolean => stepsOf(sale).every((step) => !step.done)

// isRefusal reports whether a step certainly did nothing.
export const isRefusal = (f: Failure): boolean => ['invalid', 'missing', 'forbidden'].includes(f.kind) && f.status !== 409

// run takes the steps that are not done. It throws the failure of the first that fails; the sale is kept for another try.
export async function run(sale: Sale): Promise<Sale> {
  let now = sale
  const customer = sale.checkout.customerId ?? ''
  for (const step of stepsOf(sale).filter((s) => !s.done)) {
    keep(customer, now)
    const key = `${sale.key}-${step.id}-${now.refusals[step.id] ?? 0}`
    try {
      now = await take(now, step, key)
    } catch (e) {
      if (e instanceof Failure && isRefusal(e)) {
        keep(customer, { ...now, refusals: { ...now.refusals, [step.id]: (now.refusals[step.id] ?? 0) + 1 } })
      }
      throw e
    }
  }
  keep(customer, null)
  return now
}

async function take(sale: Sale, step: Step, key: string): Promise<Sale> {
  const { checkout } = sale
  const customer = checkout.customerId ?? ''
  if (step.kind === 'buy') {
    const i = Number(step.id.slice(3))
    const sold = await write('POST', '/api/{store}/seller/customer/{customer}/campaign/{campaign}/buy', {
      params: { customer, campaign: checkout.rewards[i]!.campaignId }, body: {}, key,
    })
    return { ...sale, bought: { ...sale.bought, [i]: sold.coupons[0] ?? { id: '', code: '' } } }
  }
  if (step.kind === 'receipt') {
    const items = sale.items.map((item, i) => ({
      ...item, sku: { code: item.sku?.code || 'SUM' }, name: item.name || 'SUM', category: item.category || 'till',
      quantity: item.quantity || 1, grossValue: checkout.lines[i]!.toPay,
    }))
    const receipt = await write('POST', '/api/{store}/seller/transaction', {
      body: { transaction: { transactionData: { documentNumber: sale.number, documentType: 'sell' }, items, customerId: customer } }, key,
    })
    return { ...sale, receipt }
  }
  await write('POST', '/api/{store}/seller/coupons/mark_as_used', { body: { coupons: usedOf(sale) }, key })
  return sale
}

// usedOf returns the coupons that lowered the price, for the receipt. A minimum basket was compared with the value before
// discounts, so a receipt that is below it is not named.
function usedOf({ checkout, bought, receipt }: Sale): { code: string; customerId: string; campaignId?: string; couponId?: string; used: true; transactionId?: string }[] {
  const one = (o: CheckoutCouponView | CheckoutRewardView, coupon: { code: string; id?: string | undefined }) => {
    const reached = o.rules.every((r) => r.rule !== 'minimumBasket' || Number(r.need) <= checkout.toPay)
    return {
      code: coupon.code, customerId: checkout.customerId ?? '', campaignId: o.campaignId, couponId: coupon.id, used: true as const,
      ...(receipt && reached ? { transactionId: receipt.transactionId } : {}),
    }
  }
  return [
    ...checkout.coupons.filter(isUsed).map((c) => one(c, { code: c.code, id: c.couponId })),
    ...checkout.rewards.flatMap((r, i) => (isUsed(r) ? [one(r, bought[i]!)] : [])),
  ]
}

// codesToGive returns the codes of rewards that were bought and not used: the customer keeps them.
export function codesToGive({ checkout, bought }: Sale): string[] {
  return checkout.rewards.flatMap((r, i) => (r.applied && !isUsed(r) && bought[i]?.code ? [`${nameOf(r)}: ${bought[i].code}`] : []))
}
