// How a message looks where it arrives.
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ChannelCode, EventName } from './names'
import type { TemplatePreviewView } from '../../api/types'
import { Failure, usePreview, useQuery } from '../../api/client'
import { number, t } from '../../i18n/i18n'
import { Button, failureText, fieldText, Notice, Skeleton } from '../../ui/basics'
import { Icon } from '../../ui/icons'

export interface Draft {
  event: EventName
  channel: ChannelCode
  language: string
  subject: string
  content: string
}

// Preview shows a draft with examples in the place of placeholders.
export function Preview({ draft }: { draft: Draft }): JSX.Element {
  const [wide, setWide] = useState(true)
  const shown = usePreview('/api/{store}/message/preview', draft.content.trim() ? { message: draft } : null)
  const mail = draft.channel === 'email'
  return (
    <aside class="message-preview" aria-label={t('messages.preview')}>
      <header class="row">
        <h2>{t('messages.preview')}</h2>
        <span class="spacer" />
        {mail && (
          <span class="row" role="group" aria-label={t('messages.previewOn')}>
            <Button small pressed={wide} onClick={() => setWide(true)}>
              {t('messages.desktop')}
            </Button>
            <Button small pressed={!wide} onClick={() => setWide(false)}>
              {t('messages.phone')}
            </Button>
          </span>
        )}
      </header>
      <div aria-live="polite">
        {!draft.content.trim() ? (
          <p class="muted">{t('messages.previewEmpty')}</p>
        ) : shown === null ? (
          <Skeleton lines={4} />
        ) : shown instanceof Failure ? (
          <Notice tone="warning">{problemOf(shown)}</Notice>
        ) : (
          shown.previews[0] && <Look message={shown.previews[0]} wide={wide} />
        )}
      </div>
      <p class="muted">{t('messages.previewHelp')}</p>
    </aside>
  )
}

function problemOf(failure: Failure): string {
  const first = Object.values(failure.fields).flat()[0]
  return first ? fieldText(first) : failureText(failure)
}

function Look({ message: m, wide }: { message: TemplatePreviewView; wide: boolean }): JSX.Element {
  const settings = useQuery('/api/{store}/settings').data?.settings
  const program = settings?.programName ?? ''
  switch (m.channel) {
    case 'email':
      return (
        <article class={wide ? 'look mail' : 'look mail phone'}>
          <header>
            <small class="muted">{t('messages.from', { name: program })}</small>
            <strong>{m.subject}</strong>
          </header>
          <Text text={m.content} />
        </article>
      )
    case 'sms':
      return (
        <>
          <div class="look phone sms">
            <p class="bubble">{m.content}</p>
          </div>
          <p class={(m.parts ?? 1) > 1 ? 'warning-text' : 'muted'}>
            {t('messages.smsLength', { n: m.length, length: number(m.length) })}{' '}
            {t('messages.smsParts', { n: m.parts ?? 1 })}
          </p>
        </>
      )
    default:
      return (
        <div class="look phone notice-look">
          <span class="app-icon">
            <Icon name={m.channel === 'push' ? 'bell' : 'channels'} size={20} />
          </span>
          <span>
            <strong>{m.subject || program}</strong>
            <span class="lines">{m.content}</span>
          </span>
        </div>
      )
  }
}

const address = /(https?:\/\/[^\s]+)/

// Text shows a text as an e-mail does: lines as they are, and addresses as links, which lead nowhere here.
function Text({ text }: { text: string }): JSX.Element {
  const linked: ComponentChildren[] = text
    .split(address)
    .map((part, i) => (i % 2 ? <span class="link">{part}</span> : part))
  return <div class="lines">{linked}</div>
}
