import type { JSX } from 'preact'
import type { CampaignFull } from '../../api/types'
import { url, write } from '../../api/client'
import { may } from '../../api/session'
import { instant, number, points, t } from '../../i18n/i18n'
import { Badge, ButtonLink, Empty, Page } from '../../ui/basics'
import { toast, toastFailure } from '../../ui/dialog'
import { Switch } from '../../ui/form'
import { Icon } from '../../ui/icons'
import { List, type Column } from '../../ui/table'
import { fieldsOf, rewardTypes, type RewardType } from './types'

// setArchived archives a campaign, or restores it.
export async function setArchived(c: { campaignId: string; name?: string }, archived: boolean): Promise<void> {
  await write('POST', '/api/{store}/campaign/{campaign}/{active}', {
    params: { campaign: c.campaignId, active: archived ? 'archived' : 'unarchived' },
  })
  toast(t(archived ? 'campaigns.wasArchived' : 'campaigns.wasRestored', { name: c.name ?? '' }))
}

// setActive switches a campaign on or off.
export async function setActive(c: { campaignId: string; name?: string }, on: boolean): Promise<void> {
  try {
    await write('POST', '/api/{store}/campaign/{campaign}/{active}', {
      params: { campaign: c.campaignId, active: on ? 'active' : 'inactive' },
    })
    toast(t(on ? 'campaigns.switchedOn' : 'campaigns.switchedOff', { name: c.name ?? '' }))
  } catch (error) {
    toastFailure(error)
    throw error
  }
}

const columns = (): Column<CampaignFull>[] => [
  {
    name: 'name',
    title: t('campaigns.name'),
    sort: 'name',
    cell: (c) => (
      <div class="with-thumbnail">
        <Thumbnail campaign={c} />
        <div>
          <span class="primary-line">{c.name}</span>
          <span class="second-line">{t(`reward.${c.reward as RewardType}`)}</span>
        </div>
      </div>
    ),
  },
  {
    name: 'price',
    title: t('campaigns.price'),
    sort: 'costInPoints',
    number: true,
    wide: true,
    cell: (c) => (fieldsOf[c.reward as RewardType]?.price ? points(c.costInPoints) : '–'),
  },
  { name: 'usage', title: t('campaigns.sold'), wide: true, cell: (c) => <Usage campaign={c} /> },
  { name: 'state', title: t('campaigns.state'), wide: true, cell: (c) => <State campaign={c} /> },
  {
    name: 'active',
    title: t('campaigns.on'),
    cell: (c) => (
      <Switch
        hideLabel
        label={t('campaigns.onLabel', { name: c.name ?? '' })}
        checked={c.active}
        disabled={!may('REWARD_CAMPAIGN', 'MODIFY')}
        onChange={(on) => setActive(c, on)}
      />
    ),
  },
]

export default function Campaigns(): JSX.Element {
  const create = may('REWARD_CAMPAIGN', 'MODIFY') && (
    <ButtonLink kind="primary" icon="plus" to="/campaigns/new">
      {t('campaigns.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.campaigns')} actions={create}>
      <List
        label={t('nav.campaigns')}
        path="/api/{store}/campaign"
        columns={columns()}
        params={{ withoutCoupons: 1, includePhotos: 1 }}
        read={(r: { campaigns: CampaignFull[]; total: number }) => ({ rows: r.campaigns, total: r.total })}
        rowKey={(c) => c.campaignId}
        to={(c) => `/campaigns/${c.campaignId}`}
        search="q"
        filters={[
          {
            name: 'active',
            title: t('campaigns.onOrOff'),
            options: [
              { value: '1', text: t('campaigns.switchedOnFilter') },
              { value: '0', text: t('campaigns.switchedOffFilter') },
            ],
          },
          {
            name: 'archived',
            title: t('campaigns.notArchived'),
            options: [{ value: '1', text: t('campaigns.archivedOnly') }],
          },
          {
            name: 'campaignType',
            title: t('campaigns.anyType'),
            options: rewardTypes.map((r) => ({ value: r, text: t(`reward.${r}`) })),
          },
        ]}
        empty={
          <Empty icon="rewards" title={t('campaigns.empty')} action={create}>
            {t('campaigns.emptyHelp')}
          </Empty>
        }
      />
    </Page>
  )
}

// Thumbnail shows the first photo of a campaign or the icon of its brand, and otherwise that it has none.
function Thumbnail({ campaign: c }: { campaign: CampaignFull }): JSX.Element {
  const photo = c.photos?.[0]
  const address = photo
    ? url('/api/{store}/campaign/{campaign}/photo/{photoId}', { campaign: c.campaignId, photoId: photo.photoId })
    : c.brandIcon
      ? url('/api/{store}/campaign/{campaign}/brand_icon', { campaign: c.campaignId })
      : ''
  return (
    <span class="thumbnail">
      {address ? <img src={address} alt="" loading="lazy" /> : <Icon name="rewards" size={18} />}
    </span>
  )
}

// Usage shows how much of a limited campaign is sold.
export function Usage({ campaign: c }: { campaign: CampaignFull }): JSX.Element {
  const sold = c.usersWhoUsedThisCampaignCount
  const fields = fieldsOf[c.reward as RewardType]
  if (!fields?.limits) return <span class="muted">{t('campaigns.buyers', { n: sold })}</span>
  if (!c.limit)
    return (
      <span>
        {c.usageLeft < Number.MAX_SAFE_INTEGER ? t('campaigns.left', { n: c.usageLeft }) : t('campaigns.unlimited')}
      </span>
    )
  const used = Math.max(c.limit - c.usageLeft, 0)
  const label = t('campaigns.usedOf', { used: number(used), limit: number(c.limit) })
  return (
    <span class="usage" title={t('campaigns.buyers', { n: sold })}>
      <progress max={c.limit} value={used} aria-label={label} class={c.usageLeft === 0 ? 'full' : ''} />
      <span class="number">{label}</span>
    </span>
  )
}

// State says whether customers can buy it now, or why not.
export function State({ campaign: c }: { campaign: CampaignFull }): JSX.Element {
  const fields = fieldsOf[c.reward as RewardType]
  const now = Date.now()
  const from = instant(c.campaignActivity.activeFrom)
  const to = instant(c.campaignActivity.activeTo)
  if (c.archivedAt) return <Badge>{t('campaigns.isArchived')}</Badge>
  if (!c.active) return <Badge>{t('campaigns.isOff')}</Badge>
  if (from > now) return <Badge tone="accent">{t('campaigns.isPlanned')}</Badge>
  if (to < now) return <Badge>{t('campaigns.hasEnded')}</Badge>
  if (fields?.limits && c.usageLeft === 0) return <Badge tone="danger">{t('campaigns.soldOut')}</Badge>
  if (fields?.limits && c.usageLeft <= 10)
    return <Badge tone="warning">{t('campaigns.fewLeft', { n: c.usageLeft })}</Badge>
  return <Badge tone="success">{t('campaigns.isOn')}</Badge>
}
