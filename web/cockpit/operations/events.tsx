import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { EventlogView } from '../../api/types'
import { useQuery } from '../../api/client'
import { may } from '../../api/session'
import { dateTime, exactTime, t } from '../../i18n/i18n'
import { Button, Copy, Empty, Facts, Page } from '../../ui/basics'
import { Dialog } from '../../ui/dialog'
import { place, setQuery } from '../../ui/router'
import { Table } from '../../ui/table'
import { CustomerFilter } from '../customers/search'
import { useLive, type LiveEvents } from '../live'
import { LiveState } from '../live_state'
import { eventText, withKinds } from '../webhooks/events'

// Events searches what happened in the store, newest first, and goes on while somebody looks.
export default function Events(): JSX.Element {
  const { query } = place.value
  const filter = { type: query.get('type'), about: query.get('about'), from: query.get('from'), to: query.get('to') }
  const live = useLive(filter, 50)
  const { events, error, busy } = live
  const [shown, setShown] = useState<EventlogView | null>(null)
  const clear = (): void => setQuery({ type: '', about: '', from: '', to: '' })
  const filtered = ['type', 'about', 'from', 'to'].some((name) => query.get(name))
  return (
    <Page
      title={t('nav.events')}
      lead={t('events.lead')}
      actions={
        filter.to ? (
          <Button icon="refresh" busy={busy} onClick={live.reload}>
            {t('webhooks.refresh')}
          </Button>
        ) : (
          <Follow live={live} />
        )
      }
    >
      <div class="list">
        <Filters />
        <Table<EventlogView>
          label={t('nav.events')}
          rows={events}
          rowKey={(e) => String(e.id)}
          onPick={setShown}
          error={error}
          retry={live.reload}
          loading={busy && !events}
          columns={[
            {
              name: 'type',
              title: t('webhooks.event'),
              cell: (e) => (
                <>
                  <span class="primary-line">{eventText(e.type)}</span>
                  <span class="second-line">{exactTime(e.recorderOn)}</span>
                </>
              ),
            },
            { name: 'number', title: t('webhooks.eventNumber'), wide: true, number: true, cell: (e) => e.id },
          ]}
          empty={
            <Empty
              icon="search"
              title={t(filtered ? 'table.noMatch' : 'events.empty')}
              action={filtered && <Button onClick={clear}>{t('table.clear')}</Button>}
            />
          }
        />
        {live.next && (
          <div class="row">
            <Button busy={busy} onClick={busy ? undefined : live.further}>
              {t('events.further')}
            </Button>
            {live.lookedBackTo && (
              <span class="muted">{t('events.lookedBackTo', { time: dateTime(live.lookedBackTo) })}</span>
            )}
          </div>
        )}
      </div>
      {shown && <EventDetail event={shown} onClose={() => setShown(null)} />}
    </Page>
  )
}

// Follow pauses the list, so that it can be read in peace, and lets it go on with what came meanwhile.
function Follow({ live }: { live: LiveEvents }): JSX.Element | null {
  if (!live.events) return null
  return (
    <>
      {live.paused ? (
        <span class="live" role="status">
          {live.news > 0 ? t('events.news', { n: live.news }) : t('events.paused')}
        </span>
      ) : (
        <LiveState connected={live.connected} />
      )}
      <Button icon={live.paused ? 'play' : 'pause'} onClick={() => live.setPaused(!live.paused)}>
        {t(live.paused ? 'events.resume' : 'events.pause')}
      </Button>
    </>
  )
}

function EventDetail({ event: e, onClose }: { event: EventlogView; onClose: () => void }): JSX.Element {
  return (
    <Dialog title={eventText(e.type)} onClose={onClose} side>
      <div class="stack">
        <Facts
          items={[
            [t('events.time'), exactTime(e.recorderOn)],
            [t('webhooks.eventNumber'), <Copy text={String(e.id)} />],
            [t('events.object'), <Copy text={e.uuid} />],
            [t('webhooks.type'), <code>{e.type}</code>],
          ]}
        />
        <h3>{t('webhooks.payload')}</h3>
        <pre class="json" tabIndex={0} aria-label={t('webhooks.payload')}>
          <code>{JSON.stringify(e.payload, null, 2)}</code>
        </pre>
      </div>
    </Dialog>
  )
}

function Filters(): JSX.Element {
  const { query } = place.value
  const types = useQuery(may('SETTINGS') ? '/api/{store}/webhook/event' : null, { perPage: -1 }).data?.events ?? []
  return (
    <div class="toolbar">
      {may('SETTINGS') && (
        <select
          class={query.get('type') ? 'input filter on' : 'input filter'}
          aria-label={t('events.anyType')}
          value={query.get('type') ?? ''}
          onChange={(event) => setQuery({ type: event.currentTarget.value })}
        >
          <option value="">{t('events.anyType')}</option>
          {withKinds(types).map((type) => (
            <option key={type} value={type} selected={type === query.get('type')}>
              {eventText(type)}
            </option>
          ))}
        </select>
      )}
      {may('CUSTOMER') && (
        <CustomerFilter
          label={t('events.customer')}
          value={query.get('about') ?? ''}
          onChange={(about) => setQuery({ about })}
        />
      )}
      {(['from', 'to'] as const).map((name) => (
        <input
          key={name}
          class="input filter"
          type="date"
          aria-label={t(`events.${name}`)}
          title={t(`events.${name}`)}
          value={query.get(name) ?? ''}
          onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
        />
      ))}
    </div>
  )
}
