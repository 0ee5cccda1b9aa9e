import type { JSX } from 'preact'
import type { BulkActionView } from '../../api/types'
import { points, t } from '../../i18n/i18n'
import { Badge, type Tone } from '../../ui/basics'
import { useSegments } from '../lookups'

const tones: Record<string, Tone> = {
  running: 'accent',
  finished: 'success',
  stopped: 'neutral',
  undoing: 'accent',
  undone: 'neutral',
}

// goesOn reports whether the progress of an action changes by itself.
export const goesOn = (a: BulkActionView): boolean => a.state === 'running' || a.state === 'undoing'

export const actionText = (a: BulkActionView): string => t(`bulk.${a.action as 'addLabel'}`)

export function State({ of: a }: { of: BulkActionView }): JSX.Element {
  return <Badge tone={tones[a.state]}>{t(`bulk.state.${a.state as 'running'}`)}</Badge>
}

// What names the label, the points or the segment of an action.
export function What({ of: a }: { of: BulkActionView }): JSX.Element {
  const segments = useSegments()
  if (a.label) return <>{[a.label.key, a.label.value].filter(Boolean).join(': ')}</>
  if (a.segmentId) return <>{segments.find((s) => s.segmentId === a.segmentId)?.name ?? t('segments.unknownObject')}</>
  return <>{t('bulk.points', { n: a.points ?? 0, points: points(a.points ?? 0) })}</>
}
