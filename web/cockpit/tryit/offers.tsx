// Every coupon and reward of a checkout with the rules that were checked, in plain words.
import type { JSX } from 'preact'
import type { CheckoutCouponView, CheckoutRewardView, CheckoutView, ApiFinding } from '../../api/types'
import { dateTime, instant, number, points, t, tIf } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Badge, Card } from '../../ui/basics'
import { Icon } from '../../ui/icons'
import { Link } from '../../ui/router'
import { statusText } from '../customers/status'

export function Offers({ of }: { of: CheckoutView }): JSX.Element | null {
  const all = [...of.coupons, ...of.rewards]
  if (all.length === 0) return null
  const { tried, complete } = of.combinations
  return (
    <Card title={t('tryIt.rules')}>
      {all.map((o, i) => (
        <Offer key={i} of={o} currency={of.currency} />
      ))}
      {tried > 1 && <p class="muted">{t(complete ? 'tryIt.allTried' : 'tryIt.someTried', { n: tried })}</p>}
    </Card>
  )
}

function Offer({ of, currency }: { of: CheckoutCouponView | CheckoutRewardView; currency: string }): JSX.Element {
  const code = 'code' in of ? of.code : ''
  const name = of.name || code || of.campaignId || ''
  return (
    <section class="try-offer" aria-label={name}>
      <header class="row">
        <h3>{of.campaignId ? <Link to={`/campaigns/${of.campaignId}`}>{name}</Link> : name}</h3>
        {of.applied ? <Badge tone="success">{t('tryIt.applied')}</Badge> : <Badge>{t('tryIt.notApplied')}</Badge>}
      </header>
      <p class="muted">
        {[
          code && code !== name && t('tryIt.code', { code }),
          'costInPoints' in of && t('tryIt.costs', { n: of.costInPoints, points: points(of.costInPoints) }),
          of.discount > 0 && t('tryIt.takesOff', { amount: money(of.discount, currency) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <ul class="try-rules">
        {of.rules.map((f) => (
          <Rule key={f.rule} of={f} currency={currency} />
        ))}
      </ul>
    </section>
  )
}

function Rule({ of: f, currency }: { of: ApiFinding; currency: string }): JSX.Element {
  const compared = [
    f.need !== undefined && t('tryIt.need', { need: shown(f, f.need, currency) }),
    f.have !== undefined && f.rule !== 'coupon' && t('tryIt.have', { have: shown(f, f.have, currency) }),
  ]
    .filter(Boolean)
    .join(' · ')
  return (
    <li class={f.passed ? undefined : 'fails'}>
      <Icon name={f.passed ? 'check' : 'close'} size={16} />
      <div>
        <p>
          {tIf(`tryIt.rule.${f.rule}`, f.rule)}{' '}
          <span class="hidden">{t(f.passed ? 'tryIt.passed' : 'tryIt.failed')}</span>
        </p>
        {!f.passed && <p class="try-hint">{hintOf(f)}</p>}
        {compared && (
          <p class="muted">
            <small>{compared}</small>
          </p>
        )}
      </div>
    </li>
  )
}

// hintOf returns the hint of a broken rule, in the user's language where there is a text.
function hintOf(f: ApiFinding): string {
  const hint = f.hint ?? ''
  if (f.rule === 'coupon') return tIf(`error.${String(f.have)}`, hint)
  if (f.rule === 'points') {
    const n = Math.round((Number(f.need) - Number(f.have ?? 0)) * 100) / 100
    return t('tryIt.pointsMissing', { n, points: points(n) })
  }
  if (f.need !== undefined && (f.rule === 'active' || f.rule === 'visible')) {
    const isAhead = instant(String(f.need)) > instant(String(f.have))
    return t(isAhead ? 'tryIt.from' : 'tryIt.until', { at: dateTime(String(f.need)) })
  }
  return tIf(`tryIt.hint.${f.rule}`, hint)
}

// shown formats what a rule needs, or what there is.
function shown(f: ApiFinding, value: unknown, currency: string): string {
  if (Array.isArray(value)) return value.join(', ') || t('tryIt.none')
  if (typeof value === 'number')
    return f.rule === 'points' ? points(value) : f.rule === 'minimumBasket' ? money(value, currency) : number(value)
  const text = String(value)
  switch (f.rule) {
    case 'active':
    case 'visible':
      return dateTime(text) || text
    case 'customer':
      return statusText(text)
    case 'reward':
    case 'discount':
      return tIf(`reward.${text}`, text)
    default:
      return text
  }
}
