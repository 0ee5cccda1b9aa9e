import type { JSX } from 'preact'
import type { NotificationAnnouncementView } from '../../api/types'
import { language, number, t, tIf } from '../../i18n/i18n'
import { Badge, ButtonLink, Empty, Page, Time, type Tone } from '../../ui/basics'
import { may } from '../../api/session'
import { List } from '../../ui/table'

const tones: Record<string, Tone> = { running: 'accent', finished: 'success', closed: 'neutral' }

// Announcements lists how far the customers of each reward are notified that it is available.
export default function Announcements(): JSX.Element {
  return (
    <Page title={t('nav.notifications')} lead={t('notifications.lead')}>
      <AnnouncementList />
    </Page>
  )
}

function AnnouncementList(): JSX.Element {
  const create = may('REWARD_CAMPAIGN', 'MODIFY') && (
    <ButtonLink kind="primary" icon="plus" to="/campaigns/new">
      {t('campaigns.new')}
    </ButtonLink>
  )
  return (
    <List
      label={t('notifications.announcements')}
      path="/api/{store}/admin/notification/campaigns"
      read={(r) => ({ rows: r.campaigns, total: r.total })}
      params={{ includeNames: 1, _locale: language.value }}
      changing={(rows) => rows.some((a) => a.state === 'running')}
      rowKey={(a) => a.campaignId}
      to={(a) => `/campaigns/${a.campaignId}`}
      columns={[
        {
          name: 'name',
          title: t('notifications.reward'),
          cell: (a) => (
            <>
              <span class="primary-line">{a.name ?? t('notifications.noName')}</span>
              <span class="second-line">
                <Time at={a.startedAt} />
              </span>
            </>
          ),
        },
        {
          name: 'state',
          title: t('campaigns.state'),
          cell: (a) => (
            <Badge tone={tones[a.state] ?? 'neutral'}>{tIf(`notifications.state.${a.state}`, a.state)}</Badge>
          ),
        },
        { name: 'progress', title: t('notifications.progress'), wide: true, cell: (a) => <Progress of={a} /> },
        { name: 'told', title: t('notifications.told'), number: true, cell: (a) => number(a.told) },
      ]}
      empty={
        <Empty icon="bell" title={t('notifications.none')} action={create}>
          {t('notifications.noneHelp')}
        </Empty>
      }
    />
  )
}

function Progress({ of: a }: { of: NotificationAnnouncementView }): JSX.Element {
  const text = t('notifications.done', { done: a.done, n: a.total })
  return (
    <span class="announced">
      <progress
        class="progress"
        max={Math.max(a.total, 1)}
        value={a.state === 'finished' ? Math.max(a.total, 1) : a.done}
        aria-label={text}
      />
      <small class="muted">{text}</small>
    </span>
  )
}
