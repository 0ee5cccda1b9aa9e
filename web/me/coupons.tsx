// The coupons of the customer: those that can be used, were used, or have expired.
import type { JSX } from 'preact'
import { date, since, t, until } from '../i18n/i18n'
import { Badge, ButtonLink, Empty, ErrorState, Page, Skeleton } from '../ui/basics'
import { href } from '../ui/router'
import { Tabs } from '../ui/tabs'
import { maxCoupons, pictureOf, stateOf, useCoupons, type Coupon, type State } from './data'
import { AsOf, Picture } from './parts'

export default function Coupons(): JSX.Element {
  const { data, error, reload, at } = useCoupons()
  const of = (...states: State[]): Coupon[] => data?.campaigns.filter((c) => states.includes(stateOf(c))) ?? []
  const active = of('active', 'waiting')
  const body = (coupons: Coupon[], empty: () => JSX.Element) => (): JSX.Element =>
    coupons.length === 0 ? (
      empty()
    ) : (
      <ul class="coupons">
        {coupons.map((c) => (
          <li key={c.coupon.id + c.purchaseAt}>
            <CouponCard coupon={c} />
          </li>
        ))}
      </ul>
    )
  return (
    <Page title={t('me.coupons')}>
      <AsOf at={at} />
      {error && !data && <ErrorState error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={6} />}
      {data && (
        <Tabs
          label={t('me.coupons')}
          tabs={[
            {
              name: 'active',
              title: t('me.tabActive', { n: active.length }),
              body: body(active, () => (
                <Empty
                  icon="coupon"
                  title={t('me.noCoupons')}
                  action={
                    <ButtonLink to="/" kind="primary">
                      {t('me.toRewards')}
                    </ButtonLink>
                  }
                >
                  {t('me.noCouponsHelp')}
                </Empty>
              )),
            },
            {
              name: 'used',
              title: t('me.tabUsed'),
              body: body(of('used'), () => <Empty icon="check" title={t('me.noneUsed')} />),
            },
            {
              name: 'expired',
              title: t('me.tabExpired'),
              body: body(of('expired'), () => <Empty icon="clock" title={t('me.noneExpired')} />),
            },
          ]}
        />
      )}
      {data && data.total > maxCoupons && <p class="muted">{t('me.newestCoupons', { n: maxCoupons })}</p>}
    </Page>
  )
}

function CouponCard({ coupon: c }: { coupon: Coupon }): JSX.Element {
  const state = stateOf(c)
  return (
    <a class={`ticket ${state}`} href={href(`/coupons/${c.coupon.id}`)}>
      <Picture address={pictureOf(c.campaign)} />
      <div>
        <h2>{c.campaign?.name ?? c.coupon.code}</h2>
        <div class="muted">{whenOf(c)}</div>
        <div class="row">
          <code>{c.coupon.code}</code>
          {state === 'waiting' && <Badge tone="warning">{t('me.waiting')}</Badge>}
          {c.status === 'cancelled' && <Badge>{t('me.cancelled')}</Badge>}
          {c.deliveryStatus && c.deliveryStatus !== 'ordered' && (
            <Badge>{t(deliveries[c.deliveryStatus] ?? 'me.delivery.ordered')}</Badge>
          )}
        </div>
      </div>
    </a>
  )
}

const deliveries: Record<
  string,
  'me.delivery.ordered' | 'me.delivery.shipped' | 'me.delivery.delivered' | 'me.delivery.canceled'
> = {
  ordered: 'me.delivery.ordered',
  shipped: 'me.delivery.shipped',
  delivered: 'me.delivery.delivered',
  canceled: 'me.delivery.canceled',
}

// whenOf says until when a coupon can be used, or what has become of it.
export function whenOf(c: Coupon): string {
  const state = stateOf(c)
  if (state === 'used') return t('me.usedOn', { time: date(c.usageDate) })
  if (state === 'waiting') return t('me.usableFrom', { time: since(c.activeSince) })
  if (c.status === 'cancelled') return t('me.cancelled')
  if (state === 'expired') return t('me.expiredOn', { time: until(c.activeTo) })
  return c.activeTo ? t('me.validUntil', { time: until(c.activeTo) }) : t('me.validAlways')
}
