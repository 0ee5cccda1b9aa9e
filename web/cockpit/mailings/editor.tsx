// The editor of a mailing: channels, audience, texts, a look at the result, and a test to oneself.
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { CreateMailingForm } from '../../api/types'
import { Failure, usePreview, useQuery, write } from '../../api/client'
import { language, number, t } from '../../i18n/i18n'
import { Card, ErrorState, Page, Skeleton } from '../../ui/basics'
import { toast } from '../../ui/dialog'
import { Choice, DateTimeField, Field, Form, NumberField, TextField, useForm } from '../../ui/form'
import { navigate, type RouteProps } from '../../ui/router'
import { Picker } from '../../ui/tabs'
import { useLanguages, type StoreLanguage } from '../languages'
import { channelName, mailingPlaceholders, placeholdersText } from '../messages/names'
import { takeChosen } from './chosen'
import type { Mailing } from './list'
import type { MailingText } from './text'
import { Channels, Look, Texts } from './words'
import './mailings.css'

interface Values {
  name: string
  channels: string[]
  audience: 'everybody' | 'levels' | 'segments' | 'customers'
  levels: string[]
  segments: string[]
  customers: string[]
  texts: Record<string, MailingText>
  link: string
  sendAt: string
  outcomeDays: string
}

const blank: Values = {
  name: '',
  channels: ['email', 'inbox'],
  audience: 'everybody',
  levels: [],
  segments: [],
  customers: [],
  texts: {},
  link: '',
  sendAt: '',
  outcomeDays: '7',
}

function newMailing(): Values {
  const customers = takeChosen()
  return customers.length > 0 ? { ...blank, audience: 'customers', customers } : blank
}

function valuesOf(m: Mailing): Values {
  return {
    name: m.name,
    channels: m.channels,
    audience: m.audience as Values['audience'],
    levels: m.levels ?? [],
    segments: m.segments ?? [],
    customers: m.customers ?? [],
    texts: m.texts as Record<string, MailingText>,
    link: m.link ?? '',
    sendAt: (m.sendAt ?? '').slice(0, 16).replace('T', ' '),
    outcomeDays: String(m.outcomeDays ?? 7),
  }
}

function bodyOf(v: Values): CreateMailingForm {
  const { sendAt, link, ...rest } = v
  return {
    mailing: { ...rest, ...(link ? { link } : {}), ...(sendAt ? { sendAt } : {}) } as CreateMailingForm['mailing'],
  }
}

export default function MailingEditor({ params }: RouteProps): JSX.Element {
  const id = params['mailing']
  const { data, error: failed, reload } = useQuery('/api/{store}/admin/mailing/{mailing}', { mailing: id })
  const levels = useQuery('/api/{store}/level', { perPage: 1000, _locale: language.value })
  const languages = useLanguages()
  const error = failed ?? levels.error
  const back = id
    ? { to: `/mailings/${id}`, text: data?.name ?? t('mailings.one') }
    : { to: '/mailings', text: t('nav.mailings') }
  const title = t(id ? 'mailings.edit' : 'mailings.new')
  if (error && !(id ? data : levels.data)) {
    return (
      <Page title={title} back={back}>
        <ErrorState
          error={error}
          retry={() => {
            reload()
            levels.reload()
          }}
        />
      </Page>
    )
  }
  if ((id && !data) || !levels.data || languages.length === 0)
    return (
      <Page title={title} back={back}>
        <Skeleton lines={8} />
      </Page>
    )
  return (
    <Page title={title} back={back}>
      <Loaded id={id} mailing={data} languages={languages} />
    </Page>
  )
}

function Loaded({
  id,
  mailing,
  languages,
}: {
  id: string | undefined
  mailing: Mailing | undefined
  languages: StoreLanguage[]
}): JSX.Element {
  const initial = useMemo(() => (mailing ? valuesOf(mailing) : newMailing()), [])
  const [shown, setShown] = useState(languages[0]!.code)
  const form = useForm<Values>(initial, async (values, key) => {
    const saved = id
      ? await write('PUT', '/api/{store}/admin/mailing/{mailing}', {
          params: { mailing: id },
          body: bodyOf(values),
          key,
        })
      : await write('POST', '/api/{store}/admin/mailing', { body: bodyOf(values), key })
    toast(t('campaigns.saved', { name: values.name }))
    navigate(`/mailings/${saved.mailingId}`)
  })
  const v = form.values
  const has = (channel: string): boolean => v.channels.includes(channel)
  return (
    <div class="columns wide-columns">
      <Form form={form} sticky save={t('mailings.save')} cancel={() => navigate(id ? `/mailings/${id}` : '/mailings')}>
        <Card title={t('mailings.what')}>
          <TextField
            form={form}
            path="name"
            label={t('mailings.name')}
            help={t('mailings.nameHelp')}
            maxLength={255}
            autoFocus={!id}
          />
          <Channels form={form} />
          <p class="muted">{t('mailings.consent')}</p>
        </Card>
        <Audience form={form} />
        <Texts
          form={form}
          languages={languages}
          shown={shown}
          onShow={setShown}
          help={placeholdersText(mailingPlaceholders)}
        />
        <Card title={t('mailings.when')}>
          <DateTimeField
            form={form}
            path="sendAt"
            label={t('mailings.sendAt')}
            help={t('mailings.sendAtHelp')}
            optional
          />
          <NumberField
            form={form}
            path="outcomeDays"
            label={t('mailings.outcomeDays')}
            suffix={t('settings.days')}
            help={t('mailings.outcomeDaysHelp')}
            whole
          />
        </Card>
      </Form>
      <Look
        of="mailing"
        body={v.name !== '' && v.channels.length > 0 && v.texts[shown] ? bodyOf({ ...v, audience: 'everybody' }) : null}
        language={shown}
        mail={has('email')}
      />
    </div>
  )
}

function Audience({ form }: { form: ReturnType<typeof useForm<Values>> }): JSX.Element {
  const levels = useQuery('/api/{store}/level', { perPage: 1000, _locale: language.value })
  const segments = useQuery('/api/{store}/segment', { perPage: 1000 })
  const { audience } = form.values
  const options =
    audience === 'levels'
      ? (levels.data?.levels ?? []).map((l) => ({ value: l.levelId, text: l.name ?? l.levelId }))
      : (segments.data?.segments ?? []).map((s) => ({ value: s.segmentId, text: s.name }))
  return (
    <Card title={t('mailings.audience')}>
      <Choice
        form={form}
        path="audience"
        label={t('mailings.audienceLabel')}
        options={[
          { value: 'everybody', text: t('mailings.audience.everybody') },
          { value: 'levels', text: t('mailings.audience.levels') },
          { value: 'segments', text: t('mailings.audience.segments') },
          ...(form.values.customers.length > 0
            ? [{ value: 'customers', text: t('bulk.chosen', { n: form.values.customers.length }) }]
            : []),
        ]}
      />
      {(audience === 'levels' || audience === 'segments') && (
        <Field form={form} path={audience} label={t(`mailings.audience.${audience}`)} deep>
          {(control) => (
            <Picker
              {...control}
              options={options}
              chosen={form.values[audience]}
              onChange={(values) => form.set(audience, values)}
              placeholder={t('form.choose')}
            />
          )}
        </Field>
      )}
      <Reach values={form.values} />
    </Card>
  )
}

// Reach says how many customers the mailing would reach, on each channel.
function Reach({ values: v }: { values: Values }): JSX.Element | null {
  const chosen = v.channels.length > 0 && (v.audience === 'everybody' || v[v.audience].length > 0)
  const { name: _name, texts: _texts, link: _link, sendAt: _sendAt, ...of } = v
  const reached = usePreview(
    '/api/{store}/admin/mailing/audience/preview',
    chosen ? { mailing: of as CreateMailingForm['mailing'] } : null,
  )
  if (!chosen || reached === null || reached instanceof Failure) return null
  const channelCounts = reached.channels as Record<string, number>
  const undeliverable = Object.values(reached.undeliverable as Record<string, number>).reduce((sum, n) => sum + n, 0)
  return (
    <div class="reach" role="status">
      <div>
        <strong>
          {t(reached.complete ? 'mailings.reach' : 'mailings.reachAtLeast', {
            n: reached.customers,
            agreed: number(reached.agreed),
          })}
        </strong>
        <div class="muted">
          {v.channels.map((c) => `${channelName(c)}: ${number(channelCounts[c] ?? 0)}`).join(' · ')}
        </div>
        {undeliverable > 0 && <div class="muted">{t('mailings.undeliverable', { n: number(undeliverable) })}</div>}
      </div>
    </div>
  )
}
