import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { WebhookEventList, WebhookSaved, WebhookSubscriptionView } from '../../api/types'
import { useQuery, write } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Button, Card, ErrorState, Page, Skeleton } from '../../ui/basics'
import { toast } from '../../ui/dialog'
import { Checkbox, Choice, Field, Form, TextField, useForm, type FormState } from '../../ui/form'
import { navigate, type RouteProps } from '../../ui/router'
import { Picker } from '../../ui/tabs'
import { eventText, withKinds } from './events'
import { nameOf } from './list'
import { SecretDialog } from './secret'

interface Values {
  url: string
  description: string
  which: 'all' | 'some'
  eventNames: string[]
  hmacEnabled: boolean
  active: boolean
  headers: { headerName: string; headerValue: string }[]
}

function valuesOf(s: WebhookSubscriptionView | undefined): Values {
  if (!s) return { url: '', description: '', which: 'some', eventNames: [], hmacEnabled: true, active: true, headers: [] }
  const all = s.eventNames.includes('*')
  return {
    url: s.url, description: s.description ?? '', which: all ? 'all' : 'some', eventNames: all ? [] : s.eventNames,
    hmacEnabled: s.hmacEnabled, active: s.active, headers: s.headers.map((h) => ({ ...h, headerValue: '' })),
  }
}

// Editor edits a web hook, or a new one.
export default function Editor({ params }: RouteProps): JSX.Element {
  const id = params['webhook']
  const stored = useQuery<WebhookSubscriptionView>(id ? `/api/{store}/webhook/subscription/${id}` : null)
  const events = useQuery<WebhookEventList>('/api/{store}/webhook/event', { perPage: -1 })
  const title = id ? t('webhooks.edit') : t('webhooks.new')
  const back = id && stored.data ? { to: `/webhooks/${id}`, text: nameOf(stored.data) } : { to: '/webhooks', text: t('nav.webhooks') }
  const error = stored.error ?? events.error
  const loaded = events.data && (!id || stored.data)
  return (
    <Page title={title} back={back}>
      {loaded
        ? <Loaded id={id} stored={stored.data} types={events.data!.events} />
        : error
          ? <ErrorState error={error} retry={() => { stored.reload(); events.reload() }} />
          : <Skeleton lines={8} />}
    </Page>
  )
}

function Loaded({ id, stored, types }: {
  id: string | undefined; stored: WebhookSubscriptionView | undefined; types: string[]
}): JSX.Element {
  const initial = useMemo(() => valuesOf(stored), [])
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null)
  const form = useForm<Values>(initial, async ({ which, ...values }, key) => {
    const body = { webhookSubscription: { ...values, eventNames: which === 'all' ? ['*'] : values.eventNames } }
    const path = '/api/{store}/webhook/subscription'
    const saved = id ? await write<WebhookSaved>('PUT', `${path}/${id}`, body, key) : await write<WebhookSaved>('POST', path, body, key)
    toast(t('webhooks.saved', { name: nameOf(values) }))
    if (saved.signingSecret) setMade({ id: saved.webhookSubscriptionId, secret: saved.signingSecret })
    else navigate(`/webhooks/${saved.webhookSubscriptionId}`)
  })
  const options = withKinds(types).map((type) => ({ value: type, text: eventText(type), detail: type.split('.').slice(-1)[0] }))
  return (
    <div class="narrow-form">
      <Form form={form} sticky cancel={() => navigate(id ? `/webhooks/${id}` : '/webhooks')}>
        <Card title={t('webhooks.receiver')}>
          <TextField form={form} path="url" type="url" label={t('webhooks.url')} help={t('webhooks.urlHelp')}
            placeholder="https://" autoFocus={!id} />
          <TextField form={form} path="description" label={t('webhooks.description')} help={t('webhooks.descriptionHelp')} optional />
          <Checkbox form={form} path="active" label={t('webhooks.active')} />
        </Card>
        <Card title={t('webhooks.events')}>
          <Choice form={form} path="which" label={t('webhooks.which')} options={[
            { value: 'some', text: t('webhooks.some') }, { value: 'all', text: t('webhooks.all') },
          ]} />
          {form.values.which === 'some' && (
            <Field form={form} path="eventNames" label={t('webhooks.chosen')} help={t('webhooks.chosenHelp')} deep>
              {(control) => (
                <Picker {...control} options={options} chosen={form.values.eventNames} placeholder={t('form.choose')}
                  onChange={(values) => form.set('eventNames', values)} />
              )}
            </Field>
          )}
        </Card>
        <Card title={t('webhooks.security')}>
          <Checkbox form={form} path="hmacEnabled" label={t('webhooks.signed')} help={t('webhooks.signedHelp')} />
          <Headers form={form} stored={stored?.headers.map((h) => h.headerName) ?? []} />
        </Card>
      </Form>
      {made && <SecretDialog secret={made.secret} onClose={() => navigate(`/webhooks/${made.id}`)} />}
    </div>
  )
}

// Headers edits the headers of each call. The server never shows values; one that stays empty stays as it is.
function Headers({ form, stored }: { form: FormState<Values>; stored: string[] }): JSX.Element {
  const { headers } = form.values
  return (
    <fieldset class="stack" data-path="headers">
      <legend class="label">{t('webhooks.headers')}</legend>
      {headers.map((h, i) => (
        <div class="header-row" key={i}>
          <TextField form={form} path={`headers.${i}.headerName`} label={t('webhooks.headerName')} />
          <TextField form={form} path={`headers.${i}.headerValue`} label={t('webhooks.headerValue')}
            placeholder={stored.includes(h.headerName) ? t('webhooks.unchanged') : undefined} />
          <Button kind="plain" icon="trash" label={t('webhooks.removeHeader', { name: h.headerName })}
            onClick={() => form.set('headers', headers.filter((_, other) => other !== i))} />
        </div>
      ))}
      {headers.length < 10 && (
        <div>
          <Button small icon="plus" onClick={() => form.set('headers', [...headers, { headerName: '', headerValue: '' }])}>
            {t('webhooks.addHeader')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
