// What a customer wants to know first: the card, the points, the level, and what they can have next.
import type { JSX } from 'preact'
import type { CustomerBalance, PurchasePresentedToCustomer } from '../api/types'
import { points, t } from '../i18n/i18n'
import { money } from '../i18n/number'
import { ButtonLink } from '../ui/basics'
import { Link } from '../ui/router'
import { amount } from './brand'
import { useCustomer } from './data'
import { isWithinReach, onlyPointsMissing } from './why'

export function Home({
  balance: b,
  offers,
}: {
  balance: CustomerBalance
  offers: PurchasePresentedToCustomer[]
}): JSX.Element {
  const customer = useCustomer().data
  const byPoints = b.pointsToNextLevel !== undefined
  const lacking =
    b.pointsToNextLevel ?? b.transactionsAmountToNextLevelWithoutDeliveryCosts ?? b.transactionsAmountToNextLevel
  const goal = b.nextLevelConditionValue ?? 0
  return (
    <section class="home card" aria-label={t('me.yourCard')}>
      <div class="home-top">
        <Link to="/points" class="balance">
          <strong>{points(b.points)}</strong>
          <span>{t('me.balance')}</span>
        </Link>
        <ButtonLink icon="card" to="/card">
          {t('me.showCard')}
        </ButtonLink>
      </div>
      {customer && (
        <p class="muted home-name">
          {[[customer.firstName, customer.lastName].filter(Boolean).join(' '), b.levelName].filter(Boolean).join(' · ')}
        </p>
      )}
      {b.nextLevelName && lacking !== undefined && (
        <label class="meter">
          <span>
            {t('me.toNext', {
              lacking: byPoints ? amount(lacking) : money(lacking, b.currency),
              level: b.nextLevelName,
            })}
          </span>
          <progress max={goal || 1} value={Math.max(0, goal - lacking)} />
        </label>
      )}
      <Next balance={b} offers={offers} />
    </section>
  )
}

// Next names the reward that the customer can have, or the one that is nearest.
function Next({
  balance: b,
  offers,
}: {
  balance: CustomerBalance
  offers: PurchasePresentedToCustomer[]
}): JSX.Element | null {
  const priced = offers
    .filter((o) => o.costInPoints > 0 && onlyPointsMissing(o))
    .sort((x, y) => x.costInPoints - y.costInPoints)
  const next = priced.find((o) => o.costInPoints > b.points)
  const now = priced.filter(isWithinReach).at(-1)
  if (next) {
    return (
      <label class="meter">
        <span>
          {t('me.toReward', { amount: amount(Math.round((next.costInPoints - b.points) * 100) / 100) })}{' '}
          <Link to={`/rewards/${next.campaignId}`}>{next.name ?? ''}</Link>
        </span>
        <progress max={next.costInPoints} value={b.points} />
      </label>
    )
  }
  return now ? (
    <p>
      {t('me.canHaveNow')} <Link to={`/rewards/${now.campaignId}`}>{now.name ?? ''}</Link>
    </p>
  ) : null
}
