import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { CashbackMessageView } from '../../api/types'
import { newKey, write } from '../../api/client'
import { may } from '../../api/session'
import { number, t, tIf } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Badge, Button, Copy, Facts, Notice, Time, type Tone } from '../../ui/basics'
import { Dialog, toast, toastFailure } from '../../ui/dialog'
import { href } from '../../ui/router'
import { customerName } from '../customers/name'
import { answerText } from '../webhooks/delivery'

const tones: Record<string, Tone> = { waiting: 'accent', sent: 'success', failed: 'danger', settled: 'success' }

export function MessageState({ message: m }: { message: CashbackMessageView }): JSX.Element {
  return <Badge tone={tones[m.state] ?? 'neutral'}>{tIf(`cashback.state.${m.state}`, m.state)}</Badge>
}

export function receiverOf(m: CashbackMessageView): string {
  return m.customer ? customerName(m.customer) : t('cashback.deleted')
}

// Message shows one message beside the list: its attempts, and a way to send it again.
export function Message({ message: m, onClose }: { message: CashbackMessageView; onClose: () => void }): JSX.Element {
  const key = useRef(newKey())
  const [busy, setBusy] = useState(false)
  const retry = async (): Promise<void> => {
    setBusy(true)
    try {
      await write('POST', '/api/{store}/admin/campaign/cashback/messages/{message}/retry', {
        params: { message: m.messageId },
        key: key.current,
      })
      toast(t('cashback.willRetry', { amount: money(m.amount, m.currency), name: receiverOf(m) }))
      onClose()
    } catch (failure) {
      toastFailure(failure)
      setBusy(false)
    }
  }
  const name = receiverOf(m)
  return (
    <Dialog title={t('cashback.one', { amount: money(m.amount, m.currency), name })} onClose={onClose} side>
      <div class="stack">
        {m.state === 'failed' && (
          <Notice tone="danger" title={t('cashback.hasFailed')}>
            {t('cashback.hasFailedHelp')}
          </Notice>
        )}
        <Facts
          items={[
            [t('campaigns.state'), <MessageState message={m} />],
            [
              t('customers.one'),
              m.customer && may('CUSTOMER') ? <a href={href(`/customers/${m.customerId}`)}>{name}</a> : name,
            ],
            [t('webhooks.answer'), answerText(m.lastStatus, m.lastError)],
            [t('webhooks.attempts'), number(m.attempts)],
            [t('cashback.created'), <Time at={m.createdAt} />],
            [t('webhooks.lastAttempt'), m.lastAttemptAt && <Time at={m.lastAttemptAt} />],
            [t('webhooks.nextAttempt'), m.nextAttemptAt && <Time at={m.nextAttemptAt} />],
            [t('cashback.order'), <Copy text={m.orderId} />],
          ]}
        />
        {may('REWARD_CAMPAIGN', 'MODIFY') && m.state === 'failed' && (
          <div>
            <Button icon="refresh" busy={busy} onClick={busy ? undefined : () => void retry()}>
              {t('webhooks.sendAgain')}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}
