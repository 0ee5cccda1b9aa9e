import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { WebhookDeliveryView, WebhookSubscriptionView } from '../../api/types'
import { stale, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { dateTime, t } from '../../i18n/i18n'
import {
  Badge,
  Button,
  ButtonLink,
  Card,
  Empty,
  ErrorState,
  Facts,
  Notice,
  Page,
  Skeleton,
  Time,
} from '../../ui/basics'
import { Confirm, Menu, toast } from '../../ui/dialog'
import { Switch } from '../../ui/form'
import { navigate, type RouteProps } from '../../ui/router'
import { List } from '../../ui/table'
import { Tabs } from '../../ui/tabs'
import { History } from '../audit/history'
import { answerText, Delivery, DeliveryState } from './delivery'
import { eventText } from './events'
import { nameOf, setActive, State } from './list'
import { Replay, RetryAll, Test } from './page_actions'
import { SecretDialog } from './secret'

// WebhookPage shows a web hook: whether it works, and what became of each call.
export default function WebhookPage({ params }: RouteProps): JSX.Element {
  const {
    data: s,
    error,
    reload,
  } = useQuery('/api/{store}/webhook/subscription/{subscription}', { subscription: params['webhook'] })
  const back = { to: '/webhooks', text: t('nav.webhooks') }
  if (!s) {
    return (
      <Page title={t('webhooks.one')} back={back}>
        {error ? <ErrorState error={error} retry={reload} /> : <Skeleton lines={6} />}
      </Page>
    )
  }
  return (
    <Page
      title={nameOf(s)}
      back={back}
      lead={s.url}
      badge={<State webhook={s} />}
      actions={
        <>
          <History of={s.webhookSubscriptionId} />
          {may('SETTINGS', 'MODIFY') && <Actions webhook={s} />}
        </>
      }
    >
      {s.managedBy && <Notice title={t('webhooks.managed')}>{t('webhooks.managedHelp')}</Notice>}
      <Trouble webhook={s} />
      <Tabs
        label={t('webhooks.one')}
        tabs={[
          {
            name: 'deliveries',
            title: t('webhooks.deliveries'),
            body: () => <Deliveries subscription={s.webhookSubscriptionId} />,
          },
          { name: 'details', title: t('webhooks.details'), body: () => <Details webhook={s} /> },
        ]}
      />
    </Page>
  )
}

// Trouble says why a web hook was switched off, or since when it fails.
function Trouble({ webhook: s }: { webhook: WebhookSubscriptionView }): JSX.Element | null {
  const since = dateTime(s.failingSince)
  if (s.disabledReason) {
    const gone = s.disabledReason.includes('410')
    return (
      <Notice
        tone="danger"
        title={gone ? t('webhooks.gone') : since ? t('webhooks.failedSince', { since }) : s.disabledReason}
      >
        {t('webhooks.disabledHelp')}
      </Notice>
    )
  }
  return s.failingSince ? (
    <Notice tone="warning" title={t('webhooks.failingSince', { since })}>
      {t('webhooks.failingHelp')}
    </Notice>
  ) : null
}

function Actions({ webhook: s }: { webhook: WebhookSubscriptionView }): JSX.Element {
  const [dialog, setDialog] = useState<'test' | 'rotate' | 'replay' | 'delete' | null>(null)
  const [secret, setSecret] = useState('')
  const close = (): void => setDialog(null)
  const params = { subscription: s.webhookSubscriptionId }
  return (
    <>
      {!s.managedBy && (
        <Switch
          label={t(s.active ? 'levels.on' : 'levels.off')}
          checked={s.active}
          onChange={(on) => setActive(s, on)}
        />
      )}
      <Button onClick={() => setDialog('test')}>{t('webhooks.test')}</Button>
      {!s.managedBy && (
        <ButtonLink icon="edit" to={`/webhooks/${s.webhookSubscriptionId}/edit`}>
          {t('campaigns.editShort')}
        </ButtonLink>
      )}
      <Menu
        label={t('campaigns.moreActions')}
        class="button square"
        items={[
          s.hmacEnabled && { text: t('webhooks.rotate'), onClick: () => setDialog('rotate') },
          { text: t('webhooks.replay'), onClick: () => setDialog('replay') },
          !s.managedBy && { text: t('webhooks.delete'), danger: true, onClick: () => setDialog('delete') },
        ]}
      />
      {dialog === 'test' && (
        <Test
          test={() => write('POST', '/api/{store}/webhook/subscription/{subscription}/test', { params, key: null })}
          onClose={close}
        />
      )}
      {dialog === 'replay' && <Replay subscription={s.webhookSubscriptionId} onClose={close} />}
      {dialog === 'rotate' && (
        <Confirm
          title={t('webhooks.rotate')}
          action={t('webhooks.rotateNow')}
          danger={false}
          onClose={close}
          onConfirm={async () =>
            setSecret(
              (await write('POST', '/api/{store}/webhook/subscription/{subscription}/rotate', { params }))
                .signingSecret ?? '',
            )
          }
        >
          {t('webhooks.rotateHelp')}
        </Confirm>
      )}
      {dialog === 'delete' && (
        <Confirm
          title={t('webhooks.deleteTitle', { name: nameOf(s) })}
          action={t('webhooks.deleteNow')}
          onClose={close}
          onConfirm={async () => {
            navigate('/webhooks')
            await write('DELETE', '/api/{store}/webhook/subscription/{subscription}', { params })
            toast(t('webhooks.deleted', { name: nameOf(s) }))
          }}
        >
          {t('webhooks.deleteHelp', { url: s.url })}
        </Confirm>
      )}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret('')} />}
    </>
  )
}

function Details({ webhook: s }: { webhook: WebhookSubscriptionView }): JSX.Element {
  return (
    <Card>
      <Facts
        items={[
          [t('webhooks.url'), s.url],
          [t('webhooks.events'), s.eventNames.map((name) => <Badge key={name}>{eventText(name)}</Badge>)],
          [t('webhooks.signature'), s.hmacEnabled ? t('webhooks.isSigned') : t('webhooks.isNotSigned')],
          [t('webhooks.oldSecret'), s.oldSecretUntil && <Time at={s.oldSecretUntil} />],
          [t('webhooks.headers'), s.headers.map((h) => h.headerName).join(', ')],
          [t('campaigns.created'), <Time at={s.createdAt} />],
        ]}
      />
    </Card>
  )
}

function Deliveries({ subscription }: { subscription: string }): JSX.Element {
  const [shown, setShown] = useState<WebhookDeliveryView | null>(null)
  const retry = (eventId: number): Promise<unknown> =>
    write('POST', '/api/{store}/webhook/subscription/{subscription}/deliveries/{eventId}/retry', {
      params: { subscription, eventId },
    })
  return (
    <>
      <List
        label={t('webhooks.deliveries')}
        path="/api/{store}/webhook/subscription/{subscription}/deliveries"
        params={{ subscription }}
        read={(r) => ({ rows: r.deliveries, total: r.total })}
        rowKey={(d) => d.deliveryId}
        onPick={setShown}
        filters={[
          {
            name: 'state',
            title: t('webhooks.anyState'),
            options: ['waiting', 'pending', 'delivered', 'dead'].map((value) => ({
              value,
              text: t(`webhooks.state.${value as 'dead'}`),
            })),
          },
        ]}
        columns={[
          {
            name: 'event',
            title: t('webhooks.event'),
            cell: (d) => (
              <>
                <span class="primary-line">{eventText(d.eventName)}</span>
                <span class="second-line">
                  <Time at={d.createdAt} />
                </span>
              </>
            ),
          },
          { name: 'state', title: t('campaigns.state'), cell: (d) => <DeliveryState delivery={d} /> },
          {
            name: 'answer',
            title: t('webhooks.answer'),
            wide: true,
            cell: (d) => answerText(d.lastStatus, d.lastError),
          },
          { name: 'attempts', title: t('webhooks.attempts'), wide: true, number: true, cell: (d) => d.attempts },
          { name: 'next', title: t('webhooks.nextAttempt'), wide: true, cell: (d) => <Time at={d.nextAttemptAt} /> },
        ]}
        actions={
          <>
            <Button icon="refresh" label={t('webhooks.refresh')} onClick={stale} />
            {may('SETTINGS', 'MODIFY') && <RetryAll subscription={subscription} />}
          </>
        }
        empty={
          <Empty icon="link" title={t('webhooks.noDeliveries')}>
            {t('webhooks.noDeliveriesHelp')}
          </Empty>
        }
      />
      {shown && <Delivery delivery={shown} retry={() => retry(shown.eventId)} onClose={() => setShown(null)} />}
    </>
  )
}
