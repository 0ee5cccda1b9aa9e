// What a scan has found, unless it was one customer: coupons, several customers, or nothing.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { PurchaseCouponView } from '../api/types'
import { dateTime, t, tIf, until } from '../i18n/i18n'
import { Badge, Button, Empty } from '../ui/basics'
import { useCoupon } from './actions'
import type { Found } from './find'
import { benefit, plain } from './known'
import { entries } from './queue'
import { ReceiptDialog } from './receipt'
import { seller } from './seller'

export function FoundCoupons({
  coupons,
  onCustomer,
}: {
  coupons: PurchaseCouponView[]
  onCustomer: (id: string) => void
}): JSX.Element {
  return (
    <section class="stack" aria-labelledby="found">
      <h1 id="found">{t('till.coupon')}</h1>
      <ul class="tiles">
        {coupons.map((c) => (
          <FoundCoupon key={(c.couponId ?? '') + c.campaignId} coupon={c} onCustomer={onCustomer} />
        ))}
      </ul>
    </section>
  )
}

function FoundCoupon({
  coupon: c,
  onCustomer,
}: {
  coupon: PurchaseCouponView
  onCustomer: (id: string) => void
}): JSX.Element {
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState(false)
  const name = plain(c.campaign.name) || c.code
  const customer = c.customer ? `${c.customer.firstName} ${c.customer.lastName}` : ''
  const queued = entries.value.some((e) => e.couponId && e.couponId === c.couponId && !e.refused)
  const use = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    await useCoupon({
      code: c.code,
      name,
      text: benefit(c.campaign),
      customer,
      customerId: c.customer?.customerId,
      campaignId: c.campaignId,
      couponId: c.couponId,
    })
    setDone(true)
    setBusy(false)
  }
  return (
    <li class="tile large">
      <div>
        <strong>{name}</strong>
        <p>{benefit(c.campaign)}</p>
        <p class="muted">
          <code>{c.code}</code>
          {c.activeTo && ` · ${t('till.until', { date: until(c.activeTo) })}`}
        </p>
        {!c.usable && c.reason && <Badge tone="danger">{tIf(`error.${c.reason}`, c.reason)}</Badge>}
        {c.used && c.usageDate && (
          <p>{[t('till.usedOn', { time: dateTime(c.usageDate) }), c.usedPosName].filter(Boolean).join(', ')}</p>
        )}
      </div>
      {c.usable &&
        seller.value?.allowCouponUse &&
        !done &&
        (queued ? (
          <Badge tone="warning">{t('till.waiting')}</Badge>
        ) : (
          <Button kind="primary" busy={busy} label={t('till.useName', { what: name })} onClick={() => void use()}>
            {t('till.use')}
          </Button>
        ))}
      {c.customer && (
        <Button icon="user" onClick={() => onCustomer(c.customer!.customerId)}>
          {customer}
        </Button>
      )}
    </li>
  )
}

export function Several({
  found,
  onCustomer,
  onCoupon,
}: {
  found: Found & { kind: 'several' }
  onCustomer: (id: string) => void
  onCoupon: () => void
}): JSX.Element {
  return (
    <section class="stack" aria-labelledby="found">
      <h1 id="found">{t('till.several', { n: found.total, text: found.text })}</h1>
      <ul class="people">
        {found.customers.map((c) => (
          <li key={c.id}>
            <button type="button" class="button" onClick={() => onCustomer(c.id)}>
              <strong>{c.name}</strong>
              <span class="muted">{c.detail}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.total > found.customers.length && <p class="muted">{t('till.typeMore')}</p>}
      {seller.value?.allowCouponLookup && (
        <div>
          <Button icon="coupon" onClick={onCoupon}>
            {t('till.findCoupon', { code: found.text })}
          </Button>
        </div>
      )}
    </section>
  )
}

// Nothing offers what can still be done. Without a network, a card and a code that the device does not know can be
// entered all the same: the server decides later.
export function Nothing({
  text,
  offline,
  onRegister,
  onDone,
}: {
  text: string
  offline: boolean
  onRegister: () => void
  onDone: () => void
}): JSX.Element {
  const [receipt, setReceipt] = useState(false)
  const use = async (): Promise<void> => {
    await useCoupon({ code: text, name: text, text: '', customer: '' })
    onDone()
  }
  const actions = offline ? (
    <div class="row center">
      {seller.value?.allowTransactions && (
        <Button icon="sales" onClick={() => setReceipt(true)}>
          {t('till.receiptForCard')}
        </Button>
      )}
      {seller.value?.allowCouponUse && (
        <Button icon="coupon" onClick={() => void use()}>
          {t('till.useAsCoupon')}
        </Button>
      )}
    </div>
  ) : (
    <Button icon="plus" onClick={onRegister}>
      {t('till.register')}
    </Button>
  )
  return (
    <>
      <Empty
        icon={offline ? 'wifiOff' : 'search'}
        title={t(offline ? 'till.unknownHere' : 'till.nothing', { text })}
        action={actions}
      >
        {t(offline ? 'till.unknownHereHelp' : 'till.nothingHelp')}
      </Empty>
      {receipt && <ReceiptDialog customer={{ card: text, name: text }} currency="" onClose={() => setReceipt(false)} />}
    </>
  )
}
