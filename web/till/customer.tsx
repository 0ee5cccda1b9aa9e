// A customer at the till: balance, coupons to use and rewards to buy.
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failure, newKey, online } from '../api/client'
import { byPin } from '../api/session'
import { clockAt, percent, points, t, until } from '../i18n/i18n'
import { Avatar } from '../ui/avatar'
import { Badge, Button, ErrorState, Notice, Skeleton } from '../ui/basics'
import { Confirm } from '../ui/dialog'
import { buy, cancelPurchase, useCoupon } from './actions'
import { load, type Coupon, type Known, type Reward } from './known'
import { PointsDialog } from './points'
import { confirmed, entries } from './queue'
import { ReceiptDialog } from './receipt'
import { unfinished } from './sale'
import { SaleDialog } from './sale_dialog'
import { seller } from './seller'

export function CustomerPanel({ id }: { id: string }): JSX.Element {
  const [state, setState] = useState<{ customer?: Known; fresh: boolean; error?: Failure }>({ fresh: true })
  const [attempt, setAttempt] = useState(0)
  const [dialog, setDialog] = useState<'sale' | 'receipt' | 'points' | null>(null)
  useEffect(() => {
    let left = false
    load(id).then(
      (found) => {
        if (!left) setState(found)
      },
      (e: unknown) => {
        if (!left) setState({ fresh: false, error: e instanceof Failure ? e : new Failure('failed', 0, String(e)) })
      },
    )
    return () => {
      left = true
    }
  }, [id, attempt, confirmed.value, online.value])
  const c = state.customer
  if (state.error) return <ErrorState error={state.error} retry={() => setAttempt(attempt + 1)} />
  if (!c || c.id !== id)
    return (
      <div class="card">
        <Skeleton lines={6} />
      </div>
    )
  return (
    <section class="customer" aria-label={c.name}>
      <header class="card who">
        <Avatar large path={state.fresh ? c.avatar : undefined} version={c.version} name={c.name} />
        <div class="name">
          <h1>
            {c.name} {c.level && <Badge tone="accent">{c.level}</Badge>}{' '}
            {!!c.discount && <Badge tone="success">{t('till.discount', { percent: percent(c.discount, 6) })}</Badge>}
          </h1>
          <p class="muted">{[c.card, c.phone, c.email].filter(Boolean).join(' · ')}</p>
        </div>
        <p class="balance">
          <strong>{t('till.points', { n: c.points, points: points(c.points) })}</strong>
          {c.pending > 0 && <span class="muted">{t('till.pending', { points: points(c.pending) })}</span>}
          {!state.fresh && <Badge tone="warning">{t('till.asOf', { time: clockAt(c.at) })}</Badge>}
        </p>
        {c.active && (
          <div class="row">
            {seller.value?.allowTransactions && online.value && (
              <Button kind="primary" icon="sales" onClick={() => setDialog('sale')}>
                {t('till.sell')}
              </Button>
            )}
            {seller.value?.allowTransactions && (
              <Button kind={online.value ? undefined : 'primary'} icon="plus" onClick={() => setDialog('receipt')}>
                {t('till.receipt')}
              </Button>
            )}
            {seller.value?.allowPointTransfer && !byPin() && (
              <Button icon="points" onClick={() => setDialog('points')}>
                {t('till.pointsButton')}
              </Button>
            )}
          </div>
        )}
      </header>
      {!c.active && (
        <Notice tone="danger" title={t('till.notActive')}>
          {t('till.notActiveHelp')}
        </Notice>
      )}
      {unfinished.value[c.id] && (
        <Notice tone="warning" title={t('till.saleStopped')}>
          <Button onClick={() => setDialog('sale')}>{t('till.continueSale')}</Button>
        </Notice>
      )}
      {c.active && (
        <div class="halves">
          {seller.value?.allowCouponUse && <Coupons customer={c} />}
          <Rewards customer={c} />
        </div>
      )}
      {dialog === 'sale' && <SaleDialog customer={c} onClose={() => setDialog(null)} />}
      {dialog === 'receipt' && (
        <ReceiptDialog customer={{ id: c.id, name: c.name }} currency={c.currency} onClose={() => setDialog(null)} />
      )}
      {dialog === 'points' && <PointsDialog customer={c} onClose={() => setDialog(null)} />}
    </section>
  )
}

function Coupons({ customer }: { customer: Known }): JSX.Element {
  return (
    <section aria-labelledby="usable">
      <h2 id="usable">{t('till.usable')}</h2>
      {customer.coupons.length === 0 && <p class="muted none">{t('till.noCoupons')}</p>}
      <ul class="tiles">
        {customer.coupons.map((coupon) => (
          <CouponTile key={coupon.couponId} coupon={coupon} customer={customer} />
        ))}
      </ul>
    </section>
  )
}

function CouponTile({ coupon, customer }: { coupon: Coupon; customer: Known }): JSX.Element {
  const [busy, setBusy] = useState(false)
  const [cancelling, setCancelling] = useState<string | null>(null) // the key of the call
  const queued = entries.value.some((e) => e.couponId === coupon.couponId && !e.refused)
  const use = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    await useCoupon({ ...coupon, customer: customer.name, customerId: customer.id })
    setBusy(false)
  }
  return (
    <li class="tile">
      <div>
        <strong>{coupon.name}</strong>
        {coupon.text && <p>{coupon.text}</p>}
        <p class="muted">
          <code>{coupon.code}</code>
          {coupon.until && ` · ${t('till.until', { date: until(coupon.until) })}`}
        </p>
      </div>
      {queued && !busy ? (
        <Badge tone="warning">{t('till.waiting')}</Badge>
      ) : (
        <Button kind="primary" busy={busy} label={t('till.useName', { what: coupon.name })} onClick={() => void use()}>
          {t('till.use')}
        </Button>
      )}
      {seller.value?.allowCouponCancel && !byPin() && online.value && !queued && !busy && (
        <Button
          kind="plain"
          label={t('till.cancelName', { what: coupon.name })}
          onClick={() => setCancelling(newKey())}
        >
          {t('till.cancel')}
        </Button>
      )}
      {cancelling && (
        <Confirm
          title={t('till.cancelName', { what: coupon.name })}
          action={t('till.cancel')}
          onClose={() => setCancelling(null)}
          onConfirm={() => cancelPurchase(customer, coupon, cancelling)}
        >
          {t('till.cancelText', { customer: customer.name })}
        </Confirm>
      )}
    </li>
  )
}

function RewardTile({ reward, children }: { reward: Reward; children: ComponentChildren }): JSX.Element {
  return (
    <li class="tile">
      <div>
        <strong>{reward.name}</strong>
        {reward.text && <p>{reward.text}</p>}
        <p class="number">
          {reward.price > 0 ? t('till.points', { n: reward.price, points: points(reward.price) }) : t('till.free')}
        </p>
      </div>
      {children}
    </li>
  )
}

function Rewards({ customer }: { customer: Known }): JSX.Element {
  const [chosen, setChosen] = useState<{ reward: Reward; key: string } | null>(null)
  const cheapestFirst = [...customer.rewards].sort((a, b) => a.price - b.price)
  const buyable = cheapestFirst.filter((reward) => reward.canBuy)
  const beyond = cheapestFirst.filter((reward) => !reward.canBuy)
  return (
    <div class="rewards">
      <section aria-labelledby="rewards">
        <h2 id="rewards">{t('till.canBuy')}</h2>
        {buyable.length === 0 && <p class="muted none">{t('till.noRewards')}</p>}
        <ul class="tiles">
          {buyable.map((reward) => (
            <RewardTile key={reward.campaignId} reward={reward}>
              <Button
                label={t('till.buyName', { what: reward.name })}
                onClick={() => setChosen({ reward, key: newKey() })}
              >
                {t('till.buy')}
              </Button>
            </RewardTile>
          ))}
        </ul>
        {chosen && (
          <Confirm
            title={t('till.buyTitle', { what: chosen.reward.name })}
            action={t('till.buy')}
            danger={false}
            onClose={() => setChosen(null)}
            onConfirm={() => buy(customer, chosen.reward, chosen.key)}
          >
            {t('till.buyText', {
              customer: customer.name,
              price: points(chosen.reward.price),
              left: points(customer.points - chosen.reward.price),
            })}
          </Confirm>
        )}
      </section>
      {beyond.length > 0 && (
        <section aria-labelledby="beyond">
          <h2 id="beyond">{t('till.notYet')}</h2>
          <ul class="tiles">
            {beyond.map((reward) => (
              <RewardTile key={reward.campaignId} reward={reward}>
                <span class="muted missing">
                  {t('till.missing', { points: points(reward.price - customer.points) })}
                </span>
              </RewardTile>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
