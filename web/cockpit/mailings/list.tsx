// Messages that the store writes to many customers.
import type { JSX } from 'preact'
import type { MailingView } from '../../api/types'
import { may } from '../../api/session'
import { number, t, tIf } from '../../i18n/i18n'
import { Badge, ButtonLink, Empty, Page, Time } from '../../ui/basics'
import { List } from '../../ui/table'
import { channelName } from '../messages/names'

export type Mailing = MailingView

export default function Mailings(): JSX.Element {
  const create = may('REWARD_CAMPAIGN', 'MODIFY') && (
    <ButtonLink kind="primary" icon="plus" to="/mailings/new">
      {t('mailings.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.mailings')} lead={t('mailings.lead')} actions={create}>
      <List
        label={t('nav.mailings')}
        path="/api/{store}/admin/mailing"
        read={(r: { mailings: Mailing[]; total: number }) => ({ rows: r.mailings, total: r.total })}
        rowKey={(m) => m.mailingId}
        to={(m) => `/mailings/${m.mailingId}`}
        changing={(rows) => rows.some((m) => m.state === 'running')}
        columns={[
          {
            name: 'name',
            title: t('mailings.name'),
            cell: (m) => (
              <>
                <span class="primary-line">{m.name}</span>
                <span class="second-line">{m.channels.map(channelName).join(', ')}</span>
              </>
            ),
          },
          { name: 'state', title: t('mailings.state'), cell: (m) => <State of={m} /> },
          {
            name: 'recipients',
            title: t('mailings.recipients'),
            number: true,
            wide: true,
            cell: (m) => number(m.recipients),
          },
          {
            name: 'clicked',
            title: t('mailings.clicked'),
            number: true,
            wide: true,
            cell: (m) => (m.link ? number(m.clicked) : '–'),
          },
          {
            name: 'when',
            title: t('mailings.when'),
            wide: true,
            cell: (m) => <Time at={m.startedAt ?? m.sendAt ?? m.createdAt} />,
          },
        ]}
        empty={
          <Empty icon="channels" title={t('mailings.empty')} action={create}>
            {t('mailings.emptyHelp')}
          </Empty>
        }
      />
    </Page>
  )
}

const tones: Record<string, 'neutral' | 'accent' | 'success' | 'warning' | 'danger'> = {
  draft: 'neutral',
  scheduled: 'accent',
  running: 'accent',
  paused: 'warning',
  finished: 'success',
  stopped: 'danger',
}

export function State({ of: m }: { of: Mailing }): JSX.Element {
  return <Badge tone={tones[m.state] ?? 'neutral'}>{tIf(`mailings.state.${m.state}`, m.state)}</Badge>
}
