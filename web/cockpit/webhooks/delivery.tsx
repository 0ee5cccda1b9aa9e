import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { WebhookDeliveryView } from '../../api/types'
import { useQuery } from '../../api/client'
import { may } from '../../api/session'
import { t, tIf } from '../../i18n/i18n'
import { Badge, Button, Copy, ErrorState, Facts, Skeleton, Time, type Tone } from '../../ui/basics'
import { Dialog, toast, toastFailure } from '../../ui/dialog'
import { eventText } from './events'

const tones: Record<string, Tone> = { waiting: 'neutral', pending: 'accent', delivered: 'success', dead: 'danger' }

export function DeliveryState({ delivery: d }: { delivery: { state: string } }): JSX.Element {
  return <Badge tone={tones[d.state] ?? 'neutral'}>{tIf(`webhooks.state.${d.state}`, d.state)}</Badge>
}

// reasons are causes that the server knows, by a part of its text.
const reasons: [RegExp, string][] = [
  [/no answer in time/, 'noAnswer'],
  [/the host is not known/, 'unknownHost'],
  [/the address is refused|URL is not valid/, 'refused'],
  [/certificate|tls:|HTTP response to HTTPS/, 'insecure'],
  [/the call leaves the machine/, 'leaves'],
  [/connection re(fused|set)|no route to host|network is unreachable|EOF/, 'unreachable'],
  [/the store has no gateway/, 'noGateway'],
  [/the notifications are gone/, 'noNotifications'],
  [/the store has no payment provider/, 'noProvider'],
  [/the event is not stored/, 'noEvent'],
]

// answerText says in the user's language what the receiver answered, or why it did not. The text of the server is added
// to a cause that is not known here.
export function answerText(status: number | undefined, error: string | undefined): string {
  if (status) return t('webhooks.answered', { status: String(status) })
  if (!error) return ''
  const known = reasons.find(([part]) => part.test(error))
  return known ? tIf(`webhooks.error.${known[1]}`, error) : t('webhooks.error.other', { error })
}

// Delivery shows one delivery beside the list: its attempts, what was sent, and a way to send it again.
export function Delivery({
  delivery: d,
  retry,
  onClose,
}: {
  delivery: WebhookDeliveryView
  retry: () => Promise<unknown>
  onClose: () => void
}): JSX.Element {
  const [busy, setBusy] = useState(false)
  const finished = d.state === 'delivered' || d.state === 'dead'
  const sendAgain = async (): Promise<void> => {
    setBusy(true)
    try {
      await retry()
      toast(t('webhooks.willRetry'))
      onClose()
    } catch (failure) {
      toastFailure(failure)
      setBusy(false)
    }
  }
  return (
    <Dialog title={eventText(d.eventName)} onClose={onClose} side>
      <div class="stack">
        <Facts
          items={[
            [t('campaigns.state'), <DeliveryState delivery={d} />],
            [t('webhooks.answer'), answerText(d.lastStatus, d.lastError)],
            [t('webhooks.attempts'), d.attempts],
            [t('webhooks.created'), <Time at={d.createdAt} />],
            [t('webhooks.lastAttempt'), d.lastAttemptAt && <Time at={d.lastAttemptAt} />],
            [t('webhooks.nextAttempt'), d.nextAttemptAt && <Time at={d.nextAttemptAt} />],
            [t('webhooks.eventNumber'), <Copy text={String(d.eventId)} />],
            [t('webhooks.type'), <code>{d.eventName}</code>],
          ]}
        />
        {may('SETTINGS', 'MODIFY') && finished && (
          <div>
            <Button icon="refresh" busy={busy} onClick={busy ? undefined : sendAgain}>
              {t('webhooks.sendAgain')}
            </Button>
          </div>
        )}
        {may('EVENT') && <Payload id={d.eventId} />}
      </div>
    </Dialog>
  )
}

function Payload({ id }: { id: number }): JSX.Element {
  const { data, error, reload } = useQuery('/api/event/{eventId}', { eventId: id })
  if (error && !data) return <ErrorState error={error} retry={reload} />
  if (!data) return <Skeleton />
  return (
    <section class="stack">
      <h3>{t('webhooks.payload')}</h3>
      <pre class="json" tabIndex={0} aria-label={t('webhooks.payload')}>
        <code>{JSON.stringify(data.payload, null, 2)}</code>
      </pre>
    </section>
  )
}
