// Messages from the store. Opening a message marks it as read and shows what it is about.
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useQuery, write } from '../api/client'
import type { NotificationList, NotificationView } from '../api/types'
import { language, t } from '../i18n/i18n'
import { Badge, Button, Card, Empty, ErrorState, Page, Skeleton, Time } from '../ui/basics'
import { toastFailure } from '../ui/dialog'
import { Icon, type IconName } from '../ui/icons'
import { navigate } from '../ui/router'

const step = 30

const icons: Record<string, IconName> = {
  welcome: 'star',
  campaign: 'rewards',
  coupon_ending: 'coupon',
  points_ending: 'points',
  level_ending: 'star',
  mailing: 'channels',
}

export default function Inbox(): JSX.Element {
  const [shown, setShown] = useState(step)
  const { data, error, reload, loading } = useQuery('/api/{store}/customer/notification', {
    perPage: shown,
    _locale: language.value,
  })
  const before = useRef<NotificationList | undefined>(undefined)
  if (data) before.current = data
  const list = data ?? before.current
  const readAll = (): void => void write('POST', '/api/{store}/customer/notification/read').catch(toastFailure)
  return (
    <Page
      title={t('me.inbox')}
      actions={
        list &&
        list.unread > 0 && (
          <Button icon="check" onClick={readAll}>
            {t('me.readAll')}
          </Button>
        )
      }
    >
      {error && !list && <ErrorState error={error} retry={reload} />}
      {!list && !error && <Skeleton lines={6} />}
      {list?.total === 0 && (
        <Empty icon="bell" title={t('me.noMessages')}>
          {t('me.noMessagesHelp')}
        </Empty>
      )}
      {list && list.total > 0 && (
        <Card>
          <ul class="messages">
            {list.notifications.map((n) => (
              <li key={n.notificationId}>
                <Message message={n} />
              </li>
            ))}
          </ul>
          {list.total > list.notifications.length && (
            <Button busy={loading} onClick={() => setShown(shown + step)}>
              {t('me.showMore')}
            </Button>
          )}
        </Card>
      )}
    </Page>
  )
}

function Message({ message: n }: { message: NotificationView }): JSX.Element {
  const open = (): void => {
    if (!n.read)
      void write('POST', '/api/{store}/customer/notification/{notification}/read', {
        params: { notification: n.notificationId },
      }).catch(toastFailure)
    if (n.couponId) navigate(`/coupons/${n.couponId}`)
    else if (n.campaignId) navigate(`/rewards/${n.campaignId}`)
    else if (n.link) window.open(n.link, '_blank', 'noopener')
    else if (n.kind !== 'mailing') navigate('/points')
  }
  return (
    <button type="button" class={n.read ? 'message' : 'message unread'} onClick={open}>
      <Icon name={icons[n.kind] ?? 'bell'} />
      <span>
        <span class="what">{n.text}</span>
        <small class="muted">
          <Time at={n.createdAt} />
        </small>
      </span>
      {!n.read && <Badge tone="accent">{t('me.unread')}</Badge>}
    </button>
  )
}
