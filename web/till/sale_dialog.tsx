// A sale: what a basket costs with the coupons and rewards of the customer, and what it brings, before it is paid.
// Paying reserves it first; nothing is bought until the reservation is confirmed with the number of the receipt.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type {
  CheckoutCouponView,
  CheckoutReservationView,
  CheckoutRewardView,
  CheckoutView,
  QuoteCheckoutForm,
} from '../api/types'
import { Failure, usePreview, write, type FieldError } from '../api/client'
import { clock, language, points, t, tIf } from '../i18n/i18n'
import { currencyDigits, money } from '../i18n/number'
import { Button, Notice } from '../ui/basics'
import { Dialog } from '../ui/dialog'
import { Form, NumberField, TextField, useForm, type FormState } from '../ui/form'
import type { Known } from './known'
import { reason, showConfirmed } from './outcome'
import { confirmed } from './queue'
import { resultOf } from './result'
import { cancel, confirm, isEnded, keep, unfinished, type Basket, type Line, type Sale } from './sale'
import { seller } from './seller'

const newLine = (): Line => ({ sku: '', quantity: '1', grossValue: '' })

const isAmount = (text: string): boolean => text !== '' && Number(text) >= 0

// bodyOf returns the body of a checkout, and null while a line has no value.
function bodyOf({ items, codes, coupons, rewards }: Basket, c: Known): QuoteCheckoutForm | null {
  if (!items.every((line) => isAmount(line.grossValue))) return null
  const chosen = c.coupons.filter((coupon) => coupons.includes(coupon.couponId))
  return {
    checkout: {
      customer: c.id,
      rewards,
      items: items.map(({ sku, quantity, grossValue }) => ({
        sku: { code: sku.trim() || 'SUM' },
        name: sku.trim() || 'SUM',
        quantity: quantity || '1',
        grossValue,
        category: 'till',
      })),
      coupons: [...chosen.map(({ code, campaignId }) => ({ code, campaignId })), ...codes.map((code) => ({ code }))],
    },
  }
}

// check finds what is missing before the server is asked.
function check({ items }: Basket): void {
  const fields: Record<string, FieldError[]> = {}
  items.forEach((line, i) => {
    if (!isAmount(line.grossValue))
      fields[`items.${i}.grossValue`] = [{ code: line.grossValue ? 'not_a_number' : 'blank', detail: '' }]
  })
  if (Object.keys(fields).length > 0) throw new Failure('invalid', 400, '', fields, '', 'invalid_fields')
}

export function SaleDialog({ customer, onClose }: { customer: Known; onClose: () => void }): JSX.Element {
  const [basket, setBasket] = useState<Basket>({ items: [newLine()], codes: [], coupons: [], rewards: [] })
  const [failure, setFailure] = useState<Failure | null>(null) // why the last sale ended
  const sale = unfinished.value[customer.id]
  // A browser applies autofocus only while the dialog opens.
  useEffect(() => document.querySelector<HTMLElement>('dialog[open] [autofocus]')?.focus(), [!sale])
  // end forgets a sale that is paid or over, and reports whether it is paid.
  const end = (of: Sale, now?: CheckoutReservationView): boolean => {
    keep(customer.id, null)
    confirmed.value++
    setBasket(of.basket)
    if (now?.state !== 'confirmed') return false
    showSold(customer, now)
    return true
  }
  const close = (): void => {
    onClose()
    if (sale)
      cancel(sale.reservation).then(
        (now) => end(sale, now),
        () => {},
      ) // it stays unfinished
  }
  return (
    <Dialog wide={!sale} title={t('till.saleOf', { customer: customer.name })} onClose={close}>
      {sale ? (
        <Payment
          sale={sale}
          onEnd={(now, why) => {
            setFailure(why ?? null)
            if (end(sale, now)) onClose()
          }}
        />
      ) : (
        <SaleForm
          customer={customer}
          basket={basket}
          failure={failure}
          onClose={onClose}
          onReserved={(reserved) => keep(customer.id, reserved)}
        />
      )}
    </Dialog>
  )
}

function showSold(
  customer: Known,
  { after, currency, documentNumber, outcome, rewards, toPay }: CheckoutReservationView,
): void {
  // The customer keeps the codes of rewards that took nothing off.
  const codes = (outcome?.bought ?? []).flatMap(({ campaignId, code }) => {
    const reward = rewards.find((r) => r.campaignId === campaignId)
    return reward?.discount === 0 && code ? [`${reward.name || campaignId}: ${code}`] : []
  })
  showConfirmed(
    t('till.sold', { what: documentNumber ?? '', amount: money(toPay, currency) }),
    [
      [customer.name, resultOf('receipt', { ...after, points: outcome?.pointsEarned ?? 0 })].filter(Boolean).join(': '),
      ...codes,
      after?.nextReward && nextReward(after.nextReward),
    ]
      .filter(Boolean)
      .join(' · '),
  )
}

// Payment takes the number of the receipt of a sale that is reserved.
function Payment({
  sale,
  onEnd,
}: {
  sale: Sale
  onEnd: (now?: CheckoutReservationView, why?: Failure) => void
}): JSX.Element {
  const { reservation } = sale
  const form = useForm(
    { documentNumber: '' },
    async ({ documentNumber }, key) => {
      try {
        onEnd(await confirm(reservation, documentNumber.trim(), key))
      } catch (e) {
        if (!isEnded(e)) throw e
        await cancel(reservation).catch(() => {}) // gives back what is left of it
        onEnd(undefined, e)
      }
    },
    false,
  )
  const back = useForm({}, async () => onEnd(await cancel(reservation)), false)
  const open = [form.failure, back.failure].some((f) => f && ['network', 'failed'].includes(f.kind))
  return (
    <Form
      form={form}
      save={t('till.pay', { amount: money(reservation.toPay, reservation.currency) })}
      extra={
        <Button icon="left" busy={back.busy} onClick={() => void back.submit()}>
          {t('till.back')}
        </Button>
      }
    >
      {back.failure && <Notice tone="danger">{reason(back.failure)}</Notice>}
      {open && <Notice tone="warning">{t('till.saleUnknown')}</Notice>}
      <Price of={reservation} />
      <TextField form={form} path="documentNumber" label={t('till.number')} autoFocus maxLength={255} />
      <p class="muted">{t('till.reservedUntil', { time: clock(reservation.expiresAt) })}</p>
    </Form>
  )
}

function SaleForm({
  customer,
  basket,
  failure,
  onReserved,
  onClose,
}: {
  customer: Known
  basket: Basket
  failure: Failure | null
  onReserved: (sale: Sale) => void
  onClose: () => void
}): JSX.Element {
  const [fresh, setFresh] = useState<{ draft: string; view: CheckoutView } | null>(null) // newer than the preview
  const form = useForm<Basket>(basket, async (values, key) => {
    check(values)
    const body = bodyOf(values, customer)!
    const params = { _locale: language.value }
    const show = (now: CheckoutView): void => setFresh({ draft: JSON.stringify(body), view: now })
    const seen = view
    if (!seen) return show(await write('POST', '/api/{store}/checkout', { body, params, key: null }))
    const reservation = await write('POST', '/api/{store}/checkout/reserve', { body, params, key })
    if (reservation.toPay === seen.toPay && reservation.points?.costInPoints === seen.points?.costInPoints) {
      return onReserved({ basket: values, reservation })
    }
    await cancel(reservation).catch(() => {}) // it ends by itself
    show(reservation)
    throw new Failure('invalid', 409, '', {}, '', 'price_changed')
  })
  const body = bodyOf(form.values, customer)
  const preview = usePreview('/api/{store}/checkout', body, { _locale: language.value })
  const shown = fresh && fresh.draft === JSON.stringify(body) ? fresh.view : preview
  const view = shown instanceof Failure ? null : shown
  return (
    <div onSubmitCapture={(event) => toAmount(event, form.values)}>
      <Form
        form={form}
        cancel={onClose}
        sticky
        save={view ? t('till.reserve', { amount: money(view.toPay, view.currency) }) : t('till.showPrice')}
      >
        {failure && !form.failure && (
          <Notice tone="danger" title={t('till.saleEnded')}>
            {reason(failure)}
          </Notice>
        )}
        <div class="sale">
          <div class="stack">
            <Products form={form} currency={customer.currency} />
            {shown instanceof Failure && (
              <Notice tone="warning">{shown.kind === 'network' ? t('till.saleOffline') : reason(shown)}</Notice>
            )}
            {view && <Price of={view} />}
          </div>
          {seller.value?.allowCouponUse && <Offers form={form} customer={customer} view={view} />}
        </div>
      </Form>
    </div>
  )
}

// A scanner ends what it types with Enter, which goes on to the amount as long as there is none.
function toAmount(event: JSX.TargetedEvent<HTMLElement>, { items }: Basket): void {
  const path = document.activeElement?.closest<HTMLElement>('[data-path]')?.dataset['path'] ?? ''
  const at = Number(/^items\.(\d+)\.sku$/.exec(path)?.[1] ?? -1)
  if (at < 0 || items[at]?.grossValue) return
  event.preventDefault()
  event.stopPropagation()
  event.currentTarget.querySelector<HTMLElement>(`[data-path="items.${at}.grossValue"] input`)?.focus()
}

function Products({ form, currency }: { form: FormState<Basket>; currency: string }): JSX.Element {
  const { items } = form.values
  const [withLines, setWithLines] = useState(items.length > 1 || items.some((line) => line.sku))
  const digits = currency ? currencyDigits(currency) : undefined
  if (!withLines) {
    return (
      <>
        <NumberField
          form={form}
          path="items.0.grossValue"
          label={t('till.amount')}
          autoFocus
          suffix={currency || undefined}
          digits={digits}
        />
        <div>
          <Button kind="plain" icon="plus" onClick={() => setWithLines(true)}>
            {t('till.lines')}
          </Button>
        </div>
      </>
    )
  }
  const addLine = (): void => {
    form.set('items', [...items, newLine()])
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-path="items.${items.length}.sku"] input`)?.focus(),
    )
  }
  return (
    <fieldset class="lines" data-path="items">
      <legend class="label">{t('till.linesTitle')}</legend>
      {items.map((_, i) => (
        <div class="line" key={i}>
          <TextField form={form} path={`items.${i}.sku`} label={t('till.sku')} maxLength={255} />
          <NumberField form={form} path={`items.${i}.quantity`} label={t('till.quantity')} digits={3} />
          <NumberField form={form} path={`items.${i}.grossValue`} label={t('till.amount')} digits={digits} />
          {items.length > 1 && (
            <Button
              kind="plain"
              icon="trash"
              label={t('till.removeLine', { n: i + 1 })}
              onClick={() =>
                form.set(
                  'items',
                  items.filter((__, j) => j !== i),
                )
              }
            />
          )}
        </div>
      ))}
      <div>
        <Button icon="plus" onClick={addLine}>
          {t('till.addLine')}
        </Button>
      </div>
    </fieldset>
  )
}

const maxOffers = 20 // of each kind in a checkout

// Offers lets the seller choose of the customer's coupons and the rewards that the points can buy, and type codes.
function Offers({
  form,
  customer,
  view,
}: {
  form: FormState<Basket>
  customer: Known
  view: CheckoutView | null
}): JSX.Element {
  const { codes, coupons, rewards } = form.values
  const [typed, setTyped] = useState('')
  const mayLookUp = seller.value?.allowCouponLookup
  // A code of a campaign counts once, however many coupons have it.
  const own = mayLookUp
    ? customer.coupons.filter(
        (c, i, all) => all.findIndex((o) => o.code === c.code && o.campaignId === c.campaignId) === i,
      )
    : []
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
          <Choosable
            key={c.couponId}
            name={c.name}
            text={c.text || c.code}
            chosen={coupons.includes(c.couponId)}
            full={coupons.length + codes.length >= maxOffers}
            of={view?.coupons.find((o) => o.code === c.code && o.campaignId === c.campaignId)}
            currency={customer.currency}
            onToggle={() => toggle('coupons', c.couponId)}
          />
        ))}
        {buyable.map((r) => (
          <Choosable
            key={r.campaignId}
            name={r.name}
            chosen={rewards.includes(r.campaignId)}
            full={rewards.length >= maxOffers}
            text={[r.price > 0 ? t('till.points', { n: r.price, points: points(r.price) }) : t('till.free'), r.text]
              .filter(Boolean)
              .join(' · ')}
            of={view?.rewards.find((o) => o.campaignId === r.campaignId)}
            currency={customer.currency}
            onToggle={() => toggle('rewards', r.campaignId)}
          />
        ))}
        {codes.map((code) => (
          <li class="tile" key={code}>
            <div>
              <strong>{view?.coupons.find((o) => o.code === code)?.name || code}</strong>
              <Effect of={view?.coupons.find((o) => o.code === code)} currency={customer.currency} />
            </div>
            <Button
              kind="plain"
              icon="trash"
              label={t('till.removeCoupon', { code })}
              onClick={() =>
                form.set(
                  'codes',
                  codes.filter((one) => one !== code),
                )
              }
            />
          </li>
        ))}
      </ul>
      {mayLookUp && coupons.length + codes.length < maxOffers && (
        <div class="scan-row">
          <input
            class="input"
            aria-label={t('till.couponCode')}
            placeholder={t('till.couponCode')}
            value={typed}
            maxLength={255}
            autoComplete="off"
            dir="auto"
            onInput={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              add()
            }}
          />
          <Button icon="plus" onClick={add}>
            {t('till.addCoupon')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

function Choosable({
  name,
  text,
  chosen,
  full,
  of,
  currency,
  onToggle,
}: {
  name: string
  text: string
  chosen: boolean
  full: boolean
  of: CheckoutCouponView | CheckoutRewardView | undefined
  currency: string
  onToggle: () => void
}): JSX.Element {
  return (
    <li class={chosen ? 'tile chosen' : 'tile'}>
      <label class="check">
        <input type="checkbox" checked={chosen} disabled={full && !chosen} aria-label={name} onChange={onToggle} />
        <span>
          <strong>{name}</strong>
          <span class="muted offer-text">{text}</span>
        </span>
      </label>
      {chosen && <Effect of={of} currency={currency} />}
    </li>
  )
}

// Effect shows the discount of an offer, or the rule that it breaks.
function Effect({
  of,
  currency,
}: {
  of: CheckoutCouponView | CheckoutRewardView | undefined
  currency: string
}): JSX.Element | null {
  if (!of) return null
  if (!of.applied) return <p class="error">{whyNot(of)}</p>
  return (
    <p class="effect">
      {of.discount > 0 ? t('till.takesOff', { amount: money(of.discount, currency) }) : t('till.onlyBought')}
    </p>
  )
}

// whyNot tells the first rule that an offer breaks.
function whyNot(o: CheckoutCouponView | CheckoutRewardView): string {
  const broken = o.rules.find((r) => !r.passed)
  if (broken?.rule === 'coupon') return tIf(`error.${String(broken.have)}`, broken.hint ?? '')
  if (broken?.rule === 'points')
    return t('till.missing', { points: points(Number(broken.need) - Number(broken.have ?? 0)) })
  return tIf(`till.broken.${broken?.rule}`, broken?.hint ?? '')
}

const nextReward = (next: { name?: string; pointsMissing: number }): string =>
  t('till.toNextReward', { n: next.pointsMissing, points: points(next.pointsMissing), name: next.name ?? '' })

// Bill shows what leads to the amount to pay, as a receipt does: the sum, then each discount as a line with its name.
function Bill({ of }: { of: CheckoutView }): JSX.Element {
  const discounts = [...(of.level?.discounts ?? []), ...of.coupons, ...of.rewards].filter((d) => d.discount > 0)
  const line = (name: string, amount: number, key = name): JSX.Element => (
    <tr key={key}>
      <th scope="row">{name}</th>
      <td class="number">{money(amount, of.currency)}</td>
    </tr>
  )
  return (
    <table class="bill">
      <tbody>
        {line(t('till.sum'), of.value, '')}
        {discounts.map((d, i) => line(d.name ?? '', -d.discount, `${i}`))}
      </tbody>
      <tfoot>{line(t('till.due'), of.toPay)}</tfoot>
    </table>
  )
}

function Price({ of }: { of: CheckoutView }): JSX.Element {
  const { after, points: earned } = of
  const next = after?.nextLevel
  const missing =
    next?.pointsMissing !== undefined
      ? t('till.points', { n: next.pointsMissing, points: points(next.pointsMissing) })
      : next?.amountMissing !== undefined
        ? money(next.amountMissing, of.currency)
        : ''
  return (
    <Notice tone="accent" title={t('till.toPay', { amount: money(of.toPay, of.currency) })}>
      {of.discount > 0 && <Bill of={of} />}
      {earned && (
        <p>
          {t('till.earns', { n: earned.earned, points: points(earned.earned) })}.{' '}
          {after && t('till.balanceAfter', { points: points(after.points) })}
        </p>
      )}
      {after?.levelChanges && after.levelName && <p>{t('till.levelAfter', { level: after.levelName })}</p>}
      {after?.nextReward && <p>{nextReward(after.nextReward)}</p>}
      {missing && <p>{t('till.toNextLevel', { missing, level: next?.name ?? '' })}</p>}
    </Notice>
  )
}
