// The rewards that the customer can have, and what is missing for the others.
import type { JSX } from 'preact'
import { useQuery } from '../api/client'
import type { CustomerBalance, PurchasePresentedToCustomer } from '../api/types'
import { language, t } from '../i18n/i18n'
import { Badge, Button, Empty, ErrorState, Page, Skeleton } from '../ui/basics'
import { Prose } from '../ui/prose'
import { href, place, setQuery } from '../ui/router'
import { amount } from './brand'
import { Home } from './home'
import { pictureOf, useBalance, useOffers } from './data'
import { Picture } from './parts'
import { isWithinReach, Why } from './why'

type Offer = PurchasePresentedToCustomer

export default function Rewards(): JSX.Element {
  const { data, error, reload } = useOffers()
  const balance = useBalance().data
  const all = useQuery('/api/{store}/campaignCategory', { active: 1, perPage: 100, _locale: language.value }).data
  const offers = data?.campaigns
  const categories = (all?.categories ?? []).filter((c) =>
    offers?.some((o) => o.categories?.includes(c.campaignCategoryId)),
  )
  const chosen = place.value.query.get('category') ?? ''
  const shown = offers
    ?.filter((o) => !chosen || o.categories?.includes(chosen))
    .sort((a, b) => Number(b.featured ?? false) - Number(a.featured ?? false) || a.costInPoints - b.costInPoints)
  const beyond = shown?.filter((o) => !isWithinReach(o)) ?? []
  return (
    <Page title={t('me.rewards')}>
      {balance && <Home balance={balance} offers={offers ?? []} />}
      {categories.length > 0 && (
        <div class="chips" role="group" aria-label={t('me.categories')}>
          {[{ campaignCategoryId: '', name: t('me.all') }, ...categories].map((c) => (
            <Button
              key={c.campaignCategoryId}
              small
              pressed={chosen === c.campaignCategoryId}
              onClick={() => setQuery({ category: c.campaignCategoryId })}
            >
              {c.name ?? ''}
            </Button>
          ))}
        </div>
      )}
      {error && !offers && <ErrorState error={error} retry={reload} />}
      {!shown && !error && <Skeleton lines={6} />}
      {shown?.length === 0 &&
        (chosen ? (
          <Empty
            icon="search"
            title={t('table.noMatch')}
            action={<Button onClick={() => setQuery({ category: '' })}>{t('me.all')}</Button>}
          />
        ) : (
          <Empty icon="rewards" title={t('me.noRewards')}>
            {t('me.noRewardsHelp')}
          </Empty>
        ))}
      {shown && <Offers offers={shown.filter(isWithinReach)} balance={balance} />}
      {beyond.length > 0 && (
        <section class="stack" aria-labelledby="beyond">
          <h2 id="beyond">{t('me.outOfReach')}</h2>
          <Offers offers={beyond} balance={balance} beyond />
        </section>
      )}
    </Page>
  )
}

function Offers({
  offers,
  ...props
}: {
  offers: Offer[]
  balance: CustomerBalance | undefined
  beyond?: boolean
}): JSX.Element | null {
  if (offers.length === 0) return null
  return (
    <ul class="offers">
      {offers.map((o) => (
        <li key={o.campaignId}>
          <OfferCard offer={o} {...props} />
        </li>
      ))}
    </ul>
  )
}

function OfferCard({
  offer: o,
  balance,
  beyond,
}: {
  offer: Offer
  balance: CustomerBalance | undefined
  beyond?: boolean
}): JSX.Element {
  const Title = beyond ? 'h3' : 'h2'
  return (
    <a class="offer" href={href(`/rewards/${o.campaignId}`)}>
      <Picture address={pictureOf(o)} />
      <div class="offer-text">
        {o.brandName && <small class="muted">{o.brandName}</small>}
        <Title>{o.name}</Title>
        {o.shortDescription && (
          <div class="muted short">
            <Prose text={o.shortDescription} />
          </div>
        )}
        <div class="offer-foot">
          <span class="price">{priceOf(o)}</span>
          <Standing offer={o} />
          {balance && missing(o, balance) > 0 && (
            <progress
              max={o.costInPoints}
              value={balance.points}
              aria-label={t('me.progress', { have: amount(balance.points), price: amount(o.costInPoints) })}
            />
          )}
          <Why offer={o} />
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

// Standing marks a reward that the customer can have now.
export function Standing({ offer: o }: { offer: Offer }): JSX.Element | null {
  return isWithinReach(o) ? <Badge tone="success">{t('me.canHave')}</Badge> : null
}
