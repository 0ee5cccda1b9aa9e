// The rewards that the customer can have, and what is missing for the others.
import type { JSX } from 'preact'
import { useQuery } from '../api/client'
import type { CustomerBalance, PurchasePresentedToCustomer } from '../api/types'
import { language, since, t } from '../i18n/i18n'
import { Badge, Button, Empty, ErrorState, Page, Skeleton } from '../ui/basics'
import { Prose } from '../ui/prose'
import { href, place, setQuery } from '../ui/router'
import { amount } from './brand'
import { Home } from './home'
import { pictureOf, useBalance, useOffers } from './data'
import { Picture } from './parts'

type Offer = PurchasePresentedToCustomer

export default function Rewards(): JSX.Element {
  const { data, error, reload } = useOffers()
  const balance = useBalance().data
  const all = useQuery('/api/{store}/campaignCategory', { active: 1, perPage: 100, _locale: language.value }).data
  const offers = data?.campaigns
  const categories = (all?.categories ?? []).filter((c) => offers?.some((o) => o.categories?.includes(c.campaignCategoryId)))
  const chosen = place.value.query.get('category') ?? ''
  const shown = offers?.filter((o) => !chosen || o.categories?.includes(chosen))
    .sort((a, b) => Number(b.featured ?? false) - Number(a.featured ?? false) || a.costInPoints - b.costInPoints)
  return (
    <Page title={t('me.rewards')}>
      {balance && <Home balance={balance} offers={offers ?? []} />}
      {categories.length > 0 && (
        <div class="chips" role="group" aria-label={t('me.categories')}>
          {[{ campaignCategoryId: '', name: t('me.all') }, ...categories].map((c) => (
            <Button key={c.campaignCategoryId} small pressed={chosen === c.campaignCategoryId}
              onClick={() => setQuery({ category: c.campaignCategoryId })}>{c.name ?? ''}</Button>
          ))}
        </div>
      )}
      {error && !offers && <ErrorState error={error} retry={reload} />}
      {!shown && !error && <Skeleton lines={6} />}
      {shown?.length === 0 && (chosen
        ? <Empty icon="search" title={t('table.noMatch')} action={<Button onClick={() => setQuery({ category: '' })}>{t('me.all')}</Button>} />
        : <Empty icon="rewards" title={t('me.noRewards')}>{t('me.noRewardsHelp')}</Empty>)}
      {shown && shown.length > 0 && (
        <ul class="offers">{shown.map((o) => <li key={o.campaignId}><OfferCard offer={o} balance={balance} /></li>)}</ul>
      )}
    </Page>
  )
}

function OfferCard({ offer: o, balance }: { offer: Offer; balance: CustomerBalance | undefined }): JSX.Element {
  return (
    <a class="offer" href={href(`/rewards/${o.campaignId}`)}>
      <Picture address={pictureOf(o)} />
      <div class="offer-text">
        {o.brandName && <small class="muted">{o.brandName}</small>}
        <h2>{o.name}</h2>
        {o.shortDescription && <div class="muted short"><Prose text={o.shortDescription} /></div>}
        <div class="offer-foot">
          <span class="price">{priceOf(o)}</span>
          <Standing offer={o} balance={balance} />
          {balance && missing(o, balance) > 0 && (
            <progress max={o.costInPoints} value={balance.points} aria-label={t('me.progress', { have: amount(balance.points), price: amount(o.costInPoints) })} />
          )}
        </div>
      </div>
    </a>
  )
}

export function priceOf(o: Offer): string {
  if (o.reward === 'cashback') return t('me.cashback')
  return o.costInPoints > 0 ? amount(o.costInPoints) : t('me.free')
}

// missing is how many points the customer lacks for a reward.
export function missing(o: Offer, balance: CustomerBalance | undefined): number {
  return balance ? Math.max(0, Math.round((o.costInPoints - balance.points) * 100) / 100) : 0
}

// Standing says whether the customer can have a reward now, and why not.
export function Standing({ offer: o, balance }: { offer: Offer; balance: CustomerBalance | undefined }): JSX.Element {
  if (o.canBeBoughtByCustomer) return <Badge tone="success">{t('me.canHave')}</Badge>
  if (o.availableAgainAt) return <Badge>{t('me.againOn', { at: since(o.availableAgainAt) })}</Badge>
  if (o.usageLeft <= 0) return <Badge>{t('me.soldOut')}</Badge>
  if (o.usageLeftForCustomer <= 0) return <Badge>{t('me.hadAll')}</Badge>
  const from = o.campaignActivity.activeFrom
  if (from && Date.parse(from) > Date.now()) return <Badge>{t('me.fromOn', { at: since(from) })}</Badge>
  const lacking = missing(o, balance)
  return <Badge>{lacking > 0 ? t('me.missing', { amount: amount(lacking) }) : t('me.notNow')}</Badge>
}
