import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { MessageDeliveryView } from '../../api/types'
import { useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Badge, Button, Empty, Facts, Time, type Tone } from '../../ui/basics'
import { Dialog, toast, toastFailure } from '../../ui/dialog'
import { Link } from '../../ui/router'
import { List } from '../../ui/table'
import { CustomerFilter } from '../customers/search'
import { channelName, eventName, reasonOf, stateName } from './names'

export const sentPath = '/api/{store}/admin/message/sent'

const tones: Record<string, Tone> = { waiting: 'accent', sent: 'success', dropped: 'neutral', dead: 'danger' }

// Mailbox lists the messages that were sent, or not yet. customer limits it to those to one person.
export function Mailbox({ customer }: { customer?: string }): JSX.Element {
  const [shown, setShown] = useState<string | null>(null)
  const events = useQuery(may('SETTINGS') ? '/api/message/events' : null).data?.events ?? []
  return (
    <>
      <List
        label={t('messages.sent')}
        path={sentPath}
        params={customer ? { customer } : {}}
        read={(r) => ({ rows: r.messages, total: r.total })}
        rowKey={(m) => m.messageId}
        onPick={(m) => setShown(m.messageId)}
        changing={(rows) => rows.some((m) => m.state === 'waiting')}
        filters={[
          {
            name: 'channel',
            title: t('messages.anyChannel'),
            options: ['email', 'sms', 'push'].map((value) => ({ value, text: channelName(value) })),
          },
          {
            name: 'state',
            title: t('webhooks.anyState'),
            options: Object.keys(tones).map((value) => ({ value, text: stateName(value) })),
          },
          ...(may('SETTINGS')
            ? [
                {
                  name: 'event' as const,
                  title: t('messages.anyEvent'),
                  options: events.map((e) => ({ value: e.value, text: eventName(e.value, e.label) })),
                },
              ]
            : []),
          ...(customer
            ? []
            : [
                {
                  name: 'customer' as const,
                  title: t('customers.one'),
                  field: (value: string, onChange: (value: string) => void) => (
                    <CustomerFilter value={value} onChange={onChange} />
                  ),
                },
              ]),
        ]}
        columns={[
          {
            name: 'what',
            title: t('messages.message'),
            cell: (m) => (
              <>
                <span class="primary-line">{m.subject || eventName(m.event)}</span>
                <span class="second-line">{m.subject ? eventName(m.event) : m.address}</span>
              </>
            ),
          },
          {
            name: 'to',
            title: t('messages.to'),
            wide: true,
            cell: (m) => (
              <>
                <span class="primary-line">{addressOf(m)}</span>
                <span class="second-line">{channelName(m.channel)}</span>
              </>
            ),
          },
          { name: 'state', title: t('campaigns.state'), cell: (m) => <MessageState message={m} /> },
          { name: 'created', title: t('webhooks.created'), wide: true, cell: (m) => <Time at={m.createdAt} /> },
        ]}
        empty={
          <Empty icon="channels" title={t('messages.noneSent')}>
            {t('messages.noneSentHelp')}
          </Empty>
        }
      />
      {shown && <Message id={shown} onClose={() => setShown(null)} />}
    </>
  )
}

// addressOf returns where a message goes. A push message goes to the devices of a customer, whose id says nothing.
const addressOf = (m: MessageDeliveryView): string => (m.channel === 'push' ? t('messages.devices') : m.address)

function MessageState({ message: m }: { message: MessageDeliveryView }): JSX.Element {
  return <Badge tone={tones[m.state] ?? 'neutral'}>{stateName(m.state)}</Badge>
}

function Message({ id, onClose }: { id: string; onClose: () => void }): JSX.Element | null {
  const { data: m } = useQuery(`${sentPath}/{message}`, { message: id })
  const [busy, setBusy] = useState(false)
  if (!m) return null
  const resend = async (): Promise<void> => {
    setBusy(true)
    try {
      await write('POST', `${sentPath}/{message}/resend`, { params: { message: id } })
      toast(t('messages.willSend'))
    } catch (error) {
      toastFailure(error)
    }
    setBusy(false)
  }
  const reason = reasonOf(m)
  return (
    <Dialog title={eventName(m.event)} onClose={onClose} side>
      <div class="stack">
        <Facts
          items={[
            [t('campaigns.state'), <MessageState message={m} />],
            [t('messages.reason'), reason],
            [t('messages.channel'), channelName(m.channel)],
            [
              t('messages.to'),
              m.recipient === 'customer' && m.recipientId && may('CUSTOMER') ? (
                <Link to={`/customers/${m.recipientId}`}>{addressOf(m)}</Link>
              ) : (
                addressOf(m)
              ),
            ],
            [t('messages.subject'), m.subject],
            [t('webhooks.created'), <Time at={m.createdAt} />],
            [t('webhooks.attempts'), m.attempts],
            [t('webhooks.lastAttempt'), m.lastAttemptAt && <Time at={m.lastAttemptAt} />],
            [t('webhooks.nextAttempt'), m.nextAttemptAt && <Time at={m.nextAttemptAt} />],
          ]}
        />
        {m.content ? (
          <section class="look mail" aria-label={t('messages.content')}>
            <Content text={m.content} />
          </section>
        ) : (
          m.state !== 'waiting' && <p class="muted">{t('messages.notKept')}</p>
        )}
        {(m.state === 'dead' || m.state === 'waiting') && may('CUSTOMER', 'MODIFY') && (
          <footer>
            <Button icon="refresh" busy={busy} onClick={busy ? undefined : resend}>
              {t('messages.resend')}
            </Button>
          </footer>
        )}
      </div>
    </Dialog>
  )
}

const address = /(https?:\/\/[^\s]+)/

// Content shows a message of the demonstration, with links that work.
function Content({ text }: { text: string }): JSX.Element {
  return (
    <div class="lines">
      {text.split(address).map((part, i) =>
        i % 2 ? (
          <a href={part} target="_blank" rel="noreferrer">
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </div>
  )
}
