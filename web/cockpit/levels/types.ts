// The values of the editor of levels. Their names are those of the API, so that errors find their fields.
import type { LevelView } from '../../api/types'

export interface SpecialReward {
  id?: string
  name: string
  code: string
  value: string
  active: boolean
  startAt: string
  endAt: string
}

export interface Values {
  translations: Record<string, { name?: string; description?: string }>
  active: boolean
  conditionValue: string
  minOrder?: number
  reward: { name: string; value: string; code: string }
  specialRewards: SpecialReward[]
}

// percentText returns a fraction of the API as the percentage that a form shows.
const percentText = (fraction: number): string => String(Math.round(fraction * 1e8) / 1e6)

// local returns the wall clock of the store, as the form shows it.
const local = (time: string | undefined): string => (time ?? '').slice(0, 16).replace('T', ' ')

export function blankLevel(isFirst: boolean): Values {
  return {
    translations: {},
    active: true,
    conditionValue: isFirst ? '0' : '',
    reward: { name: '', value: isFirst ? '0' : '', code: '' },
    specialRewards: [],
  }
}

export const blankSpecial: SpecialReward = { name: '', code: '', value: '', active: true, startAt: '', endAt: '' }

export function valuesOf(level: LevelView): Values {
  return {
    translations: Object.fromEntries(
      level.translations.map((l) => [l.locale, { name: l.name, description: l.description ?? '' }]),
    ),
    active: level.active,
    conditionValue: String(level.conditionValue),
    minOrder: level.minOrder,
    reward: { ...level.reward, value: percentText(level.reward.value) },
    specialRewards: level.specialRewards.map((s) => ({
      id: s.id,
      name: s.name,
      code: s.code,
      value: percentText(s.value),
      active: s.active,
      startAt: local(s.startAt),
      endAt: local(s.endAt),
    })),
  }
}
