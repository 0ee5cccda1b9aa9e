import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { WebhookEventList, WebhookSubscriptionView } from '../../api/types'
import { storedAt, useQuery, write } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Button, Card, ErrorState, Page, Skeleton } from '../../ui/basics'
import { toast } from '../../ui/dialog'
import { Checkbox, Choice, Field, Form, TextField, useForm, type FormState } from '../../ui/form'
import { leave, navigate, type RouteProps } from '../../ui/router'
import { Picker } from '../../ui/tabs'
import { eventText, isShort, withKinds, withShortKinds } from './events'
import { nameOf } from './list'
import { SecretDialog } from './secret'

interface Values {
  url: string
  description: string
  which: 'all' | 'some' | 'short'
  eventNames: string[]
  hmacEnabled: boolean
  active: boolean
  headers: { headerName: string; headerValue: string }[]
}

function valuesOf(s: WebhookSubscriptionView | undefined): Values {
  if (!s)
    return { url: '', description: '', which: 'some', eventNames: [], hmacEnabled: true, active: true, headers: [] }
  const all = s.eventNames.includes('*')
  return {
    url: s.url,
    description: s.description ?? '',
    which: all ? 'all' : s.eventNames.some(isShort) ? 'short' : 'some',
    eventNames: all ? [] : s.eventNames,
    hmacEnabled: s.hmacEnabled,
    active: s.active,
    headers: s.headers.map((h) => ({ ...h, headerValue: '' })),
  }
}

// chosenOf leaves out the names of the other kind: a web hook has names of one kind.
const chosenOf = (names: string[], which: Values['which']): string[] =>
  names.filter((name) => isShort(name) === (which === 'short'))

// Editor edits a web hook, or a new one.
export default function Editor({ params }: RouteProps): JSX.Element {
  const id = params['webhook']
  const stored = useQuery('/api/{store}/webhook/subscription/{subscription}', { subscription: id })
  const events = useQuery('/api/{store}/webhook/event', { perPage: -1 })
  const title = id ? t('webhooks.edit') : t('webhooks.new')
  const back =
    id && stored.data
      ? { to: `/webhooks/${id}`, text: nameOf(stored.data) }
      : { to: '/webhooks', text: t('nav.webhooks') }
  const error = stored.error ?? events.error
  const loaded = events.data && (!id || stored.data)
  return (
    <Page title={title} back={back}>
      {loaded ? (
        <Loaded id={id} stored={stored.data} events={events.data!} />
      ) : error ? (
        <ErrorState
          error={error}
          retry={() => {
            stored.reload()
            events.reload()
          }}
        />
      ) : (
        <Skeleton lines={8} />
      )}
    </Page>
  )
}

function Loaded({
  id,
  stored,
  events,
}: {
  id: string | undefined
  stored: WebhookSubscriptionView | undefined
  events: WebhookEventList
}): JSX.Element {
  const initial = useMemo(() => valuesOf(stored), [])
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null)
  const form = useForm<Values>(
    initial,
    async ({ which, ...values }, key, tag) => {
      const body = {
        webhookSubscription: { ...values, eventNames: which === 'all' ? ['*'] : chosenOf(values.eventNames, which) },
      }
      const saved = id
        ? await write('PUT', '/api/{store}/webhook/subscription/{subscription}', {
            params: { subscription: id },
            body,
            key,
            tag,
          })
        : await write('POST', '/api/{store}/webhook/subscription', { body, key })
      toast(t('webhooks.saved', { name: nameOf(values) }))
      if (saved.signingSecret) setMade({ id: saved.webhookSubscriptionId, secret: saved.signingSecret })
      else navigate(`/webhooks/${saved.webhookSubscriptionId}`)
    },
    true,
    id ? storedAt('/api/{store}/webhook/subscription/{subscription}', { subscription: id }, valuesOf) : undefined,
  )
  const { which } = form.values
  const options =
    which === 'short'
      ? withShortKinds(events.shortNames).map((name) => ({ value: name, text: eventText(name), detail: name }))
      : withKinds(events.events).map((type) => ({
          value: type,
          text: eventText(type),
          detail: type.split('.').slice(-1)[0],
        }))
  return (
    <div class="narrow-form">
      <Form form={form} sticky cancel={() => navigate(id ? `/webhooks/${id}` : '/webhooks')}>
        <Card title={t('webhooks.receiver')}>
          <TextField
            form={form}
            path="url"
            type="url"
            label={t('webhooks.url')}
            help={t('webhooks.urlHelp')}
            placeholder="https://"
            autoFocus={!id}
          />
          <TextField
            form={form}
            path="description"
            label={t('webhooks.description')}
            help={t('webhooks.descriptionHelp')}
            optional
          />
          <Checkbox form={form} path="active" label={t('webhooks.active')} />
        </Card>
        <Card title={t('webhooks.events')}>
          <Choice
            form={form}
            path="which"
            label={t('webhooks.which')}
            options={[
              { value: 'some', text: t('webhooks.some') },
              { value: 'all', text: t('webhooks.all') },
              { value: 'short', text: t('webhooks.short') },
            ]}
          />
          {which !== 'all' && (
            <Field
              form={form}
              path="eventNames"
              label={t('webhooks.chosen')}
              deep
              help={which === 'short' ? t('webhooks.shortHelp') : t('webhooks.chosenHelp')}
            >
              {(control) => (
                <Picker
                  {...control}
                  key={which}
                  options={options}
                  chosen={chosenOf(form.values.eventNames, which)}
                  placeholder={t('form.choose')}
                  onChange={(values) => form.set('eventNames', values)}
                />
              )}
            </Field>
          )}
        </Card>
        <Card title={t('webhooks.security')}>
          <Checkbox form={form} path="hmacEnabled" label={t('webhooks.signed')} help={t('webhooks.signedHelp')} />
          <Headers form={form} stored={stored?.headers.map((h) => h.headerName) ?? []} />
        </Card>
      </Form>
      {made && <SecretDialog secret={made.secret} onClose={() => leave(`/webhooks/${made.id}`)} />}
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
          <TextField
            form={form}
            path={`headers.${i}.headerValue`}
            label={t('webhooks.headerValue')}
            placeholder={stored.includes(h.headerName) ? t('webhooks.unchanged') : undefined}
          />
          <Button
            kind="plain"
            icon="trash"
            label={t('webhooks.removeHeader', { name: h.headerName })}
            onClick={() =>
              form.set(
                'headers',
                headers.filter((_, other) => other !== i),
              )
            }
          />
        </div>
      ))}
      {headers.length < 10 && (
        <div>
          <Button
            small
            icon="plus"
            onClick={() => form.set('headers', [...headers, { headerName: '', headerValue: '' }])}
          >
            {t('webhooks.addHeader')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
