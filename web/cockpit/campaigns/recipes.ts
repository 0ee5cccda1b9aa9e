// Recipes fill in the editor for a purpose that shops know. Some need another object, such as a segment, which is
// listed before it is created.
import type { CreateEarningRuleForm } from '../../api/types'
import { write } from '../../api/client'
import { t, type Key } from '../../i18n/i18n'
import type { IconName } from '../../ui/icons'
import type { Criterion } from '../segments/types'
import { blank, type Context, type RewardType, type Values } from './types'

// Companion is another object that a recipe creates. One before the campaign changes its values, one after it gets its
// id.
export interface Companion {
  kind: 'segment' | 'earningRule'
  name: () => string
  before?: (key: string) => Promise<Partial<Values>>
  after?: (campaign: string, key: string) => Promise<unknown>
}

export interface Recipe {
  name: string
  reward: RewardType
  icon: IconName
  title: Key
  help: Key
  change?: (values: Values, context: Context) => void
  companions?: Companion[]
}

// segment returns a companion that creates a segment with one criterion and makes it the audience.
function segment(name: () => string, criterion: Criterion): Companion {
  return {
    kind: 'segment',
    name,
    before: async (key) => {
      const made = await write('POST', '/api/{store}/segment', {
        body: {
          segment: { name: name(), active: true, parts: [{ criteria: [criterion] }] },
        },
        key,
      })
      return { audience: 'segment', segments: [made.segmentId] }
    },
  }
}

const rule = (
  name: string,
  rest: Pick<CreateEarningRuleForm['earningRule'], 'type' | 'skuIds' | 'pointsAmount' | 'rewardCampaignId'>,
): CreateEarningRuleForm => ({
  earningRule: { name, description: name, active: true, allTimeActive: true, everybody: true, ...rest },
})

export const recipes: Recipe[] = [
  {
    name: 'welcome',
    reward: 'discount_code',
    icon: 'star',
    title: 'recipe.welcome',
    help: 'recipe.welcomeHelp',
    change: (v) =>
      Object.assign(v, {
        costInPoints: '0',
        unlimited: false,
        limit: '1000',
        limitPerUser: '1',
        featured: true,
        basket: { ...v.basket, percentage: '10' },
      }),
  },
  {
    name: 'delivery',
    reward: 'free_delivery_code',
    icon: 'shops',
    title: 'recipe.delivery',
    help: 'recipe.deliveryHelp',
    change: (v) => Object.assign(v, { costInPoints: '50', limitPerUser: '10' }),
  },
  {
    name: 'birthday',
    reward: 'gift_code',
    icon: 'rewards',
    title: 'recipe.birthday',
    help: 'recipe.birthdayHelp',
    change: (v) => Object.assign(v, { costInPoints: '0', limitPerUserPeriod: 'year' }),
    companions: [
      segment(() => t('recipe.birthdaySegment'), { type: 'anniversary', anniversaryType: 'birthday', days: 7 }),
    ],
  },
  {
    name: 'tenth',
    reward: 'gift_code',
    icon: 'coupon',
    title: 'recipe.tenth',
    help: 'recipe.tenthHelp',
    change: (v) => Object.assign(v, { costInPoints: '9', unlimited: true }),
    companions: [
      {
        kind: 'earningRule',
        name: () => t('recipe.tenthRule'),
        after: (_, key) =>
          write('POST', '/api/{store}/earningRule', {
            body: rule(t('recipe.tenthRule'), {
              type: 'product_purchase',
              skuIds: ['COFFEE'],
              pointsAmount: 1,
            }),
            key,
          }),
      },
    ],
  },
  {
    name: 'percent',
    reward: 'percentage_discount_code',
    icon: 'chart',
    title: 'recipe.percent',
    help: 'recipe.percentHelp',
    companions: [
      {
        kind: 'earningRule',
        name: () => t('recipe.percentRule'),
        after: (campaign, key) =>
          write('POST', '/api/{store}/earningRule', {
            body: rule(t('recipe.percentRule'), {
              type: 'instant_reward',
              rewardCampaignId: campaign,
            }),
            key,
          }),
      },
    ],
  },
  { name: 'cashback', reward: 'cashback', icon: 'points', title: 'recipe.cashback', help: 'recipe.cashbackHelp' },
  {
    name: 'winback',
    reward: 'discount_code',
    icon: 'refresh',
    title: 'recipe.winback',
    help: 'recipe.winbackHelp',
    change: (v) => Object.assign(v, { costInPoints: '0', limit: '1000', basket: { ...v.basket, percentage: '10' } }),
    companions: [segment(() => t('recipe.winbackSegment'), { type: 'no_purchase_for_n_days', days: 90 })],
  },
  {
    name: 'event',
    reward: 'event_code',
    icon: 'calendar',
    title: 'recipe.event',
    help: 'recipe.eventHelp',
    change: (v, context) => Object.assign(v, { costInPoints: '0', limit: '50', ...highest(context) }),
  },
  {
    name: 'gold',
    reward: 'gift_code',
    icon: 'star',
    title: 'recipe.gold',
    help: 'recipe.goldHelp',
    change: (v, context) => Object.assign(v, { costInPoints: '0', fulfillmentTracking: true, ...highest(context) }),
  },
  { name: 'voucher', reward: 'value_code', icon: 'card', title: 'recipe.voucher', help: 'recipe.voucherHelp' },
  {
    name: 'connected',
    reward: 'custom_campaign_code',
    icon: 'link',
    title: 'recipe.connected',
    help: 'recipe.connectedHelp',
  },
]

// highest makes the level with the highest condition the audience.
function highest(context: Context): Partial<Values> {
  const last = [...context.levels].sort((a, b) => b.conditionValue - a.conditionValue)[0]
  return last ? { audience: 'level', levels: [last.levelId] } : {}
}

// valuesOfRecipe returns the values that the editor begins with.
export function valuesOfRecipe(recipe: Recipe, context: Context): Values {
  const values = blank(recipe.reward)
  values.translations = { [context.language]: { name: t(recipe.title) } }
  recipe.change?.(values, context)
  return values
}
