import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import type { TransferDetail, TransferView } from '../../api/types'
import { newKey, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { points, since, t, until } from '../../i18n/i18n'
import { ErrorState, Skeleton } from '../../ui/basics'
import { Confirm, Dialog, toast, type MenuItem } from '../../ui/dialog'
import { customerName } from '../customers/name'

// Change is what can be done with a transfer.
export type Change = 'activate' | 'expire' | 'cancel' | 'unblock'

// changesOf returns what the user may do with a transfer in its present state.
export function changesOf(p: { type: string; state: string }): Change[] {
  if (!may('POINT_TRANSFER', 'MODIFY')) return []
  if (p.type === 'blocked') return p.state === 'active' ? ['unblock'] : []
  const changes: Change[] = []
  if (['adding', 'merge_adding'].includes(p.type) && p.state === 'pending') changes.push('activate')
  if (['adding', 'p2p_adding', 'merge_adding'].includes(p.type) && p.state === 'active') changes.push('expire')
  if (p.type === 'adding' && ['active', 'pending'].includes(p.state)) changes.push('cancel')
  return changes
}

export function changeItems(p: TransferView, onChange: (change: Change) => void): MenuItem[] {
  return changesOf(p).map((change) => ({
    text: t(`points.${change}`),
    danger: change === 'cancel' || change === 'expire',
    onClick: () => onChange(change),
  }))
}

// AskChange says whose points, and how many, a change affects, and makes it once however often the user tries.
export function AskChange({ id, change, onClose }: { id: string; change: Change; onClose: () => void }): JSX.Element {
  const key = useRef(newKey())
  const { data: p, error, reload } = useQuery('/api/{store}/points/transfer/{transfer}', { transfer: id })
  if (!p) {
    return (
      <Dialog title={t(`points.${change}`)} onClose={onClose}>
        {error ? <ErrorState error={error} retry={reload} /> : <Skeleton lines={3} />}
      </Dialog>
    )
  }
  return (
    <Confirm
      title={t(`points.ask.${change}`, { points: points(p.left ?? p.value) })}
      action={t(`points.${change}`)}
      onClose={onClose}
      danger={change === 'cancel' || change === 'expire'}
      onConfirm={async () => {
        await write('POST', `/api/{store}/points/transfer/{transfer}/${change === 'unblock' ? 'cancel' : change}`, {
          params: { transfer: id },
          key: key.current,
        })
        toast(t('points.changed'))
      }}
    >
      <div class="stack">
        {effects(p, change).map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    </Confirm>
  )
}

// effects are sentences that say what a change does.
function effects(p: TransferDetail, change: Change): string[] {
  const left = p.left ?? p.value
  const values = {
    points: points(left),
    name: customerName(transferOwner(p)),
    day: until(p.expiresAt),
    lockedUntil: since(p.lockedUntil),
  }
  switch (change) {
    case 'activate':
      return [t('points.askHelp.activate', values)]
    case 'expire':
      return [
        p.expiresAt ? t('points.askHelp.expire', values) : t('points.askHelp.expireNever', values),
        t('points.askHelp.final'),
      ]
    case 'cancel': {
      const spent = p.value - left
      return [
        t('points.askHelp.cancel', values),
        spent > 0 ? t('points.askHelp.cancelSpent', { spent: points(spent), value: points(p.value) }) : '',
        t('points.askHelp.final'),
      ].filter(Boolean)
    }
    case 'unblock': {
      const gone = (p.lots ?? []).filter((lot) => lot.state === 'expired' || lot.state === 'canceled')
      const lost = gone.reduce((sum, lot) => sum + lot.value, 0)
      const back = { ...values, points: points(p.value - lost) }
      return [
        t('points.askHelp.unblock', back),
        lost > 0 ? t('points.askHelp.unblockLost', { lost: points(lost) }) : '',
      ].filter(Boolean)
    }
  }
}

// transferOwner is the customer of a transfer, as far as it says.
export function transferOwner(p: TransferView): {
  firstName?: string
  lastName?: string
  email?: string
  phone?: string
  loyaltyCardNumber?: string
} {
  return {
    firstName: p.customerFirstName,
    lastName: p.customerLastName,
    email: p.customerEmail,
    phone: p.customerPhone,
    loyaltyCardNumber: p.customerLoyaltyCardNumber,
  }
}
