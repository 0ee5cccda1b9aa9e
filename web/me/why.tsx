// Why a customer cannot have a reward yet. The server tells the reasons that customers may know, see
// docs/behaviour/offers.md#explanations.
import type { JSX } from 'preact'
import type { ApiFinding, PurchasePresentedToCustomer } from '../api/types'
import { since, t } from '../i18n/i18n'
import { Icon } from '../ui/icons'
import { amount } from './brand'

type Offer = PurchasePresentedToCustomer

// isWithinReach reports whether the customer can have a reward now.
export function isWithinReach(o: Offer): boolean {
  return o.canBeBoughtByCustomer && (o.explanation ?? []).length === 0
}

// onlyPointsMissing reports whether nothing but the points can stand against a reward.
export function onlyPointsMissing(o: Offer): boolean {
  return o.canBeBoughtByCustomer
    ? isWithinReach(o)
    : o.explanation?.[0]?.rule === 'points' && o.explanation.length === 1
}

// reasonsOf says in words what stands against a reward: at least one text for one that is out of reach.
export function reasonsOf(o: Offer): string[] {
  if (isWithinReach(o)) return []
  const texts = (o.explanation ?? []).map((f) => reasonOf(f, o)).filter(Boolean)
  return texts.length > 0 ? texts : [t('me.notNow')]
}

function reasonOf(f: ApiFinding, o: Offer): string {
  switch (f.rule) {
    case 'points':
      return t('me.missing', { amount: amount(Math.round((Number(f.need) - Number(f.have ?? 0)) * 100) / 100) })
    case 'level': {
      const levels = Array.isArray(f.need) ? (f.need as string[]) : []
      return levels.length > 0
        ? t('me.needsLevel', { n: levels.length, levels: levels.join(', ') })
        : t('me.needsOtherLevel')
    }
    case 'notActiveYet':
      return t('me.fromOn', { at: since(String(f.need ?? '')) })
    case 'soldOut':
      return t('me.soldOut')
    case 'limitReached':
      return o.availableAgainAt ? t('me.againOn', { at: since(o.availableAgainAt) }) : t('me.hadAll')
    default:
      return ''
  }
}

// Why is the quiet line that says why a reward is out of reach.
export function Why({ offer }: { offer: Offer }): JSX.Element | null {
  const reasons = reasonsOf(offer)
  if (reasons.length === 0) return null
  return (
    <p class="muted why">
      <Icon name="lock" size={16} />
      <span>{reasons.join(' · ')}</span>
    </p>
  )
}
