// A coupon as it is shown at the counter: white, with its code in every form. It says by itself when it was used.
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { online } from '../api/client'
import { clock, date, t } from '../i18n/i18n'
import { Button, Empty, ErrorState, Skeleton } from '../ui/basics'
import { Icon } from '../ui/icons'
import { Prose } from '../ui/prose'
import { navigate, type RouteProps } from '../ui/router'
import { Codes } from './codes'
import { whenOf } from './coupons'
import { stateOf, useCoupons } from './data'
import { AsOf } from './parts'

// pollInterval is how often an unused coupon on the screen asks whether it was used, in milliseconds.
const pollInterval = 3000

export default function OneCoupon({ params }: RouteProps): JSX.Element {
  const { data, error, reload, at, loading } = useCoupons()
  const c = data?.campaigns.find((one) => one.coupon.id === params['coupon'])
  const state = c && stateOf(c)
  useEffect(() => {
    if (state !== 'active' && state !== 'waiting') return
    const timer = setInterval(() => {
      if (!document.hidden) reload()
    }, pollInterval)
    return () => clearInterval(timer)
  }, [state])
  document.title = c?.campaign?.name ?? t('me.coupon')
  const close = (
    <Button kind="plain" icon="close" label={t('action.close')} class="close" onClick={() => navigate('/coupons')} />
  )
  if (!c) {
    return (
      <div class="counter-page">
        {close}
        <h1 class="hidden">{t('me.coupon')}</h1>
        {error && !data ? (
          <ErrorState error={error} retry={reload} />
        ) : loading ? (
          <Skeleton lines={6} />
        ) : (
          <Empty icon="coupon" title={t('me.couponGone')} />
        )}
      </div>
    )
  }
  const k = c.campaign
  return (
    <div class="counter-page">
      {close}
      <h1>{k?.name ?? t('me.coupon')}</h1>
      {k?.shortDescription && (
        <div class="prose">
          <Prose text={k.shortDescription} />
        </div>
      )}
      <div role="status" class="outcome">
        {state === 'used' && (
          <div class="used">
            <Icon name="check" size={64} />
            <strong>{t('me.used')}</strong>
            <span>
              {date(c.usageDate)}, {clock(c.usageDate)}
            </span>
          </div>
        )}
      </div>
      {state === 'active' ? (
        <Codes text={c.coupon.code} label={k?.name ?? ''} />
      ) : (
        <p class="code faded">{c.coupon.code}</p>
      )}
      {state !== 'used' && <p class="when">{whenOf(c)}</p>}
      {state === 'active' && k?.usageInstruction && (
        <div class="muted prose">
          <Prose text={k.usageInstruction} />
        </div>
      )}
      {state === 'active' && <p class="muted">{online.value ? t('me.live') : t('me.notLive')}</p>}
      <AsOf at={at} />
    </div>
  )
}
