// What the editor knows of reward types: which groups of fields each has. The rules are in docs/behaviour/campaigns.md.
import type { CampaignFull, LevelView, CreateCampaignForm } from '../../api/types'
import type { FormState } from '../../ui/form'
import { audienceOf, sentAudience, type Audience } from '../audience'
import type { StoreLanguage } from '../languages'
import { usualCodes, type Generated } from './code_fields'

export const rewardTypes = [
  'discount_code',
  'gift_code',
  'free_delivery_code',
  'value_code',
  'event_code',
  'percentage_discount_code',
  'cashback',
  'custom_campaign_code',
] as const

export type RewardType = (typeof rewardTypes)[number]

export interface Fields {
  price?: boolean
  limits?: boolean
  codes?: boolean
  validity?: boolean
  visibility?: boolean
}

const coupon: Fields = { price: true, limits: true, codes: true, validity: true, visibility: true }

export const fieldsOf: Record<RewardType, Fields> = {
  discount_code: coupon,
  gift_code: coupon,
  free_delivery_code: coupon,
  value_code: coupon,
  event_code: coupon,
  percentage_discount_code: { validity: true },
  cashback: {},
  custom_campaign_code: { visibility: true },
}

// takingOff are the types whose coupons lower the price of a basket.
export const takingOff: readonly RewardType[] = [
  'discount_code',
  'value_code',
  'gift_code',
  'free_delivery_code',
  'percentage_discount_code',
]

export interface Context {
  levels: LevelView[]
  language: string // default language of the store
}

export interface Texts {
  name?: string
  shortDescription?: string
  conditionsDescription?: string
  usageInstruction?: string
  brandName?: string
  brandDescription?: string
}

export interface Window {
  always: boolean
  from: string
  to: string
}

// Basket is how coupons lower the price of a basket. Lists are texts with commas, labels as in Values.
export interface Basket {
  exclusive: boolean
  order: string
  percentage: string
  cap: string
  skuIds: string
  categories: string
  labels: string
}

// limitPeriods are those in which a limit per customer can count.
export const limitPeriods = ['day', 'week', 'month', '3months', '6months', 'year', 'campaignYear'] as const

// Values are those of the editor. Their names are those of the API, so that errors find their fields.
export interface Values extends Audience {
  reward: RewardType
  translations: Record<string, Texts>
  featured: boolean
  public: boolean
  costInPoints: string
  unlimited: boolean
  limit: string
  limitPerUser: string
  limitPeriod: (typeof limitPeriods)[number] | ''
  limitPerUserPeriod: (typeof limitPeriods)[number] | ''
  codesFrom: 'generate' | 'paste' | 'file' | 'single' | 'keep'
  coupons: string
  codesFile: File | null
  singleCode: string
  codes: Generated
  daysInactive: string
  daysValid: string
  activity: Window
  visibility: Window
  categories: string[]
  labels: string
  pushNotificationText: string
  moreInformationLink: string
  rewardValue: string
  minimumBasket: string
  basket: Basket
  tax: string
  taxPriceValue: string
  transactionPercentageValue: string
  pointValue: string
  connectType: 'none' | 'qrcode' | 'geolocation'
  earningRuleId: string
  fulfillmentTracking: boolean
  photos: File[] // to be added
  removedPhotos: string[] // ids of stored ones
  icon: File | null
  removedIcon: boolean
}

const always: Window = { always: true, from: '', to: '' }

// blank are the defaults of a new campaign: they are right for nine of ten.
export function blank(reward: RewardType): Values {
  return {
    reward,
    translations: {},
    featured: false,
    public: true,
    costInPoints: '100',
    audience: 'all',
    levels: [],
    segments: [],
    unlimited: false,
    limit: '100',
    limitPerUser: '1',
    limitPeriod: '',
    limitPerUserPeriod: '',
    codesFrom: 'generate',
    coupons: '',
    codesFile: null,
    singleCode: '',
    codes: usualCodes,
    daysInactive: '0',
    daysValid: '30',
    activity: always,
    visibility: always,
    categories: [],
    labels: '',
    pushNotificationText: '',
    moreInformationLink: '',
    rewardValue: '',
    minimumBasket: '',
    basket: basketOf(),
    tax: '',
    taxPriceValue: '',
    transactionPercentageValue: '10',
    pointValue: '0.01',
    connectType: 'none',
    earningRuleId: '',
    fulfillmentTracking: false,
    photos: [],
    removedPhotos: [],
    icon: null,
    removedIcon: false,
  }
}

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

function basketOf(b?: CampaignFull['basket']): Basket {
  return {
    exclusive: b?.exclusive ?? false,
    order: text(b?.order),
    percentage: text(b?.percentage),
    cap: text(b?.cap),
    skuIds: (b?.skuIds ?? []).join(', '),
    categories: (b?.categories ?? []).join(', '),
    labels: (b?.labels ?? []).map((l) => `${l.key}:${l.value}`).join(';'),
  }
}

function sentBasket(v: Values): CreateCampaignForm['campaign']['basket'] {
  const b = v.basket
  return {
    exclusive: b.exclusive,
    order: b.order || undefined,
    cap: b.cap || undefined,
    ...(v.reward === 'discount_code' ? { percentage: b.percentage || undefined } : {}),
    skuIds: pasted(b.skuIds),
    categories: pasted(b.categories),
    labels: pasted(b.labels).map((label) => {
      const at = label.indexOf(':')
      return at < 0 ? { key: label, value: '' } : { key: label.slice(0, at).trim(), value: label.slice(at + 1).trim() }
    }),
  }
}

// local returns the wall clock of the store, as the form shows it.
const local = (time: string | undefined): string => (time ?? '').slice(0, 16).replace('T', ' ')

// valuesOf returns the values of a stored campaign. Its codes stay as they are unless the user adds others.
export function valuesOf(c: CampaignFull, firstCode: string): Values {
  const translations: Record<string, Texts> = {}
  for (const { locale, ...texts } of c.translations as ({ locale: string } & Texts)[]) translations[locale] = texts
  return {
    ...blank(c.reward as RewardType),
    translations,
    featured: c.featured,
    public: c.public,
    costInPoints: text(c.costInPoints),
    ...audienceOf(c),
    unlimited: c.unlimited,
    limit: text(c.limit),
    limitPerUser: text(c.limitPerUser),
    limitPeriod: (c.limitPeriod ?? '') as Values['limitPeriod'],
    limitPerUserPeriod: (c.limitPerUserPeriod ?? '') as Values['limitPerUserPeriod'],
    codesFrom: c.singleCoupon ? 'single' : 'keep',
    singleCode: c.singleCoupon ? firstCode : '',
    daysInactive: text(c.daysInactive),
    daysValid: text(c.daysValid),
    activity: {
      always: c.campaignActivity.allTimeActive,
      from: local(c.campaignActivity.activeFrom),
      to: local(c.campaignActivity.activeTo),
    },
    visibility: {
      always: c.campaignVisibility.allTimeVisible,
      from: local(c.campaignVisibility.visibleFrom),
      to: local(c.campaignVisibility.visibleTo),
    },
    categories: c.categories,
    labels: c.labels.map((l) => `${l.key}:${l.value}`).join(';'),
    pushNotificationText: text(c.pushNotificationText),
    moreInformationLink: text(c.moreInformationLink),
    rewardValue: text(c.rewardValue),
    minimumBasket: text(c.minimumBasket),
    basket: basketOf(c.basket),
    tax: text(c.tax),
    taxPriceValue: text(c.taxPriceValue),
    transactionPercentageValue: text(c.transactionPercentageValue),
    pointValue: text(c.pointValue),
    connectType: (c.connectType || 'none') as Values['connectType'],
    earningRuleId: text(c.earningRuleId),
    fulfillmentTracking: c.fulfillmentTracking,
  }
}

// SectionProps are those of each section of the editor.
export interface SectionProps {
  form: FormState<Values>
  languages: StoreLanguage[]
  context: Context
}

// bodyOf returns the form that the API takes.
export function bodyOf(v: Values, active: boolean, name: string): CreateCampaignForm['campaign'] {
  const fields = fieldsOf[v.reward]
  const given = (value: string): string | undefined => (value === '' ? undefined : value)
  return {
    reward: v.reward,
    translations: v.translations,
    active,
    featured: v.featured,
    public: v.public,
    ...sentAudience(v),
    ...(fields.price ? { costInPoints: v.costInPoints } : {}),
    ...(fields.limits
      ? {
          unlimited: v.unlimited,
          limit: given(v.limit),
          limitPerUser: given(v.limitPerUser),
          ...(v.limitPeriod ? { limitPeriod: v.limitPeriod } : {}),
          ...(v.limitPerUserPeriod ? { limitPerUserPeriod: v.limitPerUserPeriod } : {}),
        }
      : {}),
    ...(fields.codes ? codesOf(v) : {}),
    ...(fields.validity ? { daysInactive: v.daysInactive, daysValid: v.daysValid } : {}),
    campaignActivity: { allTimeActive: v.activity.always, activeFrom: v.activity.from, activeTo: v.activity.to },
    ...(fields.visibility
      ? {
          campaignVisibility: {
            allTimeVisible: v.visibility.always,
            visibleFrom: v.visibility.from,
            visibleTo: v.visibility.to,
          },
        }
      : {}),
    categories: v.categories,
    labels: v.labels,
    pushNotificationText: v.pushNotificationText || name,
    moreInformationLink: v.moreInformationLink,
    rewardValue: given(v.rewardValue),
    minimumBasket: given(v.minimumBasket),
    tax: given(v.tax),
    taxPriceValue: given(v.taxPriceValue),
    ...(takingOff.includes(v.reward) ? { basket: sentBasket(v) } : {}),
    ...(v.reward === 'percentage_discount_code' ? { transactionPercentageValue: v.transactionPercentageValue } : {}),
    ...(v.reward === 'cashback' ? { pointValue: v.pointValue, cashbackProvider: 'payprovider' } : {}),
    ...(v.reward === 'custom_campaign_code'
      ? { connectType: v.connectType, earningRuleId: given(v.earningRuleId) }
      : {}),
    ...(v.reward === 'gift_code' ? { fulfillmentTracking: v.fulfillmentTracking } : {}),
  }
}

function codesOf(v: Values): Pick<CreateCampaignForm['campaign'], 'singleCoupon' | 'coupons' | 'keepCodes'> {
  if (v.codesFrom === 'single') return { singleCoupon: true, coupons: [v.singleCode] }
  return { singleCoupon: false, keepCodes: true } // the codes come after the campaign, or stay as they are
}

// pasted returns the codes of a text, one on each line or between commas.
export function pasted(codes: string): string[] {
  return codes
    .split(/[\n,;]+/)
    .map((code) => code.trim())
    .filter(Boolean)
}

// nameOf returns the name of a campaign in the store's default language, or in any.
export function nameOf(values: Values, context: Context): string {
  return (
    values.translations[context.language]?.name ||
    Object.values(values.translations).find((texts) => texts.name)?.name ||
    ''
  )
}
