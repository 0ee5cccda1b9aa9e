// What the till knows of customers: asked of the server, and kept on the device for times without a network. Signing
// out deletes it.
import { signal } from '@preact/signals'
import { Failure, get } from '../api/client'
import * as session from '../api/session'
import { language } from '../i18n/i18n'
import type { CampaignSeller } from '../api/types'

export interface Coupon {
  couponId: string
  campaignId: string
  code: string
  name: string
  text: string // what the customer gets
  until: string
}

export interface Reward {
  campaignId: string
  name: string
  text: string
  price: number
  canBuy: boolean
}

export interface Known {
  id: string
  name: string
  card: string
  email: string
  phone: string
  active: boolean
  level: string
  discount?: number // of the level, as a fraction
  avatar?: string // path of the picture, which is not kept
  version?: number
  currency: string
  points: number
  pending: number
  coupons: Coupon[]
  rewards: Reward[]
  at: number // when the server said so, in milliseconds since 1970
}

const maxKept = 100
const pageSize = 50

const key = (): string => session.keptAt('customers')

export function kept(): Known[] {
  try {
    return JSON.parse(localStorage.getItem(key()) ?? '[]') as Known[]
  } catch {
    return []
  }
}

// recent are the customers of whom the device knows, the last one first.
export const recent = signal<Known[]>([])

export function readRecent(): void {
  recent.value = kept()
}

function keep(one: Known, user: string | undefined): void {
  if (!user || session.claims.value?.id !== user) return // the seller has signed out since
  let all = [one, ...kept().filter((other) => other.id !== one.id)].slice(0, maxKept)
  while (all.length > 0) {
    try {
      localStorage.setItem(key(), JSON.stringify(all))
      break
    } catch {
      all = all.slice(0, all.length >> 1) // the device has no more room
    }
  }
  recent.value = all
}

session.onForget(() => (recent.value = []))

// plain removes the marks of Markdown from a text.
export function plain(text: string | undefined): string {
  return (text ?? '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|\*|_|`)(.+?)\1/g, '$2')
    .replace(/^#+\s*/gm, '')
}

// benefit says what a campaign gives, beside its name.
export function benefit(c: Partial<CampaignSeller>): string {
  return plain(c.shortDescription ?? c.usageInstruction)
}

const texts = new Map<string, string>() // benefits by campaign and language

const named = (campaign: string): string => `${campaign} ${language.value}`

// readTexts asks for the texts of campaigns that the customer is not offered any more.
async function readTexts(campaigns: string[]): Promise<void> {
  const unknown = [...new Set(campaigns)].filter((id) => !texts.has(named(id)))
  await Promise.all(
    unknown.map(async (id) => {
      const campaign = await get('/api/{store}/seller/campaign/{campaign}', {
        campaign: id,
        withoutCoupons: 1,
        _locale: language.value,
      }).catch(() => null)
      if (campaign) texts.set(named(id), benefit(campaign))
    }),
  )
}

// load asks the server about a customer. Without a network it returns what the device knows, with fresh false.
export async function load(id: string): Promise<{ customer: Known; fresh: boolean }> {
  const user = session.claims.value?.id
  try {
    const _locale = language.value
    const [detail, status, bought, offered] = await Promise.all([
      get('/api/{store}/customer/{customer}', { customer: id }),
      get('/api/{store}/seller/customer/{customer}/status', { customer: id, _locale }),
      get('/api/{store}/seller/customer/{customer}/campaign/bought', {
        customer: id,
        canBeUsed: 1,
        includeDetails: 1,
        withoutCoupons: 1,
        perPage: pageSize,
        _locale,
      }),
      get('/api/{store}/seller/customer/{customer}/campaign/available', {
        customer: id,
        withoutCoupons: 1,
        perPage: pageSize,
        _locale,
      }),
    ])
    offered.campaigns.forEach((c) => texts.set(named(c.campaignId), benefit(c)))
    await readTexts(bought.campaigns.map((b) => b.campaignId.campaignId))
    const customer: Known = {
      id: detail.customerId,
      name: `${detail.firstName} ${detail.lastName}`.trim(),
      card: detail.loyaltyCardNumber ?? '',
      email: detail.email ?? '',
      phone: detail.phone ?? '',
      active: detail.active,
      level: status.levelName ?? '',
      discount: (parseFloat(status.level ?? '') || 0) / 100,
      avatar: detail.avatarPath,
      version: detail.version,
      currency: status.currency,
      points: status.points,
      pending: status.lockedPoints,
      coupons: bought.campaigns
        .filter((b) => b.canBeUsed)
        .map((b) => ({
          couponId: b.coupon.id,
          campaignId: b.campaignId.campaignId,
          code: b.coupon.code,
          name: plain(b.campaign?.name) || b.coupon.code,
          until: b.activeTo ?? '',
          text: texts.get(named(b.campaignId.campaignId)) ?? '',
        })),
      // What cannot be bought for another reason than the points would only be in the way. Cashback is no purchase.
      rewards: offered.campaigns
        .filter(
          (c) =>
            c.reward !== 'cashback' && c.usageLeft > 0 && (c.canBeBoughtByCustomer || c.costInPoints > status.points),
        )
        .map((c) => ({
          campaignId: c.campaignId,
          name: plain(c.name),
          text: benefit(c),
          price: c.costInPoints,
          canBuy: c.canBeBoughtByCustomer,
        })),
      at: Date.now(),
    }
    keep(customer, user)
    return { customer, fresh: true }
  } catch (e) {
    const known = kept().find((one) => one.id === id)
    if (known && e instanceof Failure && unreachable(e)) return { customer: known, fresh: false }
    throw e
  }
}

// unreachable reports whether the server did not answer, or could not.
export function unreachable(e: Failure): boolean {
  return e.kind === 'network' || e.kind === 'failed' || e.kind === 'limited'
}
