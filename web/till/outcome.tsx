// What came of the last action, in large type. Green is for what the server has confirmed, and for nothing else.
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { Failure, type FieldError } from '../api/client'
import { t, tIf } from '../i18n/i18n'
import { Button, failureText, fieldText } from '../ui/basics'
import { Icon } from '../ui/icons'
import { waiting } from './queue'

interface Message {
  tone: 'success' | 'warning' | 'danger'
  title: string
  text: string
  undo?: (() => void) | undefined // takes it back, for a while
}

// undoTime is a little less than what the server allows.
const undoTime = 55_000

const outcome = signal<Message | null>(null)

export function clearOutcome(): void {
  outcome.value = null
}

export function showConfirmed(title: string, text = '', undo?: () => void): void {
  const shown: Message = { tone: 'success', title, text, undo }
  outcome.value = shown
  if (undo)
    setTimeout(() => {
      if (outcome.value === shown) outcome.value = { ...shown, undo: undefined }
    }, undoTime)
}

export function showWaiting(what: string): void {
  outcome.value = { tone: 'warning', title: t('till.waits', { what }), text: t('till.waitsHelp') }
}

// reason says in words why the server refused.
export function reason(f: Failure): string {
  const [first] = Object.values(f.fields).flat()
  return first ? fieldText(first) : failureText(f)
}

export function reasonOf(e: FieldError): string {
  return tIf(`error.${e.code}`, e.detail || t('error.failed'))
}

export function showRefused(what: string, error: unknown): void {
  const text = error instanceof Failure ? reason(error) : String(error)
  outcome.value = { tone: 'danger', title: t('till.refused', { what }), text }
}

export function OutcomePanel(): JSX.Element {
  // What waited has been confirmed or refused since, and the list of entries says so.
  const message = outcome.value?.tone === 'warning' && waiting() === 0 ? null : outcome.value
  return (
    <div role={message?.tone === 'danger' ? 'alert' : 'status'} class={message ? `outcome ${message.tone}` : 'hidden'}>
      {message && (
        <>
          <Icon
            name={message.tone === 'success' ? 'check' : message.tone === 'warning' ? 'clock' : 'warning'}
            size={32}
          />
          <div>
            <strong>{message.title}</strong>
            {message.text && <p>{message.text}</p>}
          </div>
          {message.undo && (
            <Button icon="left" onClick={message.undo}>
              {t('till.undo')}
            </Button>
          )}
          <Button kind="plain" icon="close" label={t('action.close')} onClick={clearOutcome} />
        </>
      )}
    </div>
  )
}
