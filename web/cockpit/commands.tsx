// The command menu: pages, customers and actions by a few letters, with Ctrl or Cmd and K.
import type { JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useQuery } from '../api/client'
import { may } from '../api/session'
import { t } from '../i18n/i18n'
import { Dialog } from '../ui/dialog'
import { navigate } from '../ui/router'
import { visibleNavigation } from './frame'
import { usePresentStore } from './present_store'

interface Entry {
  text: string
  detail: string
  to: string
}

export function CommandMenu({ onClose }: { onClose: () => void }): JSX.Element {
  const [text, setText] = useState('')
  const [searched, setSearched] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    const timer = setTimeout(() => setSearched(text.trim()), 200)
    return () => clearTimeout(timer)
  }, [text])
  const customers = useQuery<{ customers: { customerId: string; firstName?: string; lastName?: string; email?: string }[] }>(
    searched.length >= 2 && may('CUSTOMER') ? '/api/{store}/customer' : null, { q: searched, perPage: 6 },
  )
  const isSandbox = usePresentStore()?.sandbox
  const words = text.trim().toLowerCase()
  const pages: Entry[] = visibleNavigation(isSandbox).flatMap((group) => group.items.map((item) => ({
    text: t(item.title), detail: item.title === group.title ? '' : t(group.title), to: item.path,
  })))
  const found: Entry[] = [
    ...pages.filter((p) => !words || `${p.detail} ${p.text}`.toLowerCase().includes(words)),
    ...(customers.data?.customers ?? []).map((c) => ({
      text: [c.firstName, c.lastName].filter(Boolean).join(' ') || (c.email ?? c.customerId), detail: c.email ?? '',
      to: `/customers/${c.customerId}`,
    })),
  ]
  const open = (entry: Entry | undefined): void => {
    if (!entry) return
    onClose()
    navigate(entry.to)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setAt((at + step + found.length) % Math.max(found.length, 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      open(found[at])
    }
  }
  return (
    <Dialog title={t('commands.title')} onClose={onClose}>
      <input ref={field} class="input" type="text" role="combobox" aria-expanded="true" aria-controls={id} autoComplete="off"
        aria-activedescendant={found[at] ? `${id}-${at}` : undefined} aria-label={t('commands.title')}
        placeholder={t('commands.placeholder')} value={text} spellcheck={false}
        onInput={(event) => { setText(event.currentTarget.value); setAt(0) }} onKeyDown={onKeyDown} />
      <ul class="commands" role="listbox" id={id} aria-label={t('commands.title')}>
        {found.map((entry, i) => (
          <li key={entry.to} id={`${id}-${i}`} role="option" aria-selected={i === at} onMouseEnter={() => setAt(i)}
            onClick={() => open(entry)}>
            <span>{entry.text}</span><small class="muted">{entry.detail}</small>
          </li>
        ))}
        {found.length === 0 && !customers.loading && <li class="muted" role="option" aria-selected="false" aria-disabled="true">{t('table.noMatch')}</li>}
      </ul>
    </Dialog>
  )
}
