// What keeps a customer from logging in, with what helps: activation, a temporary password, contacts to confirm.
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useQuery, write, type Query } from '../../api/client'
import { may } from '../../api/session'
import type { CustomerDetail, VerificationAccountView } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Button, Notice, Time } from '../../ui/basics'
import { toast, toastFailure } from '../../ui/dialog'
import { isAnonymous } from './name'
import { useSending } from './waiting'

// useAccount reads how a customer logs in, of those who can.
export function useAccount(c: CustomerDetail | undefined): Query<VerificationAccountView> {
  const isOpen = c && !isAnonymous(c) && ['new', 'active'].includes(c.status.type)
  return useQuery('/api/{store}/admin/customer/{customer}/account', { customer: isOpen ? c.customerId : undefined })
}

export function AccountNotice({
  customer: c,
  account,
  onActivate,
}: {
  customer: CustomerDetail
  account: VerificationAccountView | undefined
  onActivate: () => void
}): JSX.Element | null {
  const sending = useSending()
  if (!account) return null
  const last = account.lastMessage
  const sent = last && <LastMessage state={last.state} channel={last.channel} at={last.finishedAt ?? last.createdAt} />
  const changes = may('CUSTOMER', 'MODIFY')
  return (
    <>
      {account.status === 'new' && (
        <Notice tone="warning" title={t('account.waits')}>
          {sending ? sent : t('account.waitsUnsent')}
          {changes && (
            <Row>
              {sending && <SendMessage customer={c.customerId} message="send-activation" />}
              <Button small onClick={onActivate}>
                {t('ask.activate.action')}
              </Button>
            </Row>
          )}
        </Notice>
      )}
      {account.status === 'active' && account.password !== 'own' && (
        <Notice title={t(account.password === 'none' ? 'account.noPassword' : 'account.temporarySent')}>
          {sending ? (sent ?? t('account.noPasswordText')) : t('account.noPasswordUnsent')}
          {changes && sending && (
            <Row>
              <SendMessage customer={c.customerId} message="send-password" />
            </Row>
          )}
        </Notice>
      )}
      {account.deletionAt !== undefined && (
        <Notice tone="warning" title={t('account.leaves')}>
          {t('account.leavesText')} <Time at={account.deletionAt} />
        </Notice>
      )}
      {account.restsUntil !== undefined && (
        <Notice title={t('account.rests')}>
          {t('account.restsText')} <Time at={account.restsUntil} />
        </Notice>
      )}
      {account.pendingChanges.map((change) => (
        <Notice key={change.field} title={t('account.unconfirmed', { value: change.value })}>
          <Time at={change.requestedAt} />
        </Notice>
      ))}
    </>
  )
}

function Row({ children }: { children: ComponentChildren }): JSX.Element {
  return <div class="row">{children}</div>
}

function LastMessage({ state, channel, at }: { state: string; channel: string; at: string }): JSX.Element {
  const by = t(channel === 'sms' ? 'account.bySMS' : 'account.byEmail')
  const text =
    state === 'sent'
      ? t('account.messageSent', { by })
      : state === 'dead'
        ? t('account.messageDead', { by })
        : t('account.messageWaits', { by })
  return (
    <div>
      {text} <Time at={at} />
    </div>
  )
}

function SendMessage({
  customer,
  message,
}: {
  customer: string
  message: 'send-activation' | 'send-password'
}): JSX.Element {
  const [busy, setBusy] = useState(false)
  const send = async (): Promise<void> => {
    setBusy(true)
    await write('POST', `/api/{store}/admin/customer/{customer}/${message}`, { params: { customer } }).then(
      () => toast(t('account.messageQueued')),
      toastFailure,
    )
    setBusy(false)
  }
  return (
    <Button small busy={busy} onClick={busy ? undefined : () => void send()}>
      {t('account.sendAgain')}
    </Button>
  )
}
