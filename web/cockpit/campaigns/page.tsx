import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CampaignFull } from '../../api/types'
import { newKey, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { dateTime, number, points, t, tIf } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Badge, ButtonLink, Card, Copy, ErrorState, Facts, Page, Skeleton, Time } from '../../ui/basics'
import { Confirm, Menu, toast, toastFailure } from '../../ui/dialog'
import { Switch } from '../../ui/form'
import { Prose } from '../../ui/prose'
import { navigate, type RouteProps } from '../../ui/router'
import { Tabs } from '../../ui/tabs'
import { History } from '../audit/history'
import { useCurrency } from '../currency'
import { amountOf } from '../tryit/values'
import { Audience, Buyers } from './page_customers'
import { Codes } from './page_codes'
import { Pictures } from './page_pictures'
import { Sales } from './page_sales'
import { setActive, setArchived, State, Usage } from './list'
import { fieldsOf, type RewardType } from './types'

// CampaignPage shows one campaign: what it gives, how it sells, its codes and its customers.
export default function CampaignPage({ params }: RouteProps): JSX.Element {
  const id = params['campaign']!
  const { data: c, error, reload } = useQuery('/api/{store}/campaign/{campaign}', { campaign: id, withoutCoupons: 1 })
  const back = { to: '/campaigns', text: t('nav.campaigns') }
  if (error && !c)
    return (
      <Page title={t('campaigns.one')} back={back}>
        <ErrorState error={error} retry={reload} />
      </Page>
    )
  if (!c)
    return (
      <Page title={t('campaigns.one')} back={back}>
        <Skeleton lines={6} />
      </Page>
    )
  const fields = fieldsOf[c.reward as RewardType] ?? {}
  return (
    <Page
      title={c.name ?? t('campaigns.one')}
      back={back}
      badge={<State campaign={c} />}
      lead={t(`reward.${c.reward as RewardType}`)}
      actions={
        <>
          <History of={c.campaignId} />
          <TryIt campaign={c} />
          {may('REWARD_CAMPAIGN', 'MODIFY') && <Actions campaign={c} />}
        </>
      }
    >
      <Tabs
        label={t('campaigns.one')}
        tabs={[
          { name: 'overview', title: t('campaigns.overview'), body: () => <Overview campaign={c} /> },
          !!fields.codes &&
            !c.singleCoupon && { name: 'codes', title: t('editor.codes'), body: () => <Codes campaign={c} /> },
          { name: 'buyers', title: t('campaigns.buyersTab'), body: () => <Buyers campaign={c} /> },
          !!fields.visibility && {
            name: 'audience',
            title: t('editor.audience'),
            body: () => <Audience campaign={c} />,
          },
        ]}
      />
    </Page>
  )
}

const usualBasket = 100 // where the campaign has no minimum

// TryIt tries a checkout in which the reward is wanted.
function TryIt({ campaign: c }: { campaign: CampaignFull }): JSX.Element {
  return (
    <ButtonLink
      icon="play"
      to="/try-it"
      query={{ rewards: c.campaignId, items: amountOf(c.minimumBasket ?? usualBasket) }}
    >
      {t('nav.tryIt')}
    </ButtonLink>
  )
}

function Actions({ campaign: c }: { campaign: CampaignFull }): JSX.Element {
  const [key] = useState(newKey)
  const [archiving, setArchiving] = useState(false)
  const duplicate = async (): Promise<void> => {
    try {
      const made = await write('POST', '/api/{store}/campaign/{campaign}/duplicate', {
        params: { campaign: c.campaignId },
        key,
      })
      toast(t('campaigns.duplicated'))
      navigate(`/campaigns/${made.campaignId}/edit`)
    } catch (failure) {
      toastFailure(failure)
    }
  }
  return (
    <>
      <Switch
        label={t(c.active ? 'campaigns.on' : 'campaigns.off')}
        checked={c.active}
        onChange={(on) => setActive(c, on)}
      />
      <ButtonLink icon="edit" to={`/campaigns/${c.campaignId}/edit`}>
        {t('campaigns.editShort')}
      </ButtonLink>
      <Menu
        label={t('campaigns.copyOrArchive')}
        items={[
          { text: t('campaigns.duplicate'), onClick: duplicate },
          c.archivedAt
            ? { text: t('campaigns.restore'), onClick: () => void setArchived(c, false).catch(toastFailure) }
            : { text: t('campaigns.archive'), onClick: () => setArchiving(true) },
        ]}
      />
      {archiving && (
        <Confirm
          title={t('campaigns.archiveTitle', { name: c.name ?? '' })}
          action={t('campaigns.archive')}
          onClose={() => setArchiving(false)}
          onConfirm={() => setArchived(c, true)}
        >
          {t('campaigns.archiveHelp')}
        </Confirm>
      )}
    </>
  )
}

function Overview({ campaign: c }: { campaign: CampaignFull }): JSX.Element {
  const currency = useCurrency()
  const fields = fieldsOf[c.reward as RewardType] ?? {}
  const audience = c.everybody
    ? [t('editor.everybody')]
    : Object.values({ ...namesOf(c.levelNames), ...namesOf(c.segmentNames) })
  return (
    <div class="columns wide-columns">
      <div class="stack">
        <Card title={t('campaigns.selling')}>
          <Facts
            items={[
              [t('campaigns.sold'), <Usage campaign={c} />],
              [t('campaigns.buyersTab'), t('campaigns.buyers', { n: c.usersWhoUsedThisCampaignCount })],
              [t('campaigns.seenBy'), fields.visibility && t('campaigns.buyers', { n: c.visibleForCustomersCount })],
              [
                t('editor.price'),
                fields.price &&
                  (c.costInPoints ? `${points(c.costInPoints)} ${t('editor.points')}` : t('preview.free')),
              ],
              [t('editor.totalPeriod'), c.limitPeriod && tIf(`limitPeriod.${c.limitPeriod}`, '')],
              [
                t('editor.limitPerUser'),
                fields.limits &&
                  !c.unlimited &&
                  [String(c.limitPerUser), c.limitPerUserPeriod && tIf(`limitPeriod.${c.limitPerUserPeriod}`, '')]
                    .filter(Boolean)
                    .join(', '),
              ],
              [t('editor.minimumBasket'), c.minimumBasket !== undefined && money(c.minimumBasket, currency)],
              [t('editor.basketPercentage'), c.basket?.percentage && `${number(c.basket.percentage)} %`],
              [t('editor.basketCap'), c.basket?.cap !== undefined && money(c.basket.cap, currency)],
              [
                t('editor.basketProducts'),
                [
                  ...(c.basket?.skuIds ?? []),
                  ...(c.basket?.categories ?? []),
                  ...(c.basket?.labels ?? []).map((l) => `${l.key}:${l.value}`),
                ].join(', '),
              ],
              [t('editor.basketExclusive'), c.basket?.exclusive && t('customers.yes')],
              [t('editor.when'), <WindowText window={c.campaignActivity} />],
              [t('editor.daysValid'), fields.validity && t('campaigns.days', { n: c.daysValid })],
              [t('editor.who'), audience.map((name) => <Badge key={name}>{name}</Badge>)],
            ]}
          />
        </Card>
        {may('ANALYTICS') && <Sales id={c.campaignId} />}
        <Push id={c.campaignId} />
      </div>
      <div class="stack">
        <Pictures campaign={c} />
        <Card title={t('campaigns.texts')}>
          <Facts
            items={[
              [t('editor.description'), c.shortDescription && <Prose text={c.shortDescription} />],
              [t('editor.usage'), c.usageInstruction && <Prose text={c.usageInstruction} />],
              [t('editor.conditions'), c.conditionsDescription && <Prose text={c.conditionsDescription} />],
              [t('editor.brand'), c.brandName],
              [t('campaigns.aboutBrand'), c.brandDescription && <Prose text={c.brandDescription} />],
              [t('editor.push'), c.pushNotificationText],
              [t('editor.categories'), Object.values(namesOf(c.categoryNames)).join(', ')],
              [t('editor.labels'), c.labels.map((l) => `${l.key}: ${l.value}`).join(', ')],
              [t('campaigns.created'), <Time at={c.createdAt} />],
              [t('campaigns.id'), <Copy text={c.campaignId} />],
            ]}
          />
        </Card>
      </div>
    </div>
  )
}

// namesOf returns names by id; the API sends an empty list instead of no names.
function namesOf(names: Record<string, string> | unknown[]): Record<string, string> {
  return Array.isArray(names) ? {} : names
}

function WindowText({ window: w }: { window: CampaignFull['campaignActivity'] }): JSX.Element {
  return (
    <>
      {w.allTimeActive
        ? t('campaigns.always')
        : t('campaigns.window', { from: dateTime(w.activeFrom), to: dateTime(w.activeTo) })}
    </>
  )
}

// Push shows how far the customers were notified of the campaign.
function Push({ id }: { id: string }): JSX.Element | null {
  const { data } = useQuery('/api/{store}/campaign/{campaign}/notification', { campaign: id })
  if (!data || data.total === 0) return null
  return (
    <Card title={t('campaigns.push')}>
      <div class="row">
        <progress class="progress" max={data.total} value={data.done} aria-label={t('campaigns.push')} />
        <span>{t(data.state === 'finished' ? 'campaigns.pushDone' : 'campaigns.pushRunning', { n: data.told })}</span>
      </div>
    </Card>
  )
}
