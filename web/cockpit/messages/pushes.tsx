import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { NotificationPushView } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Card, Copy, Empty, Facts, Time } from '../../ui/basics'
import { Dialog } from '../../ui/dialog'
import { List } from '../../ui/table'
import { answerText, DeliveryState } from '../webhooks/delivery'

const states = ['pending', 'delivered', 'dead'] as const

// Pushes lists the calls of the gateway, with what became of each.
export function Pushes(): JSX.Element {
  const [shown, setShown] = useState<NotificationPushView | null>(null)
  return (
    <Card title={t('pushes.title')}>
      <List
        label={t('pushes.title')}
        path="/api/{store}/admin/notification/pushes"
        read={(r) => ({ rows: r.pushes, total: r.total })}
        rowKey={(p) => p.pushId}
        onPick={setShown}
        changing={(rows) => rows.some((p) => p.state === 'pending')}
        filters={[
          {
            name: 'state',
            title: t('webhooks.anyState'),
            options: states.map((value) => ({ value, text: t(`webhooks.state.${value}`) })),
          },
        ]}
        columns={[
          {
            name: 'created',
            title: t('webhooks.created'),
            cell: (p) => (
              <>
                <span class="primary-line">
                  <Time at={p.createdAt} />
                </span>
                <span class="second-line">{t('pushes.size', { n: p.notifications })}</span>
              </>
            ),
          },
          { name: 'state', title: t('campaigns.state'), cell: (p) => <DeliveryState delivery={p} /> },
          {
            name: 'answer',
            title: t('webhooks.answer'),
            wide: true,
            cell: (p) => answerText(p.lastStatus, p.lastError),
          },
          { name: 'attempts', title: t('webhooks.attempts'), wide: true, number: true, cell: (p) => p.attempts },
        ]}
        empty={
          <Empty icon="bell" title={t('pushes.empty')}>
            {t('pushes.emptyHelp')}
          </Empty>
        }
      />
      {shown && <Push push={shown} onClose={() => setShown(null)} />}
    </Card>
  )
}

// Push shows one call. It cannot be repeated when it has ended: its notifications are personal data, and are forgotten.
function Push({ push: p, onClose }: { push: NotificationPushView; onClose: () => void }): JSX.Element {
  return (
    <Dialog title={t('pushes.one')} onClose={onClose} side>
      <div class="stack">
        <Facts
          items={[
            [t('campaigns.state'), <DeliveryState delivery={p} />],
            [t('webhooks.answer'), answerText(p.lastStatus, p.lastError)],
            [t('pushes.notifications'), p.notifications],
            [t('webhooks.attempts'), p.attempts],
            [t('webhooks.created'), <Time at={p.createdAt} />],
            [t('webhooks.lastAttempt'), p.lastAttemptAt && <Time at={p.lastAttemptAt} />],
            [t('webhooks.nextAttempt'), p.nextAttemptAt && <Time at={p.nextAttemptAt} />],
            [t('pushes.finished'), p.finishedAt && <Time at={p.finishedAt} />],
            [t('pushes.number'), <Copy text={p.pushId} />],
          ]}
        />
        {p.state === 'dead' && <p class="muted">{t('pushes.lost')}</p>}
      </div>
    </Dialog>
  )
}
