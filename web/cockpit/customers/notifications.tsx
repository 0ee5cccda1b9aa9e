import type { JSX } from 'preact'
import type { NotificationView } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Badge, Empty, Time } from '../../ui/basics'
import { List, type Column } from '../../ui/table'

const columns = (): Column<NotificationView>[] => [
  { name: 'text', title: t('notifications.text'), cell: (n) => n.text },
  { name: 'sent', title: t('notifications.sent'), cell: (n) => <Time at={n.createdAt} />, wide: true },
  {
    name: 'read',
    title: t('notifications.read'),
    cell: (n) =>
      n.read ? <Badge tone="success">{t('notifications.isRead')}</Badge> : <Badge>{t('notifications.isNew')}</Badge>,
  },
]

// Notifications lists what is in the customer's inbox.
export function Notifications({ customer }: { customer: string }): JSX.Element {
  return (
    <List
      label={t('tab.notifications')}
      path="/api/{store}/admin/customer/{customer}/notification"
      params={{ customer }}
      columns={columns()}
      read={(r) => ({ rows: r.notifications, total: r.total })}
      rowKey={(n) => n.notificationId}
      empty={
        <Empty icon="bell" title={t('notifications.empty')}>
          {t('notifications.emptyHelp')}
        </Empty>
      }
    />
  )
}
