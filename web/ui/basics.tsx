// Small parts that every screen uses: buttons, badges, notices, and the states of a screen without content.
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Failure, type FieldError } from '../api/client'
import { date, dateTime, relative, t, tIf, since, until } from '../i18n/i18n'
import { brand } from './brand'
import { Icon, type IconName } from './icons'
import { href } from './router'

export interface ButtonProps {
  children?: ComponentChildren
  onClick?: (event: MouseEvent) => void
  kind?: 'primary' | 'danger' | 'plain' // default: bordered
  icon?: IconName
  label?: string // for a button with an icon alone
  busy?: boolean // shows progress and takes no clicks
  disabled?: boolean
  type?: 'button' | 'submit'
  small?: boolean
  pressed?: boolean
  class?: string
  id?: string
}

export function Button(props: ButtonProps): JSX.Element {
  const { children, kind, icon, label, busy, small } = props
  const classes = ['button', kind, small && 'small', !children && 'square', props.class].filter(Boolean).join(' ')
  return (
    <button
      type={props.type ?? 'button'}
      id={props.id}
      class={classes}
      onClick={props.onClick}
      disabled={props.disabled}
      aria-disabled={busy ? 'true' : undefined}
      aria-busy={busy ? 'true' : undefined}
      aria-label={label}
      title={label}
      aria-pressed={props.pressed}
    >
      {busy ? <span class="spinner" /> : icon && <Icon name={icon} size={small ? 16 : 18} />}
      {children}
    </button>
  )
}

// ButtonLink looks like a button and goes to a screen.
export function ButtonLink({
  to,
  query,
  kind,
  icon,
  children,
  small,
}: {
  to: string
  query?: Record<string, string>
  kind?: 'primary' | 'plain'
  icon?: IconName
  children: ComponentChildren
  small?: boolean
}): JSX.Element {
  return (
    <a class={['button', kind, small && 'small'].filter(Boolean).join(' ')} href={href(to, query)}>
      {icon && <Icon name={icon} size={small ? 16 : 18} />}
      {children}
    </a>
  )
}

export type Tone = 'neutral' | 'success' | 'warning' | 'danger' | 'accent'

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ComponentChildren }): JSX.Element {
  return <span class={`badge ${tone}`}>{children}</span>
}

// Notice is a message in the flow of the page.
export function Notice({
  tone = 'neutral',
  title,
  children,
}: {
  tone?: Tone
  title?: string
  children?: ComponentChildren
}): JSX.Element {
  return (
    <div class={`notice ${tone}`} role={tone === 'danger' ? 'alert' : 'status'}>
      <Icon name={tone === 'success' ? 'check' : tone === 'danger' || tone === 'warning' ? 'warning' : 'info'} />
      <div>
        {title && <strong>{title}</strong>}
        {children && <div>{children}</div>}
      </div>
    </div>
  )
}

// Empty says what a list is for, and offers the first action.
export function Empty({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName
  title: string
  children?: ComponentChildren
  action?: ComponentChildren
}): JSX.Element {
  return (
    <div class="empty">
      <Icon name={icon} size={32} />
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  )
}

// fieldText returns the text of an error in the user's language, by its code. The number in the server's text, such as
// a limit, is the value n.
export function fieldText(e: FieldError): string {
  return coded(e.code, e.detail) ?? e.detail
}

function coded(code: string, detail: string): string | undefined {
  const isStrict = /(less|greater) than (?!or equal)/.test(detail)
  const values = { n: Number(/\d+(\.\d+)?/.exec(detail)?.[0] ?? 0) }
  const text = tIf(`error.${code}${isStrict ? '_strict' : ''}`, '', values) || tIf(`error.${code}`, '', values)
  return text || undefined
}

// failureText says what went wrong, in a sentence.
export function failureText(failure: Failure): string {
  const general: Partial<Record<Failure['kind'], string>> = {
    network: t('error.network'),
    forbidden: t('error.forbidden'),
    missing: t('error.missing'),
    ended: t('error.ended'),
    window: t('error.window'),
    limited: t('error.limited'),
    failed: t('error.failed'),
  }
  return coded(failure.code, failure.message) ?? general[failure.kind] ?? failure.message
}

// ErrorState fills the place of content that could not be loaded.
export function ErrorState({ error, retry }: { error: Failure; retry?: () => void }): JSX.Element {
  return (
    <div class="empty" role="alert">
      <Icon name={error.kind === 'network' ? 'wifiOff' : error.kind === 'forbidden' ? 'lock' : 'warning'} size={32} />
      <h2>{failureText(error)}</h2>
      {error.request && error.kind === 'failed' && (
        <p>
          {t('error.request')} <Copy text={error.request} />
        </p>
      )}
      {retry && error.kind !== 'forbidden' && error.kind !== 'missing' && (
        <Button icon="refresh" onClick={retry}>
          {t('action.retry')}
        </Button>
      )}
    </div>
  )
}

// Skeleton stands for lines of text while they load.
export function Skeleton({ lines = 3 }: { lines?: number }): JSX.Element {
  return (
    <div class="skeleton" aria-hidden="true">
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} />
      ))}
    </div>
  )
}

// Copy shows an id or a code that a click copies.
export function Copy({ text, short }: { text: string; short?: boolean }): JSX.Element {
  const [copied, setCopied] = useState(false)
  const copy = async (event: MouseEvent): Promise<void> => {
    event.stopPropagation()
    await writeClipboard(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <button type="button" class="copy" title={text} aria-label={t('action.copyValue', { value: text })} onClick={copy}>
      <code>{short && text.length > 13 ? `${text.slice(0, 8)}…` : text}</code>
      <Icon name={copied ? 'check' : 'copy'} size={14} />
      <span class="hidden" role="status">
        {copied ? t('action.copied') : ''}
      </span>
    </button>
  )
}

// writeClipboard copies a text.
export async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea') // plain HTTP has no clipboard
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

const formats = { date, time: dateTime, end: until, begin: since }

// Time shows a time of the API in the store's zone, and how long ago it is as a tooltip.
export function Time({
  at,
  only,
}: {
  at: string | null | undefined
  only?: 'date' | 'end' | 'begin'
}): JSX.Element | null {
  if (!at) return null
  return (
    <time dateTime={at} title={relative(at)}>
      {formats[only ?? 'time'](at)}
    </time>
  )
}

// Page is a screen: its heading, its actions and its content.
export function Page({
  title,
  back,
  actions,
  children,
  lead,
  badge,
  picture,
}: {
  title: string
  back?: { to: string; text: string }
  actions?: ComponentChildren
  children: ComponentChildren
  lead?: ComponentChildren
  badge?: ComponentChildren
  picture?: ComponentChildren
}): JSX.Element {
  if (typeof document !== 'undefined') document.title = `${title} · ${brand.value || 'Punchcard'}`
  return (
    <div class="page">
      {back && (
        <a class="back" href={href(back.to)}>
          <Icon name="left" size={16} />
          {back.text}
        </a>
      )}
      <header class="page-header">
        {picture}
        <div>
          <h1>
            {title}
            {badge && <> {badge}</>}
          </h1>
          {lead && <div class="lead">{lead}</div>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

// Card groups content under a heading.
export function Card({
  title,
  actions,
  children,
  class: more,
}: {
  title?: string
  actions?: ComponentChildren
  children: ComponentChildren
  class?: string
}): JSX.Element {
  return (
    <section class={`card ${more ?? ''}`} aria-label={title}>
      {(title || actions) && (
        <header>
          <h2>{title}</h2>
          {actions}
        </header>
      )}
      {children}
    </section>
  )
}

// Facts is a list of names and values. Values that are empty or false are left out.
export function Facts({ items }: { items: [string, ComponentChildren][] }): JSX.Element {
  return (
    <dl class="facts">
      {items
        .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
