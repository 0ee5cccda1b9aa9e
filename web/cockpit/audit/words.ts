import type { AuditEntryView } from '../../api/types'
import { t, tIf } from '../../i18n/i18n'

// eventTypes are the kinds of entries that the filter offers; entries of others are shown, too.
export const eventTypes = [
  'AuthenticationSuccess',
  'AuthenticationFailure',
  'ViewCustomer',
  'RegisterCustomer',
  'UpdateCustomer',
  'ActivateCustomer',
  'DeactivateCustomer',
  'DeleteCustomer',
  'AnonymizeCustomer',
  'MoveCustomerToLevel',
  'AddPoints',
  'SpendPoints',
  'TransferPoints',
  'BlockPoints',
  'CancelTransfer',
  'BuyCampaign',
  'CancelCoupon',
  'UseCoupons',
  'ChangeDeliveryStatus',
  'RedeemCashback',
  'RegisterTransaction',
  'AssignTransaction',
  'CreateCampaign',
  'UpdateCampaign',
  'ActivateCampaign',
  'DeactivateCampaign',
  'CreateLevel',
  'UpdateLevel',
  'DeleteLevel',
  'CreateSegment',
  'UpdateSegment',
  'DeleteSegment',
  'CreateEarningRule',
  'UpdateEarningRule',
  'CreatePOS',
  'UpdatePOS',
  'RegisterSeller',
  'UpdateSeller',
  'CreateAdmin',
  'UpdateAdmin',
  'CreateRole',
  'UpdateRole',
  'DeleteRole',
  'CreateKey',
  'UpdateKey',
  'RotateKey',
  'DeleteKey',
  'UpdateSettings',
  'CreateStore',
  'UpdateStore',
  'ArchiveAuditLog',
] as const

export const entityTypes = [
  'customer',
  'campaign',
  'purchase',
  'coupon',
  'transfer',
  'transaction',
  'level',
  'segment',
  'earningRule',
  'pos',
  'seller',
  'admin',
  'role',
  'key',
  'settings',
  'store',
  'webhook',
] as const

// spaced writes a name such as MoveClock as words.
const spaced = (name: string): string => {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const eventText = (type: string): string => tIf(`audit.event.${type}`, spaced(type))
export const entityText = (type: string): string => tIf(`audit.entity.${type}`, spaced(type))
export const memberText = (name: string): string => tIf(`audit.member.${name}`, tIf(`field.${name}`, spaced(name)))

export function userText(e: AuditEntryView): string {
  if (!e.userType) return t('audit.nobody')
  return e.username || t(e.userType === 'customer' ? 'audit.aCustomer' : 'audit.integration')
}

const screens: Record<string, string> = {
  customer: '/customers',
  campaign: '/campaigns',
  level: '/levels',
  segment: '/segments',
  earningRule: '/rules',
  pos: '/points-of-sale',
  seller: '/sellers',
  admin: '/administrators',
  role: '/roles',
  key: '/keys',
  webhook: '/webhooks',
  transaction: '/transactions',
  transfer: '/transfers',
}

// screenOf returns the screen of the object of an entry, nothing if there is none in this store.
export function screenOf(e: AuditEntryView, store: string): string | null {
  const beginning = screens[e.entityType]
  if (!beginning || !e.entityId || e.eventType.startsWith('Delete') || (e.storeCode && e.storeCode !== store))
    return null
  return `${beginning}/${e.entityId}`
}

// nameOf returns the name that an entry knows of its object.
export function nameOf(e: AuditEntryView): string {
  const data = e.data as Data
  for (const members of [data.after, data.before]) {
    const translations = members?.['translations'] as { name?: string }[] | undefined
    const name = members?.['name'] ?? translations?.[0]?.name ?? members?.['username']
    if (typeof name === 'string') return name
  }
  return ''
}

export interface Data {
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  sent?: Record<string, unknown>
  erased?: boolean
}

export interface Difference {
  path: string
  before?: unknown
  after?: unknown
}

// differences lists the members that changed, those of objects one by one.
export function differences(
  before: Record<string, unknown> = {},
  after: Record<string, unknown> = {},
  beginning = '',
): Difference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((name): Difference[] => {
    const [was, is] = [before[name], after[name]]
    const path = beginning + memberText(name)
    if (isObject(was) || isObject(is))
      return differences(isObject(was) ? was : {}, isObject(is) ? is : {}, `${path} › `)
    return [{ path, before: was, after: is }]
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// valueText writes a value for people.
export function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '—'
  if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no')
  if (Array.isArray(value))
    return value.map((item) => (isObject(item) ? Object.values(item).join(' · ') : valueText(item))).join(', ')
  return wordOf(String(value))
}

// wordOf returns what people call a value that the API names, such as discount_code or oloy.customer.activation.
function wordOf(value: string): string {
  if (!/^[a-z]+([._][a-z0-9]+)+$/.test(value)) return value
  const names = [
    `messages.event.${value.replace(/^oloy\./, '')}`,
    `reward.${value}`,
    `rule.${value}`,
    `choice.${value}`,
  ]
  return names.reduce((found, name) => found || tIf(name, ''), '') || value
}
