import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { MessageUndeliverableView } from '../../api/types'
import { write } from '../../api/client'
import { may } from '../../api/session'
import { date, t } from '../../i18n/i18n'
import { Button, Notice } from '../../ui/basics'
import { toast, toastFailure } from '../../ui/dialog'
import { channelName } from '../messages/names'

// Undeliverable says that a mail server or gateway refused an address of the customer for good.
export function Undeliverable({
  customer,
  addresses: found,
}: {
  customer: string
  addresses: MessageUndeliverableView[]
}): JSX.Element | null {
  const [busy, setBusy] = useState(false)
  if (found.length === 0) return null
  const again = async (): Promise<void> => {
    setBusy(true)
    try {
      await write('DELETE', '/api/{store}/admin/customer/{customer}/undeliverable', { params: { customer } })
      toast(t('customers.deliverAgainDone'))
    } catch (error) {
      toastFailure(error)
    }
    setBusy(false)
  }
  return (
    <Notice tone="warning" title={t('customers.undeliverable')}>
      {found.map((a) => (
        <p key={a.channel}>
          {t('customers.undeliverableHelp', {
            channel: channelName(a.channel),
            address: a.channel === 'push' ? t('messages.devices') : a.address,
            date: date(a.since),
          })}
        </p>
      ))}
      {may('CUSTOMER', 'MODIFY') && (
        <div>
          <Button small busy={busy} onClick={busy ? undefined : again}>
            {t('customers.deliverAgain')}
          </Button>
        </div>
      )}
    </Notice>
  )
}
