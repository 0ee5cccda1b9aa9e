import type { JSX } from 'preact'
import type { NotificationList, NotificationView } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Badge, Empty, Time } from '../../ui/basics'
import { List, type Column } from '../../ui/table'
import { apiOf } from './types'

const columns = (): Column<NotificationView>[] => [
  { name: 'text', title: t('notifications.text'), cell: (n) => n.text },
  { name: 'sent', title: t('notifications.sent'), cell: (n) => <Time at={n.createdAt} />, wide: true },
  { name: 'read', title: t('notifications.read'), cell: (n) => n.read ? <Badge tone="success">{t('notifications.isRead')}</Badge> : <Badge>{t('notifications.isNew')}</Badge> },
]

// Notifications lists what is in the customer's inbox.
export function Notifications({ customer }: { customer: string }): JSX.Element {
  return (
    <List<NotificationView> label={t('tab.notifications')} path={apiOf(customer, '/notification')} columns={columns()}
      read={(r: NotificationList) => ({ rows: r.notifications, total: r.total })} rowKey={(n) => n.notificationId}
      empty={<Empty icon="bell" title={t('notifications.empty')}>{t('notifications.emptyHelp')}</Empty>} />
  )
}
