// Audience is the choice of the customers whom a campaign or an earning rule is for.
export interface Audience {
  audience: 'all' | 'level' | 'segment'
  levels: string[]
  segments: string[]
}

interface SentAudience {
  everybody: boolean
  target?: 'level' | 'segment'
  levels?: string[]
  segments?: string[]
}

// audienceOf returns the choice that is stored. Without any target, which rules for new customers have, it is
// everybody.
export function audienceOf(stored: { everybody?: boolean; levels: string[]; segments: string[] }): Audience {
  const { everybody, levels, segments } = stored
  const isAll = everybody || levels.length + segments.length === 0
  return { audience: isAll ? 'all' : segments.length > 0 ? 'segment' : 'level', levels, segments }
}

// sentAudience returns the fields that the API takes. Everybody is sent as such, not as a list of all levels, so that
// it includes the levels of later.
export function sentAudience({ audience, levels, segments }: Audience): SentAudience {
  if (audience === 'all') return { everybody: true }
  return { everybody: false, target: audience, ...(audience === 'level' ? { levels } : { segments }) }
}
