// The price by line, the points by rule and line, and where the customer stands afterwards.
import type { ComponentChildren, JSX } from 'preact'
import type { CheckoutDiscountView, CheckoutLineView, CheckoutView } from '../../api/types'
import { points, t } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Badge, Card, Facts } from '../../ui/basics'
import { Link } from '../../ui/router'

const nameOfLine = (line: CheckoutLineView): string => line.name || line.sku || t('sales.line', { n: line.line + 1 })

// Amount is a row of the bill.
function Amount({ what, value, strong }: { what: ComponentChildren; value: string; strong?: boolean }): JSX.Element {
  return strong ? (
    <p class="try-row">
      <strong>{what}</strong>
      <strong class="number">{value}</strong>
    </p>
  ) : (
    <p class="try-row muted">
      <span>{what}</span>
      <span class="number">{value}</span>
    </p>
  )
}

function discountName(d: CheckoutDiscountView): string {
  const name = d.name || d.code || ''
  return d.by === 'level'
    ? t('tryIt.ofLevel', { name })
    : d.by === 'coupon'
      ? t('tryIt.ofCoupon', { name })
      : t('tryIt.ofReward', { name })
}

export function Bill({ of }: { of: CheckoutView }): JSX.Element {
  const cash = (n: number): string => money(n, of.currency)
  return (
    <Card title={t('tryIt.price')}>
      <ul class="try-bill">
        {of.lines.map((line) => (
          <li key={line.line}>
            <p class="try-row">
              <span>{nameOfLine(line)}</span>
              <span class="number">{cash(line.grossValue)}</span>
            </p>
            {line.discounts.map((d, i) => (
              <Amount key={i} what={discountName(d)} value={cash(-d.discount)} />
            ))}
            {line.discounts.length > 0 && <Amount what={t('tryIt.lineToPay')} value={cash(line.toPay)} />}
          </li>
        ))}
      </ul>
      <div class="try-total">
        {of.discount > 0 && <Amount what={t('tryIt.value')} value={cash(of.value)} />}
        {of.discount > 0 && <Amount what={t('tryIt.discount')} value={cash(-of.discount)} />}
        <Amount what={t('tryIt.toPay')} value={cash(of.toPay)} strong />
      </div>
    </Card>
  )
}

export function Points({ of }: { of: CheckoutView }): JSX.Element | null {
  const p = of.points
  if (!p) return null
  return (
    <Card title={t('tryIt.points')}>
      {p.rules.length === 0 && <p class="muted">{t('tryIt.noRules')}</p>}
      <ul class="try-bill">
        {p.rules.map((rule) => (
          <li key={rule.earningRuleId}>
            <p class="try-row">
              <Link to={`/rules/${rule.earningRuleId}`}>{rule.name}</Link>
              <span class="number">{points(rule.points)}</span>
            </p>
            {rule.lines.map((l) => (
              <Amount key={l.line} what={nameOfLine(of.lines[l.line]!)} value={points(l.points)} />
            ))}
          </li>
        ))}
      </ul>
      <div class="try-total">
        {p.costInPoints > 0 && <Amount what={t('tryIt.cost')} value={points(-p.costInPoints)} />}
        <Amount
          what={
            <>
              {t('tryIt.earned')}
              {p.pending && (
                <>
                  {' '}
                  <Badge tone="warning">{t('tryIt.pending')}</Badge>
                </>
              )}
            </>
          }
          value={points(p.earned)}
          strong
        />
      </div>
    </Card>
  )
}

export function After({ of }: { of: CheckoutView }): JSX.Element | null {
  const a = of.after
  if (!a) return null
  const next = a.nextLevel
  const missing =
    next?.pointsMissing !== undefined
      ? t('tryIt.pointsMissing', { n: next.pointsMissing, points: points(next.pointsMissing) })
      : next?.amountMissing !== undefined
        ? t('tryIt.moneyMissing', { amount: money(next.amountMissing, of.currency) })
        : ''
  return (
    <Card title={t('tryIt.after')}>
      <Facts
        items={[
          [t('tryIt.balance'), points(a.points)],
          [t('tryIt.locked'), a.lockedPoints > 0 && points(a.lockedPoints)],
          [
            t('tryIt.level'),
            a.levelName && (
              <>
                {a.levelName}
                {a.levelChanges && (
                  <>
                    {' '}
                    <Badge tone="success">{t('tryIt.newLevel')}</Badge>
                  </>
                )}
              </>
            ),
          ],
          [t('tryIt.nextLevel'), next && [next.name, missing].filter(Boolean).join(': ')],
          [
            t('tryIt.nextReward'),
            a.nextReward && (
              <p>
                <Link to={`/campaigns/${a.nextReward.campaignId}`}>{a.nextReward.name || a.nextReward.campaignId}</Link>
                {': '}
                {t('tryIt.pointsMissing', {
                  n: a.nextReward.pointsMissing,
                  points: points(a.nextReward.pointsMissing),
                })}
              </p>
            ),
          ],
          [
            t('tryIt.affordable'),
            a.rewards.length > 0 && (
              <ul class="try-affordable">
                {a.rewards.map((r) => (
                  <li key={r.campaignId}>
                    {r.name || r.campaignId} <span class="muted">{points(r.costInPoints)}</span>
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
    </Card>
  )
}
