// The program as a visitor sees it: its look, how points are earned, what there is to win, and the levels. The join
// page and the page for other sites show it.
import type { ComponentChildren, JSX } from 'preact'
import type { CampaignPublic, EarningPublicList, EarningPublicRule, LevelOffer } from '../api/types'
import { url } from '../api/client'
import { instant, t, tIf, until } from '../i18n/i18n'
import { money, rate } from '../i18n/number'
import { brand, logo } from '../ui/brand'
import icon from '../ui/icon.svg'
import { Icon } from '../ui/icons'
import { Prose } from '../ui/prose'
import { amount, levelGoal, program } from './brand'
import { pictureOf } from './data'
import { Picture } from './parts'

// shownRewards is the maximal number of rewards on the page, the cheapest first.
export const shownRewards = 12

interface Props {
  earning: EarningPublicList | undefined
  rewards: CampaignPublic[]
  levels: LevelOffer[]
  actions: ComponentChildren // to join and to sign in
}

export function Program({ earning, rewards, levels, actions }: Props): JSX.Element {
  const p = program.value
  const rules = (earning?.earningRules ?? []).filter((r) => r.type !== 'qrcode')
  const currency = earning?.currency ?? p?.currency ?? ''
  return (
    <div class="join">
      <header class={p?.heroImage ? 'hero pictured' : 'hero'}>
        {p?.heroImage && <img class="hero-image" src={p.heroImage} alt="" />}
        <div class="hero-text">
          <img class="hero-logo" src={logo.value || icon} alt="" />
          <h1>{brand.value || t('signIn.me')}</h1>
          <p>{t('join.lead', { points: p && p.pointsPlural !== 'points' ? p.pointsPlural : t('join.points') })}</p>
          <div class="row">{actions}</div>
        </div>
      </header>
      {rules.length > 0 && (
        <Part title={t('join.earn')}>
          <ul class="ways">
            {rules.map((r) => (
              <Way key={r.earningRuleId} rule={r} currency={currency} />
            ))}
          </ul>
        </Part>
      )}
      {rewards.length > 0 && (
        <Part title={t('join.win')}>
          <ul class="offers">
            {rewards.map((r) => (
              <li key={r.campaignId}>
                <Prize reward={r} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      {levels.length > 1 && (
        <Part title={t('me.allLevels')}>
          <ol class="ladder">
            {levels.map((l) => (
              <Step key={l.levelId} level={l} currency={currency} />
            ))}
          </ol>
        </Part>
      )}
    </div>
  )
}

function Part({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function Way({ rule: r, currency }: { rule: EarningPublicRule; currency: string }): JSX.Element {
  const gain = gainOf(r, currency)
  return (
    <li>
      <span class="pill">
        <Icon name="points" />
      </span>
      <div>
        <strong>{r.name}</strong>
        {gain && <p>{gain}</p>}
        {r.description && r.description !== r.name && <p class="muted">{r.description}</p>}
        {r.endAt && <p class="muted">{t('join.until', { at: until(r.endAt) })}</p>}
      </div>
    </li>
  )
}

// gainOf describes the points of a rule, empty for rules that pay a reward.
function gainOf(r: EarningPublicRule, currency: string): string {
  if (r.pointValue) {
    const text =
      r.pointValue >= 1
        ? t('join.perMoney', { amount: amount(r.pointValue), money: money(1, currency) })
        : t('join.moneyPer', { amount: amount(1), money: money(1 / r.pointValue, currency) })
    return r.minOrderValue ? `${text}, ${t('join.from', { money: money(r.minOrderValue, currency) })}` : text
  }
  if (r.multiplier) return t(r.allProducts ? 'join.timesAll' : 'join.times', { factor: rate(r.multiplier) })
  if (!r.pointsAmount) return ''
  const way = r.type === 'event' ? (r.eventName ?? '').replace(/^oloy\./, '').replaceAll('.', '_') : r.type
  return tIf(`join.way.${way}`, amount(r.pointsAmount), { amount: amount(r.pointsAmount) })
}

function Prize({ reward: r }: { reward: CampaignPublic }): JSX.Element {
  return (
    <div class="offer">
      <Picture address={pictureOf(r)} />
      <div class="offer-text">
        <h3>{r.name}</h3>
        {r.shortDescription && (
          <div class="muted short">
            <Prose text={r.shortDescription} />
          </div>
        )}
        <div class="offer-foot">
          <span class="price">{r.costInPoints > 0 ? amount(r.costInPoints) : t('me.free')}</span>
        </div>
      </div>
    </div>
  )
}

function Step({ level: l, currency }: { level: LevelOffer; currency: string }): JSX.Element {
  return (
    <li>
      <Picture
        address={l.hasPhoto ? url('/api/{store}/level/{level}/photo', { level: l.levelId }) : undefined}
        icon="star"
      />
      <div>
        <strong>{l.name}</strong>
        <p class="muted">{levelGoal(l.conditionValue, currency)}</p>
        {l.description && <p>{l.description}</p>}
      </div>
    </li>
  )
}

// onShow returns the rewards that a visitor sees: those within their time, with something left, the cheapest first.
export function onShow(all: CampaignPublic[], now: number): CampaignPublic[] {
  const visible = all.filter(
    ({ campaignVisibility: v, usageLeft, unlimited, reward }) =>
      reward !== 'cashback' &&
      (unlimited || usageLeft > 0) &&
      (v.allTimeVisible || (now >= instant(v.visibleFrom) && now <= instant(v.visibleTo))),
  )
  return visible
    .sort((a, b) => Number(b.featured) - Number(a.featured) || a.costInPoints - b.costInPoints)
    .slice(0, shownRewards)
}
