import type { JSX } from 'preact'
import type { WebhookSubscriptionView } from '../../api/types'
import { rewrite } from '../../api/client'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Badge, ButtonLink, Empty, Page } from '../../ui/basics'
import { toast, toastFailure } from '../../ui/dialog'
import { Switch } from '../../ui/form'
import { List } from '../../ui/table'
import { eventText } from './events'

// nameOf returns what a web hook is called: its description, or the host that it calls.
export function nameOf(s: { url: string; description?: string }): string {
  return s.description || (URL.canParse(s.url) ? new URL(s.url).host : s.url)
}

// setActive switches a web hook on or off. A header that is sent without a value keeps it.
export async function setActive(s: WebhookSubscriptionView, on: boolean): Promise<void> {
  try {
    await rewrite(
      '/api/{store}/webhook/subscription/{subscription}',
      { subscription: s.webhookSubscriptionId },
      ({ url, description, eventNames, headers, hmacEnabled }) => ({
        webhookSubscription: { url, description, eventNames, headers, hmacEnabled, active: on },
      }),
    )
    toast(t(on ? 'webhooks.switchedOn' : 'webhooks.switchedOff', { name: nameOf(s) }))
  } catch (failure) {
    toastFailure(failure)
    throw failure
  }
}

export function State({ webhook: s }: { webhook: WebhookSubscriptionView }): JSX.Element {
  if (s.disabledReason) return <Badge tone="danger">{t('webhooks.disabled')}</Badge>
  if (!s.active) return <Badge>{t('webhooks.off')}</Badge>
  if (s.failingSince) return <Badge tone="warning">{t('webhooks.failing')}</Badge>
  return <Badge tone="success">{t('webhooks.on')}</Badge>
}

export default function Webhooks(): JSX.Element {
  const create = may('SETTINGS', 'MODIFY') && (
    <ButtonLink kind="primary" icon="plus" to="/webhooks/new">
      {t('webhooks.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.webhooks')} lead={t('webhooks.lead')} actions={create}>
      <List
        label={t('nav.webhooks')}
        path="/api/{store}/webhook/subscription"
        read={(r) => ({ rows: r.subscriptions, total: r.total })}
        rowKey={(s) => s.webhookSubscriptionId}
        to={(s) => `/webhooks/${s.webhookSubscriptionId}`}
        columns={[
          {
            name: 'name',
            title: t('campaigns.name'),
            cell: (s) => (
              <>
                <span class="primary-line">{nameOf(s)}</span>
                <span class="second-line">{s.url}</span>
              </>
            ),
          },
          { name: 'events', title: t('webhooks.events'), wide: true, cell: (s) => <EventNames names={s.eventNames} /> },
          { name: 'state', title: t('campaigns.state'), wide: true, cell: (s) => <State webhook={s} /> },
          {
            name: 'active',
            title: t('campaigns.on'),
            cell: (s) => (
              <Switch
                hideLabel
                label={t('campaigns.onLabel', { name: nameOf(s) })}
                checked={s.active}
                disabled={!may('SETTINGS', 'MODIFY') || s.managedBy !== undefined}
                onChange={(on) => setActive(s, on)}
              />
            ),
          },
        ]}
        empty={
          <Empty icon="link" title={t('webhooks.empty')} action={create}>
            {t('webhooks.emptyHelp')}
          </Empty>
        }
      />
    </Page>
  )
}

function EventNames({ names }: { names: string[] }): JSX.Element {
  const [first = '', ...others] = names
  return (
    <>
      {eventText(first)}
      {others.length > 0 && <span class="muted"> {t('webhooks.andOthers', { n: others.length })}</span>}
    </>
  )
}
