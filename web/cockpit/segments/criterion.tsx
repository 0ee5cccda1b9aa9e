import type { JSX } from 'preact'
import type { SegmentCriterion } from '../../api/types'
import { date, number, percent, t, tIf } from '../../i18n/i18n'
import { Facts } from '../../ui/basics'
import { useNames } from '../fields'
import { criterionName } from './editor_parts'

// CriterionFacts shows a stored criterion in words. Points of sale, levels and campaigns have names, listed customers
// are counted.
export function CriterionFacts({ criterion }: { criterion: SegmentCriterion }): JSX.Element {
  const names = useNames(['posId', 'posIds', 'levels', 'campaigns'].find((name) => name in criterion) ?? '')
  const unknown =
    'levels' in criterion || 'campaigns' in criterion ? t('segments.unknownObject') : t('segments.unknownShop')
  const named = (id: string): string => names.find((one) => one.value === id)?.text ?? unknown
  const text = (name: string, value: unknown): string => {
    if (name === 'posId') return named(String(value))
    if (name === 'posIds' || name === 'levels' || name === 'campaigns') return (value as string[]).map(named).join(', ')
    if (name === 'customers') return t('campaigns.buyers', { n: (value as string[]).length })
    if (name === 'labels')
      return (value as { key: string; value?: string }[])
        .map((l) => [l.key, l.value].filter(Boolean).join(': '))
        .join(', ')
    if (name === 'percent') return percent(value as number, 6)
    if (name === 'days') return t('campaigns.days', { n: value as number })
    if (name === 'fromDate' || name === 'toDate') return date(`${String(value).slice(0, 10)} 00:00+00:00`)
    if (Array.isArray(value)) return value.join(', ')
    return typeof value === 'number' ? number(value) : tIf(`choice.${String(value)}`, String(value))
  }
  const { type, criterionId: _, ...fields } = criterion
  return (
    <div class="criterion">
      <strong>{criterionName(type)}</strong>
      <Facts items={Object.entries(fields).map(([name, value]) => [tIf(`field.${name}`, name), text(name, value)])} />
    </div>
  )
}
