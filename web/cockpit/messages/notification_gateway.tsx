import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { NotificationGatewayView } from '../../api/types'
import { rewrite, storedAt, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Badge, Button, Card, ErrorState, Facts, Skeleton } from '../../ui/basics'
import { Confirm, Dialog, Menu, toast } from '../../ui/dialog'
import { Checkbox, Form, TextField, useForm } from '../../ui/form'
import { newSecret } from '../system/settings_values'
import { Test } from '../webhooks/page_actions'
import { SecretDialog } from '../webhooks/secret'

const path = '/api/{store}/admin/notification/gateway'

type Asked = 'edit' | 'test' | 'secret' | 'remove' | { secret: string }

// NotificationGateway shows where notifications are sent to, besides the inboxes. Its secret is never shown, only a new one once.
export function NotificationGateway(): JSX.Element {
  const { data, error, reload } = useQuery(path)
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  const isSet = data !== undefined && data.url !== ''
  const mayEdit = may('SETTINGS', 'MODIFY')
  const actions = mayEdit && data && (
    <div class="row">
      {isSet && <Button onClick={() => setAsked('test')}>{t('webhooks.test')}</Button>}
      <Button icon={isSet ? 'edit' : 'plus'} onClick={() => setAsked('edit')}>
        {t(isSet ? 'action.edit' : 'gateway.set')}
      </Button>
      {isSet && (
        <Menu
          label={t('gateway.more')}
          items={[
            { text: t('webhooks.rotate'), onClick: () => setAsked('secret') },
            { text: t('gateway.remove'), danger: true, onClick: () => setAsked('remove') },
          ]}
        />
      )}
    </div>
  )
  return (
    <Card title={t('gateway.title')} actions={actions}>
      {error && !data ? (
        <ErrorState error={error} retry={reload} />
      ) : !data ? (
        <Skeleton />
      ) : isSet ? (
        <Facts
          items={[
            [t('webhooks.url'), data.url],
            [
              t('campaigns.state'),
              <Badge tone={data.active ? 'success' : 'neutral'}>{t(data.active ? 'gateway.on' : 'gateway.off')}</Badge>,
            ],
            [t('webhooks.secret'), t('gateway.secretSet')],
          ]}
        />
      ) : (
        <p class="muted">{t('gateway.none')}</p>
      )}
      {asked === 'edit' && data && <Edit gateway={data} onClose={close} onSecret={(secret) => setAsked({ secret })} />}
      {asked === 'test' && (
        <Test
          test={() => write('POST', `${path}/test`, { key: null })}
          onClose={close}
          done={t('gateway.testDone')}
          failed={t('gateway.testFailed')}
        />
      )}
      {asked === 'secret' && <NewSecret onClose={close} onSecret={(secret) => setAsked({ secret })} />}
      {asked === 'remove' && (
        <Confirm
          title={t('gateway.removeTitle')}
          action={t('gateway.remove')}
          onClose={close}
          onConfirm={async () => {
            await write('DELETE', path)
            toast(t('gateway.removed'))
          }}
        >
          {t('gateway.removeHelp', { url: data?.url ?? '' })}
        </Confirm>
      )}
      {asked && typeof asked === 'object' && <SecretDialog secret={asked.secret} onClose={close} />}
    </Card>
  )
}

interface DialogProps {
  gateway: NotificationGatewayView
  onClose: () => void
  onSecret: (secret: string) => void
}

function Edit({ gateway, onClose, onSecret }: DialogProps): JSX.Element {
  const isNew = gateway.url === ''
  const form = useForm(
    { url: gateway.url, active: isNew || gateway.active },
    async (values, key, tag) => {
      const saved = await write('PUT', path, { body: { notificationGateway: values }, key, tag })
      toast(t('gateway.saved'))
      if (saved.signingSecret) onSecret(saved.signingSecret)
      else onClose()
    },
    true,
    isNew ? undefined : storedAt(path, {}, ({ url, active }) => ({ url, active })),
  )
  return (
    <Dialog title={t('gateway.title')} onClose={onClose}>
      <Form form={form} cancel={onClose}>
        <TextField
          form={form}
          path="url"
          label={t('webhooks.url')}
          help={t('gateway.urlHelp')}
          type="url"
          placeholder="https://"
          autoFocus
        />
        <Checkbox form={form} path="active" label={t('gateway.active')} help={t('gateway.activeHelp')} />
      </Form>
    </Dialog>
  )
}

// NewSecret replaces the secret at once. The browser makes it, so that it is known here only.
function NewSecret({ onClose, onSecret }: Omit<DialogProps, 'gateway'>): JSX.Element {
  const [secret] = useState(newSecret)
  const saved = useRef(false)
  return (
    <Confirm
      title={t('webhooks.rotate')}
      action={t('webhooks.rotateNow')}
      onClose={() => (saved.current ? onSecret(secret) : onClose())}
      onConfirm={async () => {
        await rewrite(path, {}, ({ url, active }) => ({ notificationGateway: { url, active, secret } }))
        saved.current = true
      }}
    >
      {t('gateway.rotateHelp')}
    </Confirm>
  )
}
