// What is not confirmed, in one list: what waits for the network, and what the server has refused. What had to wait and
// is confirmed is in another.
import type { JSX } from 'preact'
import { clockAt, t } from '../i18n/i18n'
import { Badge, Button, Card } from '../ui/basics'
import { Icon } from '../ui/icons'
import { reasonOf } from './outcome'
import { entries, late, remove, send, waiting, type Entry } from './queue'
import { resultOf } from './result'

// describe says what an entry does, such as "Use: Free coffee".
export function describe(e: Entry): string {
  return t(`till.kind.${e.kind}`, { what: e.what })
}

export function QueueList(): JSX.Element | null {
  if (entries.value.length === 0) return null
  return (
    <Card
      title={t('till.notConfirmed', { n: entries.value.length })}
      class="queue"
      actions={
        waiting() > 0 && (
          <Button icon="refresh" onClick={() => void send()}>
            {t('till.sendNow')}
          </Button>
        )
      }
    >
      <ul>
        {entries.value.map((e) => (
          <li key={e.key}>
            <Icon name={e.refused ? 'warning' : 'clock'} />
            <div>
              <strong>{describe(e)}</strong>
              <Details entry={e} />
              {e.refused && <span class="reason">{reasonOf(e.refused)}</span>}
            </div>
            {e.refused ? (
              <Button onClick={() => remove(e.key)}>{t('till.dismiss')}</Button>
            ) : (
              <Badge tone="warning">{t('till.waiting')}</Badge>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const Details = ({ entry: e }: { entry: Entry }): JSX.Element => (
  <span class="muted">{[e.customer, clockAt(e.at)].filter(Boolean).join(' · ')}</span>
)

export function LateList(): JSX.Element | null {
  if (late.value.length === 0) return null
  return (
    <Card
      title={t('till.confirmedLate')}
      class="queue"
      actions={<Button kind="plain" icon="close" label={t('action.close')} onClick={() => (late.value = [])} />}
    >
      <ul>
        {late.value.map(({ entry: e, response }) => (
          <li key={e.key}>
            <Icon name="check" />
            <div>
              <strong>{describe(e)}</strong>
              <span>{resultOf(e.kind, response)}</span>
              <Details entry={e} />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
