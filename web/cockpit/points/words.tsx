// The words for transfers of points.
import type { JSX } from 'preact'
import { points, t } from '../../i18n/i18n'
import { Badge, Time, type Tone } from '../../ui/basics'

export const types = [
  'adding',
  'spending',
  'blocked',
  'p2p_adding',
  'p2p_spending',
  'merge_adding',
  'merge_spending',
] as const
export const states = ['active', 'pending', 'expired', 'canceled'] as const

export function typeText(type: string): string {
  return t(`points.type.${type as (typeof types)[number]}`)
}

export function stateText(state: string): string {
  return t(`points.state.${state as (typeof states)[number]}`)
}

// isLot says that a transfer gave points, which can be left, pending or expired.
export function isLot(transfer: { type: string }): boolean {
  return transfer.type.endsWith('adding')
}

// signed is the amount with the direction in which the points went.
export function signed(transfer: { type: string; value: number }): string {
  return `${isLot(transfer) ? '+' : '−'}${points(transfer.value)}`
}

const tones: Record<string, Tone> = { active: 'success', pending: 'warning', expired: 'neutral', canceled: 'danger' }

// State is the state of a transfer, with the day on which pending points unlock. What took points and was not cancelled
// has none.
export function State({
  transfer: p,
}: {
  transfer: { type: string; state: string; lockedUntil?: string }
}): JSX.Element | null {
  if (p.lockedUntil)
    return (
      <Badge tone="warning">
        {t('points.lockedUntil')} <Time at={p.lockedUntil} only="begin" />
      </Badge>
    )
  if (p.state === 'active' && !isLot(p) && p.type !== 'blocked') return null
  return <Badge tone={tones[p.state]}>{stateText(p.state)}</Badge>
}

// What is the reason of a transfer, or its type if it has none.
export function What({ transfer: p }: { transfer: { type: string; comment: string } }): JSX.Element {
  if (!p.comment) return <span class="primary-line">{typeText(p.type)}</span>
  return (
    <>
      <span class="primary-line">{p.comment}</span>
      <span class="second-line">{typeText(p.type)}</span>
    </>
  )
}
