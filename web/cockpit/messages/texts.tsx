import type { JSX } from 'preact'
import type { TemplateEventView, TemplateView } from '../../api/types'
import { useQuery } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Badge, Empty } from '../../ui/basics'
import { Table } from '../../ui/table'
import { channelName, channels, eventName } from './names'

// Texts lists what messages report, with the channels on which each goes out.
export function Texts(): JSX.Element {
  const events = useQuery('/api/message/events')
  const templates = useQuery('/api/{store}/message', { perPage: 1000 })
  const of = (event: TemplateEventView): TemplateView[] =>
    (templates.data?.messages ?? []).filter((m) => m.event === event.value)
  const group = (target: string): TemplateEventView[] | undefined =>
    templates.data && events.data?.events.filter((e) => e.target === target)
  const list = (target: string, title: string): JSX.Element => (
    <section class="stack" aria-label={title}>
      <h2>{title}</h2>
      <Table<TemplateEventView>
        label={title}
        rows={group(target)}
        rowKey={(e) => e.value}
        to={(e) => `/messages/${e.value}`}
        error={events.error ?? templates.error}
        retry={() => {
          events.reload()
          templates.reload()
        }}
        loading={templates.loading && !templates.data}
        columns={[
          {
            name: 'event',
            title: t('messages.when'),
            cell: (e) => (
              <span class="primary-line">
                {eventName(e.value, e.label)} {e.marketing && <Badge tone="accent">{t('messages.marketing')}</Badge>}
              </span>
            ),
          },
          { name: 'channels', title: t('messages.channels'), cell: (e) => <Channels event={e} templates={of(e)} /> },
          {
            name: 'own',
            title: t('messages.ownTexts'),
            wide: true,
            number: true,
            cell: (e) => of(e).filter((m) => !m.default).length || '–',
          },
        ]}
        empty={
          <Empty icon="channels" title={t('messages.noTexts')}>
            {t('messages.noTextsHelp')}
          </Empty>
        }
      />
    </section>
  )
  return (
    <div class="stack">
      {list('customer', t('messages.toCustomers'))}
      {list('admin', t('messages.toStaff'))}
    </div>
  )
}

// Channels shows which channels an event uses. A channel is on if a text in any language is.
function Channels({ event, templates }: { event: TemplateEventView; templates: TemplateView[] }): JSX.Element {
  return (
    <span class="message-channels">
      {channels
        .filter((c) => event.channels.includes(c))
        .map((channel) => {
          const on = templates.some((m) => m.channel === channel && m.enabled)
          return (
            <Badge key={channel} tone={on ? 'success' : 'neutral'}>
              {channelName(channel)}: {t(on ? 'messages.on' : 'messages.off')}
            </Badge>
          )
        })}
    </span>
  )
}
