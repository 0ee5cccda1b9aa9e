// One reward: what it is, what it costs, and buying it with one confirmation.
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Failure, newKey, write } from '../api/client'
import { since, t, tIf, until } from '../i18n/i18n'
import { money } from '../i18n/number'
import { Button, Card, Empty, ErrorState, Facts, Page, Skeleton } from '../ui/basics'
import { Confirm } from '../ui/dialog'
import { Prose } from '../ui/prose'
import { navigate, type RouteProps } from '../ui/router'
import { amount } from './brand'
import { Cashback } from './cashback'
import { pictureOf, useBalance, useOffers } from './data'
import { Picture } from './parts'
import { missing, priceOf, Standing } from './rewards'
import { isWithinReach, Why } from './why'

// perPeriod says how often a customer can still have a reward, and in which period that counts.
function perPeriod(left: number, period: string | undefined): string {
  const times = t('me.times', { n: left })
  return period ? `${times}, ${tIf(`limitPeriod.${period}`, period)}` : times
}

export default function Reward({ params }: RouteProps): JSX.Element {
  const { data, error, reload, loading } = useOffers()
  const balance = useBalance().data
  const [asking, setAsking] = useState(false)
  const key = useRef(newKey())
  const back = { to: '/', text: t('me.rewards') }
  const o = data?.campaigns.find((one) => one.campaignId === params['campaign'])
  if (!o) {
    return (
      <Page title={t('me.reward')} back={back}>
        {error && !data ? (
          <ErrorState error={error} retry={reload} />
        ) : loading && !data ? (
          <Skeleton lines={6} />
        ) : (
          <Empty icon="rewards" title={t('me.rewardGone')}>
            {t('me.rewardGoneHelp')}
          </Empty>
        )}
      </Page>
    )
  }
  const buy = async (): Promise<void> => {
    try {
      const sold = await write('POST', '/api/{store}/customer/campaign/{campaign}/buy', {
        params: { campaign: o.campaignId },
        key: key.current,
      })
      navigate(sold.coupons[0] ? `/coupons/${sold.coupons[0].id}` : '/coupons')
    } catch (e) {
      if (e instanceof Failure && e.kind === 'invalid') key.current = newKey() // the refusal is stored under the key
      throw e
    }
  }
  const lacking = missing(o, balance)
  const left = balance ? Math.round((balance.points - o.costInPoints) * 100) / 100 : 0
  return (
    <Page title={o.name ?? t('me.reward')} back={back} lead={o.brandName} badge={<Standing offer={o} />}>
      <div class="reward">
        <Picture address={pictureOf(o)} large />
        <div class="stack">
          {o.shortDescription && (
            <div class="prose">
              <Prose text={o.shortDescription} />
            </div>
          )}
          {o.reward === 'cashback' ? (
            <Cashback offer={o} balance={balance} />
          ) : (
            <Card>
              <div class="buy">
                <span class="price">{priceOf(o)}</span>
                {isWithinReach(o) ? (
                  <Button kind="primary" onClick={() => setAsking(true)}>
                    {t('me.get')}
                  </Button>
                ) : (
                  <Why offer={o} />
                )}
              </div>
              {lacking > 0 && balance && (
                <progress
                  max={o.costInPoints}
                  value={balance.points}
                  aria-label={t('me.progress', { have: amount(balance.points), price: amount(o.costInPoints) })}
                />
              )}
            </Card>
          )}
          <Card>
            <Facts
              items={[
                [t('me.howToUse'), o.usageInstruction && <Prose text={o.usageInstruction} />],
                [t('me.conditions'), o.conditionsDescription && <Prose text={o.conditionsDescription} />],
                [
                  t('me.validFor'),
                  o.reward !== 'cashback' && (o.daysValid ? t('me.days', { n: o.daysValid }) : t('me.validAlways')),
                ],
                [t('me.offerUntil'), o.campaignActivity.activeTo && until(o.campaignActivity.activeTo)],
                [
                  t('me.leftForYou'),
                  !o.unlimited && o.limitPerUser ? perPeriod(o.usageLeftForCustomer, o.limitPerUserPeriod) : '',
                ],
                [t('me.againOnLabel'), o.availableAgainAt && since(o.availableAgainAt)],
                [
                  t('me.minimumBasket'),
                  o.minimumBasket !== undefined && money(o.minimumBasket, balance?.currency ?? ''),
                ],
                [t('me.about'), o.brandDescription && <Prose text={o.brandDescription} />],
                [
                  t('me.more'),
                  o.moreInformationLink && /^https?:/.test(o.moreInformationLink) && (
                    <a href={o.moreInformationLink} target="_blank" rel="noreferrer">
                      {new URL(o.moreInformationLink).hostname}
                    </a>
                  ),
                ],
              ]}
            />
          </Card>
        </div>
      </div>
      {asking && (
        <Confirm
          title={t('me.buyTitle', { name: o.name ?? '' })}
          action={t('me.get')}
          danger={false}
          onConfirm={buy}
          onClose={() => setAsking(false)}
        >
          {o.costInPoints > 0
            ? t('me.buyText', { price: amount(o.costInPoints), left: amount(left) })
            : t('me.buyFree')}
        </Confirm>
      )}
    </Page>
  )
}
