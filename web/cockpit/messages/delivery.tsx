import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { MessageSettingsView, MessageStatusView } from '../../api/types'
import { storedAt, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Badge, Button, Card, ErrorState, Notice, Skeleton } from '../../ui/basics'
import { Confirm, toast } from '../../ui/dialog'
import { Checkbox, Form, NumberField, SelectField, TextField, useForm, type FormState } from '../../ui/form'
import { Link } from '../../ui/router'
import { withoutActivation } from '../customers/waiting'
import { CurrentPassword, maySecure, SecurityNotice } from '../security'
import { SecretDialog } from '../webhooks/secret'
import { channelName } from './names'
import { NotificationGateway } from './notification_gateway'
import { Pushes } from './pushes'
import { SendTest, type TestChannel } from './send_test'

const path = '/api/{store}/admin/message/settings'

// Delivery says whether messages and notifications can be sent, and how.
export function Delivery(): JSX.Element {
  const status = useQuery('/api/{store}/admin/message/status')
  const settings = useQuery(path)
  const error = status.error ?? settings.error
  if (error && !(status.data && settings.data))
    return (
      <ErrorState
        error={error}
        retry={() => {
          status.reload()
          settings.reload()
        }}
      />
    )
  if (!status.data || !settings.data) return <Skeleton lines={8} />
  return (
    <div class="stack">
      <div class="narrow-form stack">
        <Status status={status.data} />
        <Settings settings={settings.data} mailbox={status.data.mailbox} />
        <NotificationGateway />
      </div>
      <Pushes />
    </div>
  )
}

function Status({ status: s }: { status: MessageStatusView }): JSX.Element {
  const [testing, setTesting] = useState(false)
  return (
    <Card
      title={t('messages.status')}
      actions={may('SETTINGS', 'MODIFY') && <Button onClick={() => setTesting(true)}>{t('messages.test')}</Button>}
    >
      {s.mailbox && <Notice>{t('messages.mailboxOn')}</Notice>}
      {!s.publicUrl && (
        <Notice tone="warning" title={t('messages.noUrl')}>
          {t('messages.noUrlHelp')} {t('messages.urlIn')} <Link to="/settings">{t('nav.settings')}</Link>.
        </Notice>
      )}
      <ul class="channel-states">
        {s.channels.map((c) => (
          <li key={c.channel}>
            <strong>{channelName(c.channel)}</strong>
            <Badge tone={c.working ? 'success' : c.reason === 'switched_off' ? 'neutral' : 'warning'}>
              {t(c.working ? 'messages.works' : c.reason === 'switched_off' ? 'messages.isOff' : 'messages.notSet')}
            </Badge>
            {c.waiting > 0 && <span class="muted">{t('messages.waiting', { n: c.waiting })}</span>}
            {c.browsers !== undefined && (
              <span class="muted">{t('messages.browsersSubscribed', { n: c.browsers })}</span>
            )}
          </li>
        ))}
      </ul>
      {s.publicUrl && <p class="muted">{t('messages.links', { url: s.publicUrl })}</p>}
      <Administrators state={s.administrators} />
      {s.customersWaitingForActivation > 0 && (
        <Waiting
          customers={s.customersWaitingForActivation}
          reached={s.publicUrl !== '' && s.channels.some((c) => c.working && c.channel !== 'push')}
        />
      )}
      {testing && (
        <SendTest
          channels={s.channels.map((c) => c.channel as TestChannel)}
          send={(body, key) => write('POST', `${path}/test`, { body, key })}
          onClose={() => setTesting(false)}
        />
      )}
    </Card>
  )
}

// Administrators says whether e-mails to administrators can be sent.
function Administrators({ state: a }: { state: MessageStatusView['administrators'] }): JSX.Element {
  const ready = a.working && a.publicUrl !== ''
  return (
    <>
      <ul class="channel-states">
        <li>
          <strong>{channelName('administrators')}</strong>
          <Badge tone={ready ? 'success' : 'warning'}>{t(ready ? 'messages.works' : 'messages.notSet')}</Badge>
          {a.waiting > 0 && <span class="muted">{t('messages.waiting', { n: a.waiting })}</span>}
        </li>
      </ul>
      <p class="muted">{t('messages.administratorsBy')}</p>
    </>
  )
}

// Waiting says how many customers wait for their activation. While no message reaches them, the store can do without.
function Waiting({ customers, reached }: { customers: number; reached: boolean }): JSX.Element {
  const [asking, setAsking] = useState(false)
  const text = t('messages.activation', { n: customers })
  if (reached) return <p>{text}</p>
  return (
    <Notice tone="warning" title={text}>
      <p>{t('messages.activationHelp')}</p>
      {may('SETTINGS', 'MODIFY') && (
        <div>
          <Button small onClick={() => setAsking(true)}>
            {t('messages.activationSwitchOff')}
          </Button>
        </div>
      )}
      {asking && (
        <Confirm
          title={t('messages.activationTitle')}
          action={t('messages.activationSwitchOff')}
          danger={false}
          onClose={() => setAsking(false)}
          onConfirm={() => withoutActivation()}
        >
          {t('messages.activationText')}
        </Confirm>
      )}
    </Notice>
  )
}

function valuesOf(s: MessageSettingsView) {
  const { email, sms, push } = s
  return {
    email: {
      active: email.active,
      senderName: email.senderName,
      senderAddress: email.senderAddress,
      host: email.host,
      port: email.port ? String(email.port) : '',
      security: (email.security || 'starttls') as 'starttls' | 'tls' | 'optional',
      user: email.user,
      password: '',
    },
    sms: {
      active: sms.active,
      url: sms.url,
      service: (sms.service === 'twilio' ? 'twilio' : 'gateway') as 'gateway' | 'twilio',
      account: sms.account ?? '',
      from: sms.from ?? '',
      token: '',
    },
    push: { active: push.active, browsers: push.browsers === true, url: push.url },
    currentPassword: '',
  }
}

type Values = ReturnType<typeof valuesOf>

// isMoved reports whether messages would go elsewhere than before.
function isMoved(now: Values, before: Values): boolean {
  const where = ({ email: e, sms, push }: Values) => [
    e.host.trim(),
    e.port,
    e.security,
    e.user.trim(),
    e.password,
    sms.url.trim(),
    sms.service,
    sms.account.trim(),
    sms.from.trim(),
    sms.token,
    push.url.trim(),
  ]
  return JSON.stringify(where(now)) !== JSON.stringify(where(before))
}

function Settings({ settings, mailbox }: { settings: MessageSettingsView; mailbox: boolean }): JSX.Element {
  const [secret, setSecret] = useState('')
  const mayEdit = may('SETTINGS', 'MODIFY')
  const form = useForm<Values>(
    valuesOf(settings),
    async (values, key, tag) => {
      const saved = await write('PUT', path, { body: { messageSettings: values }, key, tag })
      toast(t('messages.deliverySaved'))
      form.replace(valuesOf(saved))
      setSecret(saved.sms.signingSecret ?? saved.push.signingSecret ?? '')
    },
    true,
    storedAt(path, {}, valuesOf),
  )
  const shown = useRef(settings)
  useEffect(() => {
    if (settings !== shown.current && !form.dirty && !form.busy) form.replace(valuesOf(settings))
    shown.current = settings
  }, [settings])
  const own = form.values.email.host !== ''
  const field = { form, disabled: !mayEdit }
  const guarded = { form, disabled: !mayEdit || !maySecure() }
  return (
    <>
      <Form form={form} sticky>
        {mayEdit && <SecurityNotice />}
        <Card title={channelName('email')}>
          {mailbox && <p class="muted">{t('messages.mailboxHelp')}</p>}
          <Checkbox {...field} path="email.active" label={t('messages.active')} />
          <div class="columns">
            <TextField
              {...field}
              path="email.senderName"
              label={t('messages.senderName')}
              help={t('messages.senderNameHelp')}
              maxLength={255}
              optional
            />
            <TextField
              {...field}
              path="email.senderAddress"
              type="email"
              label={t('messages.senderAddress')}
              help={t('messages.senderAddressHelp')}
              optional={!own}
            />
          </div>
          <div class="columns">
            <TextField
              {...guarded}
              path="email.host"
              label={t('messages.host')}
              help={t('messages.hostHelp')}
              placeholder="smtp.example.com"
              optional
            />
            <NumberField
              {...guarded}
              path="email.port"
              label={t('messages.port')}
              help={t('messages.portHelp')}
              whole
            />
          </div>
          {own && <Server {...guarded} hasPassword={settings.email.hasPassword} />}
        </Card>
        <Gateway form={form} disabled={!mayEdit} channel="sms">
          <SelectField
            {...guarded}
            path="sms.service"
            label={t('messages.service')}
            options={(['gateway', 'twilio'] as const).map((value) => ({ value, text: t(`messages.service.${value}`) }))}
          />
          {form.values.sms.service === 'twilio' && <Twilio {...guarded} hasToken={settings.sms.hasToken === true} />}
        </Gateway>
        <Gateway form={form} disabled={!mayEdit} channel="push">
          <Checkbox {...field} path="push.browsers" label={t('messages.browsers')} help={t('messages.browsersHelp')} />
        </Gateway>
        {isMoved(form.values, valuesOf(settings)) && (
          <Card>
            <CurrentPassword form={form} />
          </Card>
        )}
      </Form>
      {secret && <SecretDialog secret={secret} onClose={() => setSecret('')} />}
    </>
  )
}

function Server({
  form,
  disabled,
  hasPassword,
}: {
  form: FormState<Values>
  disabled: boolean
  hasPassword: boolean
}): JSX.Element {
  const field = { form, disabled }
  return (
    <>
      <SelectField
        {...field}
        path="email.security"
        label={t('messages.security')}
        options={(['starttls', 'tls', 'optional'] as const).map((value) => ({
          value,
          text: t(`messages.security.${value}`),
        }))}
      />
      <div class="columns">
        <TextField {...field} path="email.user" label={t('messages.user')} optional />
        <TextField
          {...field}
          path="email.password"
          type="password"
          autoComplete="new-password"
          label={t('signIn.password')}
          optional
          help={t(hasPassword ? 'messages.passwordKept' : 'messages.passwordHelp')}
        />
      </div>
    </>
  )
}

function Gateway({
  form,
  disabled,
  channel,
  children,
}: {
  form: FormState<Values>
  disabled: boolean
  channel: 'sms' | 'push'
  children?: ComponentChildren
}): JSX.Element {
  const own = channel === 'push' || form.values.sms.service === 'gateway'
  return (
    <Card title={channelName(channel)}>
      <Checkbox form={form} disabled={disabled} path={`${channel}.active`} label={t('messages.active')} />
      {children}
      <TextField
        form={form}
        disabled={disabled || !maySecure()}
        path={`${channel}.url`}
        type="url"
        label={t(own ? 'messages.gateway' : 'messages.serviceUrl')}
        placeholder={own ? 'https://' : 'https://api.twilio.com'}
        help={own ? t('messages.gatewayHelp') : t('messages.serviceUrlHelp')}
        optional
      />
    </Card>
  )
}

function Twilio({
  form,
  disabled,
  hasToken,
}: {
  form: FormState<Values>
  disabled: boolean
  hasToken: boolean
}): JSX.Element {
  const field = { form, disabled }
  return (
    <>
      <TextField {...field} path="sms.account" label={t('messages.account')} placeholder="AC…" />
      <div class="columns">
        <TextField {...field} path="sms.from" label={t('messages.from')} help={t('messages.fromHelp')} />
        <TextField
          {...field}
          path="sms.token"
          type="password"
          autoComplete="new-password"
          label={t('messages.token')}
          optional={hasToken}
          help={hasToken ? t('messages.passwordKept') : undefined}
        />
      </div>
    </>
  )
}
