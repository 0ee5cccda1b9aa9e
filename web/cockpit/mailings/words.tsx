// What mailings and journeys say: channels, texts, a look at the result, and a test to oneself.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { may } from '../../api/session'
import type { TestMailingForm } from '../../api/types'
import { Failure, usePreview, write } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Button, Card } from '../../ui/basics'
import { toast, toastFailure } from '../../ui/dialog'
import { Field, TextArea, TextField, type FormState } from '../../ui/form'
import { CustomerFilter } from '../customers/search'
import { LanguageTabs } from '../language_tabs'
import type { StoreLanguage } from '../languages'
import { channelName } from '../messages/names'
import { Blocks } from './blocks'
import { MailFrame } from './mail_frame'
import type { Block, MailingText, Said } from './text'
import './mailings.css'

const channels = ['email', 'sms', 'push', 'inbox'] as const

export function Channels<T extends Said>({ form: of }: { form: FormState<T> }): JSX.Element {
  const form = of as unknown as FormState<Said>
  const chosen = form.values.channels
  return (
    <Field form={form} path="channels" label={t('mailings.channels')} deep>
      {() => (
        <div class="row">
          {channels.map((c) => (
            <label key={c} class="check">
              <input
                type="checkbox"
                checked={chosen.includes(c)}
                onChange={(e) =>
                  form.set('channels', e.currentTarget.checked ? [...chosen, c] : chosen.filter((one) => one !== c))
                }
              />
              <span class="label">{channelName(c)}</span>
            </label>
          ))}
        </div>
      )}
    </Field>
  )
}

export function Texts<T extends Said>({
  form: of,
  languages,
  shown,
  onShow,
  help,
}: {
  form: FormState<T>
  languages: StoreLanguage[]
  shown: string
  onShow: (code: string) => void
  help: string
}): JSX.Element {
  const form = of as unknown as FormState<Said>
  const v = form.values
  const has = (channel: string): boolean => v.channels.includes(channel)
  const short = channels.some((c) => c !== 'email' && has(c))
  const text = v.texts[shown] ?? {}
  return (
    <Card title={t('mailings.texts')}>
      <LanguageTabs
        languages={languages}
        shown={shown}
        onChange={onShow}
        completeness={(code) =>
          v.texts[code]?.content || v.texts[code]?.blocks?.length || v.texts[code]?.short ? 'full' : 'none'
        }
      />
      {(has('email') || has('push')) && (
        <TextField
          form={form}
          path={`texts.${shown}.subject`}
          label={t('mailings.subject')}
          maxLength={255}
          key={`s${shown}`}
        />
      )}
      {has('email') && <MailText form={form} shown={shown} text={text} help={help} />}
      {short && (
        <TextArea
          form={form}
          path={`texts.${shown}.short`}
          label={t('mailings.short')}
          help={t('mailings.shortHelp', { n: 480 - (text.short?.length ?? 0) })}
          rows={3}
          maxLength={480}
          key={`t${shown}`}
        />
      )}
      <TextField
        form={form}
        path="link"
        label={t('mailings.link')}
        help={t('mailings.linkHelp')}
        type="url"
        optional
        placeholder="https://"
      />
    </Card>
  )
}

// MailText edits the text of an e-mail, or its blocks.
function MailText({
  form,
  shown,
  text,
  help,
}: {
  form: FormState<Said>
  shown: string
  text: MailingText
  help: string
}): JSX.Element {
  const path = `texts.${shown}.blocks`
  const blocks = text.blocks ?? []
  const inBlocks = blocks.length > 0
  const change = (to: boolean): void => {
    if (to === inBlocks) return
    const first: Block[] = text.content
      ? [{ kind: 'text', text: text.content }]
      : [{ kind: 'heading' }, { kind: 'text' }, { kind: 'button' }]
    if (!to && !text.content) form.set(`texts.${shown}.content`, blocks.flatMap((b) => b.text ?? []).join('\n\n'))
    form.set(path, to ? first : [])
  }
  return (
    <>
      <div class="chips" role="group" aria-label={t('mailings.form')}>
        <Button small pressed={!inBlocks} onClick={() => change(false)}>
          {t('mailings.form.text')}
        </Button>
        <Button small pressed={inBlocks} onClick={() => change(true)}>
          {t('mailings.form.blocks')}
        </Button>
      </div>
      {inBlocks ? (
        <Field form={form} path={path} label={t('mailings.content')} help={t('mailings.blocksHelp')} deep>
          {() => <Blocks form={form} shown={shown} blocks={blocks} help={help} key={`b${shown}`} />}
        </Field>
      ) : (
        <TextArea
          form={form}
          path={`texts.${shown}.content`}
          label={t('mailings.content')}
          help={help}
          rows={8}
          key={`c${shown}`}
        />
      )}
    </>
  )
}

// Look shows a message as a customer would get it, and sends it to one address. body is the form, null until it is
// written.
export function Look({
  of,
  body,
  language: code,
  mail,
}: {
  of: 'mailing' | 'journey'
  body: object | null
  language: string
  mail: boolean
}): JSX.Element {
  const [customer, setCustomer] = useState('')
  const shown = usePreview(
    `/api/{store}/admin/${of}/preview`,
    body ? ({ ...body, language: code, ...(customer ? { customer } : {}) } as never) : null,
  )
  const [address, setAddress] = useState('')
  const [busy, setBusy] = useState(false)
  const test = async (): Promise<void> => {
    setBusy(true)
    try {
      const result = await write('POST', `/api/{store}/admin/${of}/test` as '/api/{store}/admin/mailing/test', {
        body: { ...body, channel: 'email', address, language: code } as TestMailingForm,
      })
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
        {may('CUSTOMER') && <CustomerFilter value={customer} onChange={setCustomer} label={t('mailings.asCustomer')} />}
        {shown === null || shown instanceof Failure ? (
          <p class="muted">{t('mailings.lookEmpty')}</p>
        ) : (
          <div class="mailing-look" dir="auto">
            {shown.subject && <p class="primary-line">{shown.subject}</p>}
            {shown.html && <MailFrame html={shown.html} />}
            {shown.content &&
              (shown.html ? (
                <details>
                  <summary>{t('mailings.plainText')}</summary>
                  <p class="mailing-text">{shown.content}</p>
                </details>
              ) : (
                <p class="mailing-text">{shown.content}</p>
              ))}
            {shown.short && <p class="mailing-text mailing-short">{shown.short}</p>}
          </div>
        )}
      </Card>
      {mail && (
        <Card title={t('mailings.test')}>
          <Field label={t('mailings.testAddress')}>
            {(control) => (
              <input
                {...control}
                class="input"
                type="email"
                value={address}
                autoComplete="email"
                onInput={(e) => setAddress(e.currentTarget.value)}
              />
            )}
          </Field>
          <Button icon="play" busy={busy} disabled={!address || !body} onClick={() => void test()}>
            {t('mailings.sendTest')}
          </Button>
        </Card>
      )}
    </div>
  )
}
