// The values of the editor of earning rules. Fields of a type come from the API.
import type { EarningRuleView, CreateEarningRuleForm } from '../../api/types'
import type { IconName } from '../../ui/icons'
import { audienceOf, sentAudience, type Audience } from '../audience'
import { blankOf, sentOf, shownOf, type ApiField } from '../fields'

// ruleTypes are those of the gallery, with those first that shops need most.
export const ruleTypes = [
  'points',
  'product_purchase',
  'multiply_for_product',
  'multiply_by_product_labels',
  'instant_reward',
  'event',
  'custom_event',
  'qrcode',
  'geolocation',
  'referral',
] as const

export type RuleType = (typeof ruleTypes)[number]

export const ruleIcons: Record<RuleType, IconName> = {
  points: 'points',
  product_purchase: 'sales',
  multiply_for_product: 'star',
  multiply_by_product_labels: 'star',
  instant_reward: 'rewards',
  event: 'calendar',
  custom_event: 'bell',
  qrcode: 'scan',
  geolocation: 'shops',
  referral: 'customers',
}

// events are what a rule of the type event or referral can be for.
export const events: Partial<Record<RuleType, string[]>> = {
  event: [
    'oloy.account.created',
    'oloy.customer.logged_in',
    'oloy.transaction.customer_first_transaction',
    'oloy.customer.newsletter_subscription',
    'oloy.customer.birthday',
  ],
  referral: ['register', 'first_purchase', 'every_purchase'],
}

// common are the fields of every type, which the editor shows in their own sections.
const common = [
  'name',
  'description',
  'active',
  'allTimeActive',
  'startAt',
  'endAt',
  'everybody',
  'target',
  'levels',
  'segments',
  'pos',
  'lastExecutedRule',
  'inclusionType',
  'limit',
]

export const ownFields = (fields: ApiField[]): ApiField[] => fields.filter((f) => !common.includes(f.name))

type Period = NonNullable<NonNullable<CreateEarningRuleForm['earningRule']['limit']>['period']>

export type Values = Record<string, unknown> &
  Audience & {
    type: RuleType
    name: string
    description: string
    active: boolean
    allTimeActive: boolean
    startAt: string
    endAt: string
    pos: string[]
    lastExecutedRule: boolean
    limit: { active: boolean; period: Period; limit: string }
  }

// weekend returns when the next weekend begins, on Friday, and ends, on Sunday, or when this one does.
function weekend(today = new Date()): { startAt: string; endAt: string } {
  const day = (offset: number): string => {
    const at = new Date(today)
    at.setDate(today.getDate() + offset)
    return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((n) => String(n).padStart(2, '0')).join('-')
  }
  const toSunday = (7 - today.getDay()) % 7
  return { startAt: `${day(Math.max(0, toSunday - 2))} 00:00`, endAt: `${day(toSunday)} 23:59` }
}

// doublePoints is a rule that doubles the points of all products on a weekend.
export function doublePoints(fields: ApiField[], name: string): Values {
  return {
    ...blankRule('multiply_for_product', fields),
    name,
    allProducts: true,
    multiplier: '2',
    allTimeActive: false,
    ...weekend(),
  }
}

export function blankRule(type: RuleType, fields: ApiField[]): Values {
  return {
    ...blankOf(ownFields(fields)),
    ...(events[type] ? { eventName: events[type][0] } : {}),
    ...(type === 'points' ? { pointValue: '1' } : {}),
    customerMayTrigger: false,
    type,
    name: '',
    description: '',
    active: true,
    allTimeActive: true,
    startAt: '',
    endAt: '',
    audience: 'all',
    levels: [],
    segments: [],
    pos: [],
    lastExecutedRule: false,
    limit: { active: false, period: 'day', limit: '1' },
  }
}

const local = (time: string | undefined): string => (time ?? '').slice(0, 16).replace('T', ' ')

export function valuesOf(rule: EarningRuleView, fields: ApiField[]): Values {
  const stored = { ...rule } as Record<string, unknown>
  for (const name of ['labels', 'includedLabels', 'excludedLabels']) {
    const labels = stored[name] as { key: string; value: string }[] | undefined
    if (labels) stored[name] = labels.map((l) => `${l.key}:${l.value}`).join(';')
  }
  const type = rule.type as RuleType
  return {
    ...blankRule(type, fields),
    ...shownOf(ownFields(fields), stored),
    type,
    name: rule.name,
    description: rule.description,
    active: rule.active,
    allTimeActive: rule.allTimeActive,
    startAt: local(rule.startAt),
    endAt: local(rule.endAt),
    ...audienceOf(rule),
    pos: rule.pos,
    lastExecutedRule: rule.lastExecutedRule ?? false,
    limit: {
      active: rule.limit?.active ?? false,
      period: (rule.limit?.period ?? 'day') as Period,
      limit: String(rule.limit?.limit ?? 1),
    },
  }
}

export function bodyOf(v: Values, fields: ApiField[]): CreateEarningRuleForm['earningRule'] {
  const has = (name: string): boolean => fields.some((f) => f.name === name)
  const isForNew = v['eventName'] === 'oloy.account.created' && v.type === 'event' // a new customer may have no level
  return {
    ...sentOf(ownFields(fields), v),
    type: v.type,
    name: v.name,
    description: v.description || v.name,
    active: v.active,
    allTimeActive: v.allTimeActive,
    ...(v.allTimeActive ? {} : { startAt: v.startAt, endAt: v.endAt }),
    ...(isForNew ? {} : sentAudience(v)),
    pos: v.pos,
    ...(has('lastExecutedRule') ? { lastExecutedRule: v.lastExecutedRule } : {}),
    ...(has('limit') ? { limit: v.limit.active ? v.limit : { active: false } } : {}),
  }
}
