import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { AnalyticsExpiringView, AppJobList, CampaignFull, CampaignViewListCampaignFull, WebhookSubscriptionList } from '../../api/types'
import { call, Failure, useQuery, type Query } from '../../api/client'
import { may } from '../../api/session'
import { date, dateTime, instant, number, t } from '../../i18n/i18n'
import { Card, ErrorState, Skeleton } from '../../ui/basics'
import { Icon } from '../../ui/icons'
import { Link } from '../../ui/router'
import { fieldsOf, type RewardType } from '../campaigns/types'
import { leadsTo } from './first_steps'

interface Item {
  key: string
  tone: 'warning' | 'danger'
  title: string
  detail: ComponentChildren
  to?: string
}

const endsSoon = 7 * 86_400_000 // milliseconds
const fewCodes = 10
const shown = 8

// Attention lists what somebody should look at. Now is the present moment of the store.
export function Attention({ now }: { now: string | undefined }): JSX.Element {
  const campaigns = useQuery<CampaignViewListCampaignFull>(may('REWARD_CAMPAIGN') ? '/api/{store}/campaign' : null, {
    active: 1, withoutCoupons: 1, perPage: 100,
  })
  const hooks = useQuery<WebhookSubscriptionList>(may('SETTINGS') ? '/api/{store}/webhook/subscription' : null, { perPage: 100 })
  const expiring = useQuery<AnalyticsExpiringView>('/api/{store}/admin/analytics/expiring')
  const jobs = useQuery<AppJobList>('/api/admin/jobs', { perPage: 100 })
  const relayFails = useUnhealthy()
  const queries: Query<unknown>[] = [campaigns, hooks, expiring, jobs]
  const failed = queries.find((q) => q.error && !q.data)
  const loading = !now || queries.some((q) => q.loading && !q.data)
  const items: Item[] = [
    ...(relayFails ? [{ key: 'relay', tone: 'danger' as const, title: t('attention.server'), detail: t('attention.serverHelp'), to: '/jobs' }] : []),
    ...(jobs.data?.jobs ?? []).filter((j) => j.lastRun?.error).map((j) => ({
      key: `job ${j.name}`, tone: 'danger' as const, title: t('attention.job', { name: j.name }),
      detail: t('attention.jobHelp', { at: dateTime(j.lastRun?.startedAt) }), to: '/jobs',
    })),
    ...(hooks.data?.subscriptions ?? []).filter((s) => s.disabledReason || s.failingSince).map((s) => ({
      key: s.webhookSubscriptionId, tone: 'danger' as const, title: t(s.disabledReason ? 'attention.hookOff' : 'attention.hook'),
      detail: s.description || s.url, to: '/webhooks',
    })),
    ...(expiring.data?.points ? [expiringItem(expiring.data)] : []),
    ...(now ? (campaigns.data?.campaigns ?? []).flatMap((c) => ofCampaign(c, instant(now))) : []),
  ]
  return (
    <Card title={t('attention.title')}>
      {failed
        ? <ErrorState error={failed.error!} retry={() => queries.forEach((q) => q.error && q.reload())} />
        : loading ? <Skeleton lines={5} /> : items.length === 0
          ? <p class="all-well"><Icon name="check" />{t('attention.nothing')}</p>
          : (
            <ul class="attention">
              {items.slice(0, shown).map((item) => (
                <li key={item.key} class={item.tone}>
                  <Icon name="warning" />
                  <div>
                    {item.to && leadsTo(item.to) ? <Link to={item.to}>{item.title}</Link> : <strong>{item.title}</strong>}
                    <small class="muted">{item.detail}</small>
                  </div>
                </li>
              ))}
              {items.length > shown && <li class="muted">{t('attention.more', { n: items.length - shown })}</li>}
            </ul>
          )}
    </Card>
  )
}

function expiringItem(soon: AnalyticsExpiringView): Item {
  const n = soon.customers
  return {
    key: 'expiring', tone: 'warning', to: '/transfers',
    title: t(soon.complete ? 'attention.expiring' : 'attention.expiringAtLeast', { n: Math.round(soon.points), value: number(soon.points, { maximumFractionDigits: 0 }) }),
    detail: t('attention.expiringHelp', { n, at: date(`${soon.to}T00:00:00Z`) }),
  }
}

// ofCampaign says what is wrong with a campaign that customers can buy now: it has few coupons left, or ends soon.
function ofCampaign(c: CampaignFull, now: number): Item[] {
  const { allTimeActive, activeFrom, activeTo } = c.campaignActivity
  const ends = allTimeActive ? Infinity : instant(activeTo)
  if ((!allTimeActive && instant(activeFrom) > now) || ends < now) return []
  const to = `/campaigns/${c.campaignId}`
  const name = c.name ?? ''
  const items: Item[] = []
  if (fieldsOf[c.reward as RewardType]?.limits && c.usageLeft <= fewCodes) {
    items.push({
      key: `left ${c.campaignId}`, tone: c.usageLeft === 0 ? 'danger' : 'warning', title: name, to,
      detail: c.usageLeft === 0 ? t('attention.soldOut') : t('attention.left', { n: c.usageLeft }),
    })
  }
  if (ends - now < endsSoon) {
    items.push({ key: `ends ${c.campaignId}`, tone: 'warning', title: name, to, detail: t('attention.ends', { at: date(activeTo) }) })
  }
  return items
}

// useUnhealthy reports whether the server says that a part of it has a problem.
function useUnhealthy(): boolean {
  const [unhealthy, setUnhealthy] = useState(false)
  useEffect(() => {
    const left = new AbortController()
    call('/api/healthcheck', { signal: left.signal }).then(
      () => setUnhealthy(false),
      (error) => { if (error instanceof Failure && error.kind === 'limited') setUnhealthy(true) },
    )
    return () => left.abort()
  }, [])
  return unhealthy
}
