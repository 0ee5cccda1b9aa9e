// The editor of a mailing: channels, audience, texts, a look at the result, and a test to oneself.
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { PostAdminMailingForm } from '../../api/types'
import { Failure, usePreview, useQuery, write } from '../../api/client'
import { language, number, t } from '../../i18n/i18n'
import { Button, Card, ErrorState, Page, Skeleton } from '../../ui/basics'
import { toast, toastFailure } from '../../ui/dialog'
import { Choice, DateTimeField, Field, Form, TextArea, TextField, useForm } from '../../ui/form'
import { navigate, type RouteProps } from '../../ui/router'
import { Picker } from '../../ui/tabs'
import { LanguageTabs } from '../language_tabs'
import { useLanguages, type StoreLanguage } from '../languages'
import { channelName } from '../messages/names'
import type { Mailing } from './list'
import type { MailingText } from './page'
import './mailings.css'

const channels = ['email', 'sms', 'push', 'inbox'] as const

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
}

const blank: Values = { name: '', channels: ['email', 'inbox'], audience: 'everybody', levels: [], segments: [], customers: [], texts: {}, link: '', sendAt: '' }

function valuesOf(m: Mailing): Values {
  return {
    name: m.name, channels: m.channels, audience: m.audience as Values['audience'], levels: m.levels ?? [], segments: m.segments ?? [], customers: m.customers ?? [],
    texts: m.texts as Record<string, MailingText>, link: m.link ?? '', sendAt: (m.sendAt ?? '').slice(0, 16).replace('T', ' '),
  }
}

function bodyOf(v: Values): PostAdminMailingForm {
  const { sendAt, link, ...rest } = v
  return { mailing: { ...rest, ...(link ? { link } : {}), ...(sendAt ? { sendAt } : {}) } as PostAdminMailingForm['mailing'] }
}

export default function MailingEditor({ params }: RouteProps): JSX.Element {
  const id = params['mailing']
  const { data, error: failed, reload } = useQuery('/api/{store}/admin/mailing/{mailing}', { mailing: id })
  const levels = useQuery('/api/{store}/level', { perPage: 1000, _locale: language.value })
  const languages = useLanguages()
  const error = failed ?? levels.error
  const back = id ? { to: `/mailings/${id}`, text: data?.name ?? t('mailings.one') } : { to: '/mailings', text: t('nav.mailings') }
  const title = t(id ? 'mailings.edit' : 'mailings.new')
  if (error && !(id ? data : levels.data)) {
    return <Page title={title} back={back}><ErrorState error={error} retry={() => { reload(); levels.reload() }} /></Page>
  }
  if ((id && !data) || !levels.data || languages.length === 0) return <Page title={title} back={back}><Skeleton lines={8} /></Page>
  return <Page title={title} back={back}><Loaded id={id} mailing={data} languages={languages} /></Page>
}

function Loaded({ id, mailing, languages }: { id: string | undefined; mailing: Mailing | undefined; languages: StoreLanguage[] }): JSX.Element {
  const initial = useMemo(() => (mailing ? valuesOf(mailing) : blank), [])
  const [shown, setShown] = useState(languages[0]!.code)
  const form = useForm<Values>(initial, async (values, key) => {
    const saved = id
      ? await write('PUT', '/api/{store}/admin/mailing/{mailing}', { params: { mailing: id }, body: bodyOf(values), key })
      : await write('POST', '/api/{store}/admin/mailing', { body: bodyOf(values), key })
    toast(t('campaigns.saved', { name: values.name }))
    navigate(`/mailings/${saved.mailingId}`)
  })
  const v = form.values
  const has = (channel: string): boolean => v.channels.includes(channel)
  const short = channels.some((c) => c !== 'email' && has(c))
  const text = v.texts[shown] ?? {}
  return (
    <div class="columns wide-columns">
      <Form form={form} sticky save={t('mailings.save')} cancel={() => navigate(id ? `/mailings/${id}` : '/mailings')}>
        <Card title={t('mailings.what')}>
          <TextField form={form} path="name" label={t('mailings.name')} help={t('mailings.nameHelp')} maxLength={255} autoFocus={!id} />
          <Field form={form} path="channels" label={t('mailings.channels')} deep>
            {() => (
              <div class="row">
                {channels.map((c) => (
                  <label key={c} class="check">
                    <input type="checkbox" checked={has(c)} onChange={(e) => form.set('channels', e.currentTarget.checked ? [...v.channels, c] : v.channels.filter((one) => one !== c))} />
                    <span class="label">{channelName(c)}</span>
                  </label>
                ))}
              </div>
            )}
          </Field>
          <p class="muted">{t('mailings.consent')}</p>
        </Card>
        <Audience form={form} />
        <Card title={t('mailings.texts')}>
          <LanguageTabs languages={languages} shown={shown} onChange={setShown} completeness={(code) => (v.texts[code]?.content || v.texts[code]?.short ? 'full' : 'none')} />
          {(has('email') || has('push')) && <TextField form={form} path={`texts.${shown}.subject`} label={t('mailings.subject')} maxLength={255} key={`s${shown}`} />}
          {has('email') && <TextArea form={form} path={`texts.${shown}.content`} label={t('mailings.content')} help={t('mailings.placeholders')} rows={8} key={`c${shown}`} />}
          {short && <TextArea form={form} path={`texts.${shown}.short`} label={t('mailings.short')} help={t('mailings.shortHelp', { n: 480 - (text.short?.length ?? 0) })} rows={3} maxLength={480} key={`t${shown}`} />}
          <TextField form={form} path="link" label={t('mailings.link')} help={t('mailings.linkHelp')} type="url" optional placeholder="https://" />
        </Card>
        <Card title={t('mailings.when')}>
          <DateTimeField form={form} path="sendAt" label={t('mailings.sendAt')} help={t('mailings.sendAtHelp')} optional />
        </Card>
      </Form>
      <Look values={v} language={shown} />
    </div>
  )
}

function Audience({ form }: { form: ReturnType<typeof useForm<Values>> }): JSX.Element {
  const levels = useQuery('/api/{store}/level', { perPage: 1000, _locale: language.value })
  const segments = useQuery('/api/{store}/segment', { perPage: 1000 })
  const { audience } = form.values
  const options = audience === 'levels' ? (levels.data?.levels ?? []).map((l) => ({ value: l.levelId, text: l.name ?? l.levelId }))
    : (segments.data?.segments ?? []).map((s) => ({ value: s.segmentId, text: s.name }))
  return (
    <Card title={t('mailings.audience')}>
      <Choice form={form} path="audience" label={t('mailings.audienceLabel')} options={[
        { value: 'everybody', text: t('mailings.audience.everybody') }, { value: 'levels', text: t('mailings.audience.levels') },
        { value: 'segments', text: t('mailings.audience.segments') },
      ]} />
      {(audience === 'levels' || audience === 'segments') && (
        <Field form={form} path={audience} label={t(`mailings.audience.${audience}`)} deep>
          {(control) => <Picker {...control} options={options} chosen={form.values[audience]} onChange={(values) => form.set(audience, values)} placeholder={t('form.choose')} />}
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
  const reached = usePreview('/api/{store}/admin/mailing/audience/preview', chosen ? { mailing: of as PostAdminMailingForm['mailing'] } : null)
  if (!chosen || reached === null || reached instanceof Failure) return null
  const channelCounts = reached.channels as Record<string, number>
  return (
    <div class="reach" role="status">
      <div>
        <strong>{t(reached.complete ? 'mailings.reach' : 'mailings.reachAtLeast', { n: reached.customers, agreed: number(reached.agreed) })}</strong>
        <div class="muted">{v.channels.map((c) => `${channelName(c)}: ${number(channelCounts[c] ?? 0)}`).join(' · ')}</div>
      </div>
    </div>
  )
}

// Look shows the mailing as a customer would get it, and sends it to one address.
function Look({ values: v, language: code }: { values: Values; language: string }): JSX.Element {
  const written = v.name !== '' && v.channels.length > 0 && !!v.texts[code]
  const shown = usePreview('/api/{store}/admin/mailing/preview', written ? { ...bodyOf({ ...v, audience: 'everybody' }), language: code } : null)
  const [address, setAddress] = useState('')
  const [busy, setBusy] = useState(false)
  const test = async (): Promise<void> => {
    setBusy(true)
    try {
      const result = await write('POST', '/api/{store}/admin/mailing/test', { body: { ...bodyOf({ ...v, audience: 'everybody' }), channel: 'email', address, language: code } })
      if (result.sent) toast(t('mailings.testSent', { address }))
      else toast(t('mailings.testFailed', { error: result.error ?? '' }), 'danger')
    } catch (e) {
      toastFailure(e)
    }
    setBusy(false)
  }
  return (
    <div class="stack">
      <Card title={t('mailings.look')}>
        {shown === null || shown instanceof Failure
          ? <p class="muted">{t('mailings.lookEmpty')}</p>
          : (
            <div class="mailing-look" dir="auto">
              {shown.subject && <p class="primary-line">{shown.subject}</p>}
              {shown.content && <p class="mailing-text">{shown.content}</p>}
              {shown.short && <p class="mailing-text mailing-short">{shown.short}</p>}
            </div>
          )}
      </Card>
      {v.channels.includes('email') && (
        <Card title={t('mailings.test')}>
          <Field label={t('mailings.testAddress')}>
            {(control) => <input {...control} class="input" type="email" value={address} autoComplete="email" onInput={(e) => setAddress(e.currentTarget.value)} />}
          </Field>
          <Button icon="play" busy={busy} disabled={!address || !written} onClick={() => void test()}>{t('mailings.sendTest')}</Button>
        </Card>
      )}
    </div>
  )
}
