// A sale: what a basket costs with the coupons and rewards of the customer, and what it brings, before it is paid.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CheckoutCouponView, CheckoutRewardView, CheckoutView, PostCheckoutForm } from '../api/types'
import { Failure, usePreview, write, type FieldError } from '../api/client'
import { language, points, t, tIf } from '../i18n/i18n'
import { currencyDigits, money } from '../i18n/number'
import { Button, Notice } from '../ui/basics'
import { Dialog } from '../ui/dialog'
import { Form, NumberField, TextField, useForm, type FormState } from '../ui/form'
import type { Known } from './known'
import { reason, showConfirmed } from './outcome'
import { confirmed } from './queue'
import { resultOf } from './result'
import { codesToGive, drop, isRefusal, isUntouched, newSale, run, unfinished, type Items, type Sale } from './sale'
import { SaleSteps } from './sale_steps'
import { seller } from './seller'

interface Line {
  sku: string
  quantity: string
  grossValue: string
}

interface Values {
  number: string
  items: Line[]
  codes: string[] // of coupons that were typed or scanned
  coupons: string[] // chosen ones of the customer, by id
  rewards: string[] // wanted ones, by campaign
}

const newLine = (): Line => ({ sku: '', quantity: '1', grossValue: '' })

const isAmount = (text: string): boolean => text !== '' && Number(text) >= 0

function itemsOf(lines: Line[]): Items {
  return lines.map(({ sku, quantity, grossValue }) => ({
    ...(sku.trim() ? { sku: { code: sku.trim() }, name: sku.trim() } : {}), quantity: quantity || '1', grossValue, category: 'till',
  }))
}

// basketOf returns the body of a checkout, and null while a line has no value.
function basketOf({ items, codes, coupons, rewards }: Values, c: Known): PostCheckoutForm | null {
  if (!items.every((line) => isAmount(line.grossValue))) return null
  const chosen = c.coupons.filter((coupon) => coupons.includes(coupon.couponId))
  return {
    checkout: {
      customer: c.id, items: itemsOf(items), rewards,
      coupons: [...chosen.map(({ code, campaignId }) => ({ code, campaignId })), ...codes.map((code) => ({ code }))],
    },
  }
}

// check finds what is missing before the server is asked.
function check(values: Values): void {
  const fields: Record<string, FieldError[]> = {}
  if (!values.number.trim()) fields['number'] = [{ code: 'blank', detail: '' }]
  values.items.forEach((line, i) => {
    if (!isAmount(line.grossValue)) fields[`items.${i}.grossValue`] = [{ code: line.grossValue ? 'not_a_number' : 'blank', detail: '' }]
  })
  if (Object.keys(fields).length > 0) throw new Failure('invalid', 400, '', fields, '', 'invalid_fields')
}

export function SaleDialog({ customer, onClose }: { customer: Known; onClose: () => void }): JSX.Element {
  const [stopped, setStopped] = useState<{ sale: Sale; failure?: Failure } | null>(
    unfinished.value[customer.id] ? { sale: unfinished.value[customer.id]! } : null)
  const finish = (sale: Sale): void => {
    const next = sale.checkout.after?.nextReward
    confirmed.value++
    showConfirmed(t('till.sold', { what: sale.number, amount: money(sale.checkout.toPay, sale.checkout.currency) }), [
      [customer.name, resultOf('receipt', sale.receipt)].filter(Boolean).join(': '), ...codesToGive(sale), next && nextReward(next),
    ].filter(Boolean).join(' · '))
    onClose()
  }
  // proceed takes the steps of a sale. It throws what was refused before anything was done.
  const proceed = async (sale: Sale): Promise<void> => {
    try {
      finish(await run(sale))
    } catch (e) {
      const failure = e instanceof Failure ? e : new Failure('failed', 0, String(e))
      const kept = unfinished.value[customer.id] ?? sale
      confirmed.value++
      if (isUntouched(kept) && isRefusal(failure)) {
        drop(kept)
        setStopped(null)
        throw failure
      }
      setStopped({ sale: kept, failure })
    }
  }
  return (
    <Dialog wide={!stopped} title={t('till.saleOf', { customer: customer.name })} onClose={onClose}>
      {stopped
        ? <SaleSteps {...stopped} onRetry={(sale) => proceed(sale).catch((failure: Failure) => setStopped({ sale, failure }))}
          onStop={() => { drop(stopped.sale); onClose() }} />
        : <SaleForm customer={customer} onPay={proceed} onClose={onClose} />}
    </Dialog>
  )
}

function SaleForm({ customer, onPay, onClose }: { customer: Known; onPay: (sale: Sale) => Promise<void>; onClose: () => void }): JSX.Element {
  const [fresh, setFresh] = useState<{ draft: string; view: CheckoutView } | null>(null) // newer than the preview
  const form = useForm<Values>({ number: '', items: [newLine()], codes: [], coupons: [], rewards: [] }, async (values) => {
    check(values)
    const basket = basketOf(values, customer)!
    const now = await write('POST', '/api/{store}/checkout', { body: basket, params: { _locale: language.value }, key: null })
    const seen = view
    setFresh({ draft: JSON.stringify(basket), view: now })
    if (!seen) return // the seller has to see the price first
    if (now.toPay !== seen.toPay) throw new Failure('invalid', 409, '', {}, '', 'price_changed')
    await onPay(newSale(values.number.trim(), itemsOf(values.items), now))
  })
  const body = basketOf(form.values, customer)
  const preview = usePreview('/api/{store}/checkout', body, { _locale: language.value })
  const shown = fresh && fresh.draft === JSON.stringify(body) ? fresh.view : preview
  const view = shown instanceof Failure ? null : shown
  return (
    <div onSubmitCapture={(event) => toAmount(event, form.values)}>
      <Form form={form} cancel={onClose} sticky
        save={view ? t('till.pay', { amount: money(view.toPay, view.currency) }) : t('till.showPrice')}>
        <div class="sale">
          <div class="stack">
            <TextField form={form} path="number" label={t('till.number')} autoFocus maxLength={255} />
            <Basket form={form} currency={customer.currency} />
            {shown instanceof Failure && <Notice tone="warning">{shown.kind === 'network' ? t('till.saleOffline') : reason(shown)}</Notice>}
            {view && <Price of={view} />}
          </div>
          {seller.value?.allowCouponUse && <Offers form={form} customer={customer} view={view} />}
        </div>
      </Form>
    </div>
  )
}

// A scanner ends what it types with Enter, which goes on to the amount as long as there is none.
function toAmount(event: JSX.TargetedEvent<HTMLElement>, { items }: Values): void {
  const path = document.activeElement?.closest<HTMLElement>('[data-path]')?.dataset['path'] ?? ''
  const at = path === 'number' ? 0 : Number(/^items\.(\d+)\.sku$/.exec(path)?.[1] ?? -1)
  if (at < 0 || items[at]?.grossValue) return
  event.preventDefault()
  event.stopPropagation()
  event.currentTarget.querySelector<HTMLElement>(`[data-path="items.${at}.grossValue"] input`)?.focus()
}

function Basket({ form, currency }: { form: FormState<Values>; currency: string }): JSX.Element {
  const { items } = form.values
  const [withLines, setWithLines] = useState(false)
  const digits = currency ? currencyDigits(currency) : undefined
  if (!withLines) {
    return (
      <>
        <NumberField form={form} path="items.0.grossValue" label={t('till.amount')} suffix={currency || undefined} digits={digits} />
        <div><Button kind="plain" icon="plus" onClick={() => setWithLines(true)}>{t('till.lines')}</Button></div>
      </>
    )
  }
  const addLine = (): void => {
    form.set('items', [...items, newLine()])
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-path="items.${items.length}.sku"] input`)?.focus())
  }
  return (
    <fieldset class="lines" data-path="items">
      <legend class="label">{t('till.linesTitle')}</legend>
      {items.map((_, i) => (
        <div class="line" key={i}>
          <TextField form={form} path={`items.${i}.sku`} label={t('till.sku')} maxLength={255} />
          <NumberField form={form} path={`items.${i}.quantity`} label={t('till.quantity')} digits={3} />
          <NumberField form={form} path={`items.${i}.grossValue`} label={t('till.amount')} digits={digits} />
          {items.length > 1 && <Button kind="plain" icon="trash" label={t('till.removeLine', { n: i + 1 })}
            onClick={() => form.set('items', items.filter((__, j) => j !== i))} />}
        </div>
      ))}
      <div><Button icon="plus" onClick={addLine}>{t('till.addLine')}</Button></div>
    </fieldset>
  )
}

const maxOffers = 20 // of each kind in a checkout

// Offers lets the seller choose of the customer's coupons and the rewards that the points can buy, and type codes.
function Offers({ form, customer, view }: { form: FormState<Values>; customer: Known; view: CheckoutView | null }): JSX.Element {
  const { codes, coupons, rewards } = form.values
  const [typed, setTyped] = useState('')
  const mayLookUp = seller.value?.allowCouponLookup
  // A code of a campaign counts once, however many coupons have it.
  const own = mayLookUp ? customer.coupons.filter((c, i, all) => all.findIndex((o) => o.code === c.code && o.campaignId === c.campaignId) === i) : []
  const buyable = customer.rewards.filter((r) => r.canBuy).sort((a, b) => a.price - b.price)
  const toggle = (path: 'coupons' | 'rewards', id: string): void => {
    const now = form.values[path]
    form.set(path, now.includes(id) ? now.filter((one) => one !== id) : [...now, id])
  }
  const add = (): void => {
    const code = typed.trim()
    const known = own.find((c) => c.code === code)
    if (known && !coupons.includes(known.couponId)) toggle('coupons', known.couponId)
    else if (!known && code && !codes.includes(code)) form.set('codes', [...codes, code])
    setTyped('')
  }
  return (
    <fieldset class="lines" data-path="coupons">
      <legend class="label">{t('till.offers')}</legend>
      {own.length + buyable.length === 0 && <p class="muted">{t('till.noOffers')}</p>}
      <ul class="tiles">
        {own.map((c) => (
          <Choosable key={c.couponId} name={c.name} text={c.text || c.code} chosen={coupons.includes(c.couponId)} full={coupons.length + codes.length >= maxOffers}
            of={view?.coupons.find((o) => o.code === c.code && o.campaignId === c.campaignId)} currency={customer.currency}
            onToggle={() => toggle('coupons', c.couponId)} />
        ))}
        {buyable.map((r) => (
          <Choosable key={r.campaignId} name={r.name} chosen={rewards.includes(r.campaignId)} full={rewards.length >= maxOffers}
            text={[r.price > 0 ? t('till.points', { n: r.price, points: points(r.price) }) : t('till.free'), r.text].filter(Boolean).join(' · ')}
            of={view?.rewards.find((o) => o.campaignId === r.campaignId)} currency={customer.currency}
            onToggle={() => toggle('rewards', r.campaignId)} />
        ))}
        {codes.map((code) => (
          <li class="tile" key={code}>
            <div><strong>{view?.coupons.find((o) => o.code === code)?.name || code}</strong>
              <Effect of={view?.coupons.find((o) => o.code === code)} currency={customer.currency} /></div>
            <Button kind="plain" icon="trash" label={t('till.removeCoupon', { code })} onClick={() => form.set('codes', codes.filter((one) => one !== code))} />
          </li>
        ))}
      </ul>
      {mayLookUp && coupons.length + codes.length < maxOffers && (
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
      )}
    </fieldset>
  )
}

function Choosable({ name, text, chosen, full, of, currency, onToggle }: {
  name: string; text: string; chosen: boolean; full: boolean; of: CheckoutCouponView | CheckoutRewardView | undefined; currency: string
  onToggle: () => void
}): JSX.Element {
  return (
    <li class={chosen ? 'tile chosen' : 'tile'}>
      <label class="check">
        <input type="checkbox" checked={chosen} disabled={full && !chosen} aria-label={name} onChange={onToggle} />
        <span><strong>{name}</strong><span class="muted offer-text">{text}</span></span>
      </label>
      {chosen && <Effect of={of} currency={currency} />}
    </li>
  )
}

// Effect says what an offer takes off, or why it does not.
function Effect({ of, currency }: { of: CheckoutCouponView | CheckoutRewardView | undefined; currency: string }): JSX.Element | null {
  if (!of) return null
  if (!of.applied) return <p class="error">{whyNot(of)}</p>
  return <p class="effect">{of.discount > 0 ? t('till.takesOff', { amount: money(of.discount, currency) }) : t('till.onlyBought')}</p>
}

// whyNot tells the first rule that an offer breaks.
function whyNot(o: CheckoutCouponView | CheckoutRewardView): string {
  const broken = o.rules.find((r) => !r.passed)
  if (broken?.rule === 'coupon') return tIf(`error.${String(broken.have)}`, broken.hint ?? '')
  if (broken?.rule === 'points') return t('till.missing', { points: points(Number(broken.need) - Number(broken.have ?? 0)) })
  return tIf(`till.broken.${broken?.rule}`, broken?.hint ?? '')
}

const nextReward = (next: { name?: string; pointsMissing: number }): string =>
  t('till.toNextReward', { n: next.pointsMissing, points: points(next.pointsMissing), name: next.name ?? '' })

function Price({ of }: { of: CheckoutView }): JSX.Element {
  const { after, points: earned, level } = of
  const next = after?.nextLevel
  const missing = next?.pointsMissing !== undefined ? t('till.points', { n: next.pointsMissing, points: points(next.pointsMissing) })
    : next?.amountMissing !== undefined ? money(next.amountMissing, of.currency) : ''
  return (
    <Notice tone="accent" title={t('till.toPay', { amount: money(of.toPay, of.currency) })}>
      {of.discount > 0 && <p>{t('till.insteadOf', { amount: money(of.value, of.currency) })}</p>}
      {(level?.discounts ?? []).map((d) => <p key={d.name}>{t('till.levelDiscount', { name: d.name, amount: money(d.discount, of.currency) })}</p>)}
      {earned && <p>{t('till.earns', { n: earned.earned, points: points(earned.earned) })}. {after && t('till.balanceAfter', { points: points(after.points) })}</p>}
      {after?.levelChanges && after.levelName && <p>{t('till.levelAfter', { level: after.levelName })}</p>}
      {after?.nextReward && <p>{nextReward(after.nextReward)}</p>}
      {missing && <p>{t('till.toNextLevel', { missing, level: next?.name ?? '' })}</p>}
    </Notice>
  )
}
