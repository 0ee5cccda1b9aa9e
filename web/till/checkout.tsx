// The coupons of a basket and the discount of the level, which the server takes off before the receipt is registered.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CheckoutCouponView, CheckoutView, PostCheckoutForm, PostSellerTransactionForm } from '../api/types'
import { Failure, usePreview, write } from '../api/client'
import { points, t, tIf } from '../i18n/i18n'
import { money } from '../i18n/number'
import { Button, Notice } from '../ui/basics'
import { reason, showRefused } from './outcome'
import { submit } from './queue'

type Items = NonNullable<PostSellerTransactionForm['transaction']['items']>

// basketOf returns the body of a checkout.
export function basketOf(customerId: string, items: Items, codes: string[]): PostCheckoutForm {
  return { checkout: { customer: customerId, items, coupons: codes.map((code) => ({ code })) } }
}

// priced returns the items at the prices of a checkout, and the checkout.
export async function priced(customerId: string, items: Items, codes: string[]): Promise<{ items: Items; checkout: CheckoutView }> {
  const checkout = await write('POST', '/api/{store}/checkout', { body: basketOf(customerId, items, codes) })
  return { items: items.map((item, i) => ({ ...item, grossValue: checkout.lines[i]!.toPay })), checkout }
}

// useCoupons marks the coupons that a checkout has applied as used, for the receipt if there is one already. A minimum
// basket was compared with the value before discounts, so a receipt that is below it is not named.
export async function useCoupons(checkout: CheckoutView, customer: string, receiptId?: string): Promise<void> {
  const applied = checkout.coupons.filter((c) => c.applied)
  if (applied.length === 0) return
  const reached = (c: CheckoutCouponView): boolean => c.rules.every((r) => r.rule !== 'minimumBasket' || Number(r.need) <= checkout.toPay)
  const what = applied.map((c) => c.name || c.code).join(', ')
  try {
    await submit({
      kind: 'use', what, customer, customerId: checkout.customerId,
      path: '/api/{store}/seller/coupons/mark_as_used', params: {},
      body: {
        coupons: applied.map((c) => ({
          code: c.code, customerId: checkout.customerId, campaignId: c.campaignId, couponId: c.couponId, used: true,
          ...(receiptId && reached(c) ? { transactionId: receiptId } : {}),
        })),
      },
    })
  } catch (e) {
    showRefused(what, e)
  }
}

// Discounts shows what a basket costs, and takes the codes of coupons.
export function Discounts({ body, currency, codes, onChange }: {
  body: PostCheckoutForm | null; currency: string; codes: string[]; onChange: (codes: string[]) => void
}): JSX.Element {
  const [typed, setTyped] = useState('')
  const shown = usePreview('/api/{store}/checkout', body)
  const add = (): void => {
    const code = typed.trim()
    if (code && !codes.includes(code)) onChange([...codes, code])
    setTyped('')
  }
  const coupons = shown && !(shown instanceof Failure) ? shown.coupons : []
  return (
    <fieldset class="lines">
      <legend class="label">{t('till.discounts')}</legend>
      <div class="scan-row">
        <input class="input" aria-label={t('till.couponCode')} placeholder={t('till.couponCode')} value={typed} maxLength={255} autoComplete="off" dir="auto"
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }} />
        <Button icon="plus" onClick={add}>{t('till.addCoupon')}</Button>
      </div>
      {codes.length > 0 && (
        <ul class="tiles">
          {codes.map((code) => <Coupon key={code} code={code} of={coupons.find((c) => c.code === code)} currency={currency}
            onRemove={() => onChange(codes.filter((other) => other !== code))} />)}
        </ul>
      )}
      {shown instanceof Failure && <Notice tone={shown.kind === 'network' ? undefined : 'warning'}>{shown.kind === 'network' ? t('till.noPreview') : reason(shown)}</Notice>}
      {shown && !(shown instanceof Failure) && <Price of={shown} />}
    </fieldset>
  )
}

function Coupon({ code, of, currency, onRemove }: {
  code: string; of: CheckoutCouponView | undefined; currency: string; onRemove: () => void
}): JSX.Element {
  return (
    <li class="tile">
      <div>
        <strong>{of?.name || code}</strong>
        {of && <p class={of.applied ? undefined : 'error'}>{of.applied ? t('till.takesOff', { amount: money(of.discount, currency) }) : whyNot(of)}</p>}
      </div>
      <Button kind="plain" icon="trash" label={t('till.removeCoupon', { code })} onClick={onRemove} />
    </li>
  )
}

// whyNot tells the first rule that a coupon breaks.
function whyNot(c: CheckoutCouponView): string {
  const broken = c.rules.find((r) => !r.passed)
  if (broken?.rule === 'coupon') return tIf(`error.${String(broken.have)}`, broken.hint ?? '')
  return tIf(`till.broken.${broken?.rule}`, broken?.hint ?? '')
}

function Price({ of }: { of: CheckoutView }): JSX.Element {
  const { after, points: earned, level } = of
  const next = after?.nextReward
  return (
    <Notice tone="accent" title={t('till.toPay', { amount: money(of.toPay, of.currency) })}>
      {(level?.discounts ?? []).map((d) => <p key={d.name}>{t('till.levelDiscount', { name: d.name, amount: money(d.discount, of.currency) })}</p>)}
      {earned && <p>{t('till.earns', { n: earned.earned, points: points(earned.earned) })}. {after && t('till.balanceAfter', { points: points(after.points) })}</p>}
      {after?.levelChanges && after.levelName && <p>{t('till.levelAfter', { level: after.levelName })}</p>}
      {next && <p>{t('till.toNextReward', { n: next.pointsMissing, points: points(next.pointsMissing), name: next.name ?? '' })}</p>}
    </Notice>
  )
}
