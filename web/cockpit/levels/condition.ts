// What the condition of a level is measured in: money or points, by the settings of the store.
import { useQuery } from '../../api/client'
import { may } from '../../api/session'
import { points, t } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { useCurrency } from '../currency'

export interface Condition {
  unit: string // shown behind the number
  kind: 'money' | 'points' | 'unknown' // unknown to an administrator who may not see the settings
  text: (value: number) => string
}

// useCondition returns how to show conditions of levels.
export function useCondition(): Condition {
  const settings = useQuery(may('SETTINGS') ? '/api/{store}/settings' : null).data?.settings
  const known = useCurrency()
  const currency = settings?.currency ?? known
  if (!settings) return { unit: '', kind: 'unknown', text: points }
  if (settings.tierAssignType === 'points') {
    return { unit: t('editor.points'), kind: 'points', text: (value) => t('levels.points', { n: value }) }
  }
  return { unit: currency, kind: 'money', text: (value) => money(value, currency) }
}
