// Dialogs and messages over the page. Dialogs are the browser's own: they keep the focus inside and close with Escape.
// One whose content is shown only once asks first, unless a button of its content closes it.
import { signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Failure } from '../api/client'
import { t } from '../i18n/i18n'
import { Button, failureText, Notice } from './basics'
import { Icon } from './icons'
import { useGuard } from './router'

export function Dialog({
  title,
  onClose,
  children,
  wide,
  side,
  once = false,
}: {
  title: string
  onClose: () => void
  children: ComponentChildren
  wide?: boolean
  side?: boolean
  once?: boolean // nobody can show the content again
}): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [asking, setAsking] = useState(false)
  const close = once ? () => setAsking(true) : onClose
  useGuard(once, 'once.leave')
  useEffect(() => {
    const dialog = ref.current!
    dialog.showModal()
    return () => dialog.close() // gives the focus back; a dialog that is only removed does not
  }, [])
  return (
    <dialog
      ref={ref}
      class={`${wide ? 'wide' : ''} ${side ? 'side' : ''}`}
      aria-labelledby={id}
      closedby={once ? 'none' : undefined} // browsers let no page prevent a second Escape without a click between
      onKeyDown={
        once
          ? (event) => {
              if (event.key !== 'Escape' || (event.target as Element).closest('dialog') !== ref.current) return
              event.preventDefault()
              close()
            }
          : undefined
      }
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClose={() => {
        // by the browser alone
        if (!ref.current?.isConnected) return
        ref.current.showModal()
        close()
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current) close()
      }}
    >
      <div class="dialog">
        <header>
          <h2 id={id}>{title}</h2>
          <Button kind="plain" icon="close" label={t('action.close')} onClick={close} />
        </header>
        {children}
      </div>
      {asking && (
        <Confirm
          title={t('once.title')}
          action={t('once.close')}
          onClose={() => setAsking(false)}
          onConfirm={async () => onClose()}
        >
          {t('once.text')}
        </Confirm>
      )}
    </dialog>
  )
}

// Confirm asks before destructive work: the text names the objects and numbers that are affected.
export function Confirm({
  title,
  children,
  action,
  onConfirm,
  onClose,
  danger = true,
}: {
  title: string
  children: ComponentChildren
  action: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
  danger?: boolean
}): JSX.Element {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Failure | null>(null)
  const run = async (): Promise<void> => {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch (e) {
      setError(e instanceof Failure ? e : new Failure('failed', 0, String(e)))
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        {error && <Notice tone="danger">{failureText(error)}</Notice>}
        <div>{children}</div>
        <footer>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={busy ? undefined : run}>
            {action}
          </Button>
        </footer>
      </div>
    </Dialog>
  )
}

interface Toast {
  id: number
  text: string
  tone: 'success' | 'danger'
}

const toasts = signal<Toast[]>([])
let nextToast = 1

// toast shows a message for some seconds, longer for an error. It never covers an action of the page.
export function toast(text: string, tone: Toast['tone'] = 'success'): void {
  const id = nextToast++
  toasts.value = [...toasts.value.slice(-2), { id, text, tone }]
  setTimeout(() => (toasts.value = toasts.value.filter((one) => one.id !== id)), tone === 'danger' ? 10_000 : 4000)
}

// toastFailure shows what went wrong with an action that has no form.
export function toastFailure(error: unknown): void {
  toast(error instanceof Failure ? failureText(error) : String(error), 'danger')
}

export function Toasts(): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((one) => (
        <div key={one.id} class={`toast ${one.tone}`}>
          <Icon name={one.tone === 'success' ? 'check' : 'warning'} size={18} />
          <span>{one.text}</span>
          <Button
            kind="plain"
            small
            icon="close"
            label={t('action.close')}
            onClick={() => (toasts.value = toasts.value.filter((other) => other.id !== one.id))}
          />
        </div>
      ))}
    </div>
  )
}

export interface MenuItem {
  text: string
  onClick?: () => void
  href?: string
  danger?: boolean
  checked?: boolean
}

// Menu is a button that opens a list of actions. Arrow keys move, Escape closes.
export function Menu({
  label,
  children,
  items,
  class: more,
}: {
  label: string
  children?: ComponentChildren
  items: (MenuItem | false | null | undefined)[]
  class?: string
}): JSX.Element {
  const id = useId()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  // Before it is drawn, so that nobody clicks where the menu was for a moment.
  useLayoutEffect(() => {
    if (!open) return
    const place = button.current!.getBoundingClientRect()
    const box = list.current!
    box.style.top = `${Math.min(place.bottom + 4, innerHeight - box.offsetHeight - 8)}px`
    box.style.left = `${Math.max(8, Math.min(place.right - box.offsetWidth, innerWidth - box.offsetWidth - 8))}px`
    ;(box.querySelector('[role^=menuitem]') as HTMLElement | null)?.focus()
    const close = (event: Event): void => {
      if (!box.contains(event.target as Node) && !button.current!.contains(event.target as Node)) setOpen(false)
    }
    addEventListener('pointerdown', close)
    addEventListener('scroll', close, true)
    return () => {
      removeEventListener('pointerdown', close)
      removeEventListener('scroll', close, true)
    }
  }, [open])
  const onKeyDown = (event: KeyboardEvent): void => {
    const all = [...list.current!.querySelectorAll<HTMLElement>('[role^=menuitem]')]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
    if (next !== undefined) {
      event.preventDefault()
      all[(next + all.length) % all.length]?.focus()
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.stopPropagation()
      setOpen(false)
      button.current?.focus()
    }
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class={more ?? 'button plain square'}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') {
            event.preventDefault()
            setOpen(true)
          }
        }}
      >
        {children ?? <Icon name="more" />}
      </button>
      {open && (
        <div ref={list} class="menu" role="menu" id={id} aria-label={label} onKeyDown={onKeyDown}>
          {items
            .filter((item): item is MenuItem => !!item)
            .map((item) => {
              const role = item.checked === undefined ? 'menuitem' : 'menuitemradio'
              const pick = (): void => {
                setOpen(false)
                button.current?.focus()
                item.onClick?.()
              }
              const inner = (
                <>
                  {item.checked !== undefined && (
                    <span class="tick">{item.checked && <Icon name="check" size={16} />}</span>
                  )}
                  {item.text}
                </>
              )
              return item.href ? (
                <a key={item.text} role={role} tabIndex={-1} href={item.href} onClick={() => setOpen(false)}>
                  {inner}
                </a>
              ) : (
                <button
                  key={item.text}
                  type="button"
                  role={role}
                  tabIndex={-1}
                  aria-checked={item.checked}
                  class={item.danger ? 'danger' : ''}
                  onClick={pick}
                >
                  {inner}
                </button>
              )
            })}
        </div>
      )}
    </>
  )
}
