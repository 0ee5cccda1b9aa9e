// What the settings form edits, and how it becomes a body of the API.
import type { UpdateSettingsForm, StoreSettingsView } from '../../api/types'
import type { FormState } from '../../ui/form'

// Values are the settings of the form: numbers as they are typed, lists as lines of text. A secret is null while it
// stays as it is, and empty when it is removed; the API never shows the stored one.
export type Values = Record<string, unknown> & {
  timezone: string
  country: string
  pointsDaysExpiryAfter: string
  allTimeNotLocked: boolean
  tierAssignType: string
  levelDowngradeMode: string
  levelDowngradeBase: string
  excludeDeliveryCostsFromTierAssignment: boolean
  cashbackProviderUrl: string
  cashbackProviderSecret: string | null
  cashbackCallbackSecret: string | null
  accentColor: string
  publicUrl: string
  messageLinksUrl: string
  currentPassword: string // confirms a change of the addresses of links
  customersIdentificationPriority: { field: string }[]
}

// SectionProps are those of each section of the form.
export interface SectionProps {
  form: FormState<Values>
  settings: StoreSettingsView // as they are stored
  mayEdit: boolean
}

const lists = ['excludedDeliverySKUs', 'excludedLevelSKUs', 'excludedLevelCategories', 'embedOrigins'] as const

const edited = [
  'programName',
  'programPointsSingular',
  'programPointsPlural',
  'timezone',
  'country',
  'programUrl',
  'programFaqUrl',
  'programConditionsUrl',
  'helpEmailAddress',
  'accentColor',
  'returns',
  'pointsDaysExpiryAfter',
  'pointsDaysActiveCount',
  'allTimeNotLocked',
  'pointsDaysLocked',
  'tierAssignType',
  'excludeDeliveryCostsFromTierAssignment',
  'levelDowngradeMode',
  'levelDowngradeDays',
  'levelDowngradeBase',
  'levelResetPointsOnDowngrade',
  'allowCustomersProfileEdits',
  'accountActivationRequired',
  'preferredCommunicationMethod',
  'confirmContactChange',
  'revealAccounts',
  'issueLoyaltyCardNumbers',
  'customersMaySetLabels',
  'customersMayClaimReceipts',
  'customerMayUnmarkCoupons',
  'purchaseCancelDays',
  'cancelledCodesSoldAgain',
  'couponsEndWithDay',
  'pointsRounding',
  'segmentPartsAreAlternatives',
  'pointCost',
  'maxPointsRedeemed',
  'minPointsRedeemed',
  'cashbackRounding',
  'cashbackProviderUrl',
  'expirePointsNotificationDays',
  'expireCouponsNotificationDays',
  'expireLevelsNotificationDays',
  'publicUrl',
  'messageLinksUrl',
  'messagesQuietFrom',
  'messagesQuietUntil',
  'birthdayMessageDays',
  'winBackDays',
  'occasionMessagesAt',
  'marketingMessagesMost',
  'marketingMessagesDays',
] as const

export function valuesOf(settings: StoreSettingsView): Values {
  const values: Record<string, unknown> = {
    cashbackProviderSecret: null,
    cashbackCallbackSecret: null,
    currentPassword: '',
    customersIdentificationPriority: [0, 1, 2].map((i) => ({
      field: settings.customersIdentificationPriority[i]?.field ?? '',
    })),
  }
  for (const name of edited) values[name] = settings[name] ?? ''
  for (const name of ['birthdayMessageDays', 'winBackDays', 'marketingMessagesMost', 'marketingMessagesDays'] as const)
    values[name] = settings[name] ?? 0
  for (const name of lists) values[name] = (settings[name] ?? []).join('\n')
  return values as Values
}

// bodyOf returns what changed since the form was opened, and every switch: one that is not sent would be switched off.
// Switches that the form does not have stay as they are now.
export function bodyOf(values: Values, before: Values, now: StoreSettingsView): UpdateSettingsForm['settings'] {
  const body: Record<string, unknown> = Object.fromEntries(
    Object.entries(now).filter(([, value]) => typeof value === 'boolean'),
  )
  for (const [name, value] of Object.entries(values)) {
    if (value === null || JSON.stringify(value) === JSON.stringify(before[name])) continue
    if ((lists as readonly string[]).includes(name)) body[name] = linesOf(String(value))
    else if (name === 'customersIdentificationPriority') {
      body[name] = (value as { field: string }[])
        .filter((p) => p.field)
        .map((p, i) => ({ priority: i + 1, field: p.field }))
    } else body[name] = typeof value === 'string' && name !== 'currentPassword' ? value.trim() : value
  }
  // With a fall after some days, "none" is no base: the first choice is shown.
  if (values.levelDowngradeMode === 'after_x_days' && values.levelDowngradeBase === 'none')
    body['levelDowngradeBase'] = 'active_points'
  return body as UpdateSettingsForm['settings'] // its names are those of the form
}

function linesOf(text: string): string[] {
  return [
    ...new Set(
      text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    ),
  ]
}

// newSecret makes a secret that signs calls: 32 random bytes.
export function newSecret(): string {
  return 'whsec_' + btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
}
