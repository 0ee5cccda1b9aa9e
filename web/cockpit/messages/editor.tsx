import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { TemplateView } from '../../api/types'
import { Failure, get, storedAt, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Badge, Button, Card, Empty, ErrorState, Notice, Page, Skeleton } from '../../ui/basics'
import { Confirm, toast, toastFailure } from '../../ui/dialog'
import { Form, Switch, TextArea, TextField, useForm, valueAt, type FormState } from '../../ui/form'
import { Link, place, setQuery, type RouteProps } from '../../ui/router'
import { Tabs } from '../../ui/tabs'
import { LanguageTabs } from '../language_tabs'
import { useLanguages, type StoreLanguage } from '../languages'
import { CurrentPassword, maySecure, SecurityNotice } from '../security'
import {
  channelName,
  channels,
  eventName,
  nameOf,
  placeholderName,
  type ChannelCode,
  type EventName,
  type MessageEvent,
} from './names'
import { Preview } from './preview'
import { SendTest, type TestChannel } from './send_test'

// Settings say when these are sent.
const occasions = ['oloy.customer.birthday', 'oloy.customer.win_back']

// MessageEditor edits the texts of one event on all its channels, in all languages.
export default function MessageEditor({ params }: RouteProps): JSX.Element {
  const name = params['event'] as EventName
  const events = useQuery('/api/message/events')
  const templates = useQuery('/api/{store}/message', { event: name, perPage: 1000 })
  const languages = useLanguages()
  const event = events.data?.events.find((e) => e.value === name)
  const title = event ? eventName(name, event.label) : t('nav.messages')
  const back = { to: '/messages', text: t('nav.messages') }
  const error = events.error ?? templates.error
  const ready = event && templates.data && languages.length > 0
  return (
    <Page
      title={title}
      back={back}
      badge={event?.marketing && <Badge tone="accent">{t('messages.marketing')}</Badge>}
      lead={event?.marketing ? t('messages.marketingHelp') : t('messages.transactionalHelp')}
    >
      {ready && occasions.includes(name) && (
        <p class="muted">
          {t('messages.occasion')} <Link to="/settings">{t('nav.settings')}</Link>
        </p>
      )}
      {ready ? (
        <Loaded key={name} event={event as MessageEvent} templates={templates.data!.messages} languages={languages} />
      ) : events.data && !event ? (
        <Empty icon="channels" title={t('messages.unknownEvent')}>
          {name}
        </Empty>
      ) : error ? (
        <ErrorState
          error={error}
          retry={() => {
            events.reload()
            templates.reload()
          }}
        />
      ) : (
        <Skeleton lines={8} />
      )}
    </Page>
  )
}

interface Text {
  subject: string
  content: string
}

interface Values {
  texts: Record<string, Record<string, Text>> // by channel and language
  currentPassword: string // confirms a change of a text with secrets
}

const blank: Text = { subject: '', content: '' }

function valuesOf(event: MessageEvent, templates: TemplateView[], languages: StoreLanguage[]): Values {
  const find = (channel: string, code: string): TemplateView | undefined =>
    templates.find((m) => m.channel === channel && m.language === code)
  const texts = Object.fromEntries(
    event.channels.map((channel) => [
      channel,
      Object.fromEntries(
        languages.map(({ code }) => {
          const m = find(channel, code)
          return [code, m ? { subject: m.subject, content: m.content } : blank]
        }),
      ),
    ]),
  )
  return { texts, currentPassword: '' }
}

interface Props {
  event: MessageEvent
  templates: TemplateView[]
  languages: StoreLanguage[]
}

function Loaded({ event, templates, languages }: Props): JSX.Element {
  const stored = useMemo(() => valuesOf(event, templates, languages), [event, templates, languages.length])
  const before = useRef(stored)
  const fresh = useRef({ values: stored, templates }) // as read before saving
  const [testing, setTesting] = useState<TemplateView | null>(null)
  const restored = useRef('') // path of the text that was just restored
  const language = languages.find((l) => l.code === place.value.query.get('language'))?.code ?? languages[0]!.code
  const form = useForm<Values>(
    stored,
    async (values, key) => {
      for (const channel of event.channels) {
        for (const { code } of languages) {
          const [now, was] = [values.texts[channel]![code]!, fresh.current.values.texts[channel]![code]!]
          if (now.subject === was.subject && now.content === was.content) continue
          await save(channel, code, now, values.currentPassword, `${key}-${channel}-${code}`)
        }
      }
      toast(t('messages.saved'))
    },
    true,
    async () => {
      const now = (await get('/api/{store}/message', { event: event.value, perPage: 1000 })).messages
      fresh.current = { values: valuesOf(event, now, languages), templates: now }
      return { values: fresh.current.values, tag: '' } // each text has its own
    },
  )
  const isSecret = templates.some((m) => m.secret)
  const isFixed = templates.some((m) => m.fixed)
  // save stores one text. If it is refused, its fields are shown.
  const save = async (
    channel: ChannelCode,
    code: string,
    text: Text,
    currentPassword: string,
    key: string,
  ): Promise<void> => {
    const m = fresh.current.templates.find((one) => one.channel === channel && one.language === code)
    const body = { ...text, enabled: m?.enabled ?? true, ...(isSecret && { currentPassword }) }
    try {
      if (m) {
        const { values: now, tag } = await storedAt(
          '/api/{store}/message/{message}',
          { message: m.id },
          (found) => found.message,
        )()
        if (now.subject !== m.subject || now.content !== m.content)
          throw new Failure('changed', 412, '', {}, '', 'changed_meanwhile')
        await write('PUT', '/api/{store}/message/{message}', {
          params: { message: m.id },
          body: { message: body },
          key,
          tag,
        })
      } else
        await write('POST', '/api/{store}/message', {
          body: { message: { ...body, event: event.value, channel, language: code } },
          key,
        })
    } catch (e) {
      if (!(e instanceof Failure)) throw e
      setQuery({
        channel: channel === shownFirst(event) ? '' : channel,
        language: code === languages[0]!.code ? '' : code,
      })
      const fields = Object.fromEntries(
        Object.entries(e.fields).map(([name, list]) => [
          isText(name) ? `texts.${channel}.${code}.${name}` : name,
          list,
        ]),
      )
      throw new Failure(e.kind, e.status, e.message, fields, e.request, e.code)
    }
  }
  // The form follows what is stored. Drafts stay, and are joined with it when they are saved.
  useEffect(() => {
    const was = before.current
    before.current = stored
    if (form.busy) return
    let isDraft = false
    for (const channel of event.channels) {
      for (const { code } of languages) {
        const [now, old] = [form.values.texts[channel]![code]!, was.texts[channel]![code]!]
        if (now.subject !== old.subject || now.content !== old.content)
          isDraft ||= restored.current !== `${channel}.${code}`
      }
    }
    if (!isDraft) form.replace(stored)
    else if (restored.current) form.set(`texts.${restored.current}`, valueAt(stored.texts, restored.current))
    restored.current = ''
  }, [stored])
  return (
    <>
      {isFixed ? <Notice>{t('messages.fixed')}</Notice> : isSecret && may('SETTINGS', 'MODIFY') && <SecurityNotice />}
      <Form form={form} sticky>
        <Tabs
          label={t('messages.channels')}
          name="channel"
          tabs={channels
            .filter((c) => event.channels.includes(c))
            .map((channel) => ({
              name: channel,
              title: channelName(channel),
              body: () => (
                <Channel
                  form={form}
                  event={event}
                  channel={channel}
                  language={language}
                  templates={templates}
                  languages={languages}
                  onRestored={() => {
                    restored.current = `${channel}.${language}`
                  }}
                  onTest={setTesting}
                />
              ),
            }))}
        />
        {isSecret && !isFixed && form.dirty && (
          <Card>
            <CurrentPassword form={form} />
          </Card>
        )}
      </Form>
      {testing && (
        <SendTest
          channels={[testing.channel as TestChannel]}
          send={({ address }, key) =>
            write('POST', '/api/{store}/message/{message}/test', {
              params: { message: testing.id },
              body: { message: { to: address } },
              key,
            })
          }
          onClose={() => setTesting(null)}
        />
      )}
    </>
  )
}

const isText = (field: string): boolean => field === 'subject' || field === 'content'

const shownFirst = (event: MessageEvent): ChannelCode => channels.find((c) => event.channels.includes(c))!

function Channel({
  form,
  event,
  channel,
  language,
  templates,
  languages,
  onRestored,
  onTest,
}: Props & {
  form: FormState<Values>
  channel: ChannelCode
  language: string
  onRestored: () => void
  onTest: (m: TemplateView) => void
}): JSX.Element {
  const [restoring, setRestoring] = useState(false)
  const maySwitch = may('SETTINGS', 'MODIFY') && !templates.some((m) => m.fixed)
  const mayEdit = maySwitch && (maySecure() || !templates.some((m) => m.secret))
  const stored = templates.find((m) => m.channel === channel && m.language === language)
  const name = languages.find((l) => l.code === language)?.name ?? language
  const path = `texts.${channel}.${language}` as const
  const text = form.values.texts[channel]?.[language] ?? blank
  const titled = channel === 'email' || channel === 'push'
  return (
    <div class="message-editor">
      <Card>
        <div class="row">
          <LanguageTabs
            languages={languages}
            shown={language}
            onChange={(code) => setQuery({ language: code === languages[0]!.code ? '' : code })}
            completeness={(code) => (form.values.texts[channel]?.[code]?.content ? 'full' : 'none')}
          />
          <span class="spacer" />
          {stored && (
            <Switch
              label={t('messages.goesOut')}
              checked={stored.enabled}
              disabled={!maySwitch}
              onChange={(on) => switchText(stored, on)}
            />
          )}
        </div>
        {!stored && <p class="muted">{t('messages.noTextHelp', { language: name })}</p>}
        {titled && (
          <TextField
            form={form}
            path={`${path}.subject`}
            label={t(channel === 'email' ? 'messages.subject' : 'messages.title')}
            maxLength={255}
            disabled={!mayEdit}
            optional={channel === 'push'}
            key={`${path}.subject`}
          />
        )}
        <TextArea
          form={form}
          path={`${path}.content`}
          label={t('messages.content')}
          rows={channel === 'email' ? 12 : 5}
          disabled={!mayEdit}
          key={path}
        />
        {mayEdit && <Placeholders form={form} path={`${path}.content`} event={event} />}
        {stored && may('SETTINGS', 'MODIFY') && (
          <div class="row">
            {channel !== 'inbox' && (
              <Button small onClick={() => onTest(stored)}>
                {t('messages.testSaved')}
              </Button>
            )}
            {!stored.default && (
              <Button small icon="refresh" onClick={() => setRestoring(true)}>
                {t('messages.restore')}
              </Button>
            )}
          </div>
        )}
      </Card>
      <Preview draft={{ event: event.value, channel, language, ...text }} />
      {restoring && stored && (
        <Confirm
          title={t('messages.restoreTitle')}
          action={t('messages.restore')}
          onClose={() => setRestoring(false)}
          onConfirm={async () => {
            onRestored()
            await write('DELETE', '/api/{store}/message/{message}', { params: { message: stored.id } })
            toast(t('messages.restored'))
          }}
        >
          {t('messages.restoreHelp', { channel: channelName(channel), language: name })}
        </Confirm>
      )}
    </div>
  )
}

async function switchText(m: TemplateView, on: boolean): Promise<void> {
  try {
    await write('POST', `/api/{store}/message/{message}/${on ? 'activate' : 'deactivate'}`, {
      params: { message: m.id },
    })
    toast(t(on ? 'messages.switchedOn' : 'messages.switchedOff'))
  } catch (error) {
    toastFailure(error)
    throw error
  }
}

// Placeholders puts a placeholder where the cursor is.
function Placeholders({
  form,
  path,
  event,
}: {
  form: FormState<Values>
  path: string
  event: MessageEvent
}): JSX.Element {
  const [, channel, language] = /^texts\.(.*)\.(.*)\.content$/.exec(path)!
  const insert = (placeholder: string): void => {
    const field = document.querySelector<HTMLTextAreaElement>(`[data-path="${CSS.escape(path)}"] textarea`)
    const text = form.values.texts[channel!]?.[language!]?.content ?? ''
    const from = field?.selectionStart ?? text.length
    const to = field?.selectionEnd ?? text.length
    form.set(path, text.slice(0, from) + placeholder + text.slice(to))
    requestAnimationFrame(() => {
      field?.focus()
      field?.setSelectionRange(from + placeholder.length, from + placeholder.length)
    })
  }
  return (
    <div class="field">
      <span class="label" id="placeholders">
        {t('messages.placeholders')}
      </span>
      <div class="chips" role="group" aria-labelledby="placeholders">
        {event.snippets.map((placeholder) => (
          <Button key={placeholder} small onClick={() => insert(placeholder)}>
            {placeholderName(nameOf(placeholder))}
          </Button>
        ))}
      </div>
      <div class="help">{t('messages.placeholdersHelp')}</div>
    </div>
  )
}
