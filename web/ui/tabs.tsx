// Tabs within a page, and a picker of several values by search.
import type { ComponentChildren, JSX } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { t } from '../i18n/i18n'
import { Icon } from './icons'
import { place, setQuery } from './router'

export interface Tab {
  name: string
  title: ComponentChildren
  body: () => ComponentChildren
}

// Tabs shows one of several panels; the chosen one is in the address bar. Arrow keys move between tabs.
export function Tabs({
  tabs,
  label,
  name = 'tab',
}: {
  tabs: (Tab | false)[]
  label: string
  name?: string
}): JSX.Element {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const all = tabs.filter((tab): tab is Tab => !!tab)
  const chosen = all.find((tab) => tab.name === place.value.query.get(name)) ?? all[0]!
  const show = (tab: Tab): void => setQuery({ [name]: tab === all[0] ? '' : tab.name, page: '' })
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = all.indexOf(chosen)
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    const to = (next + all.length) % all.length
    show(all[to]!)
    ;(list.current?.children[to] as HTMLElement | undefined)?.focus()
  }
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {all.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-controls={`${id}-panel`}
            aria-selected={tab === chosen}
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => show(tab)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen.name}`} tabIndex={0} key={chosen.name}>
        {chosen.body()}
      </div>
    </div>
  )
}

export interface Pick {
  value: string
  text: string
  detail?: string
}

// Picker chooses values from a list by typing, several or one. It is a combobox: arrow keys move, Enter chooses,
// Backspace in the empty field removes the last.
export function Picker({
  id,
  options,
  chosen,
  onChange,
  onSearch,
  busy,
  single,
  placeholder,
  ...rest
}: {
  id?: string
  options: Pick[]
  chosen: string[]
  onChange: (values: string[]) => void
  onSearch?: (text: string) => void // for options that the server searches; otherwise the list is filtered here
  busy?: boolean // a search begins or runs, and the options are those of the last one
  single?: boolean
  placeholder?: string
  'aria-describedby'?: string
  'aria-invalid'?: 'true'
  'aria-label'?: string
}): JSX.Element {
  const own = useId()
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const words = text.trim().toLowerCase()
  const shown = options
    .filter(
      (o) => (single || !chosen.includes(o.value)) && (onSearch || !words || o.text.toLowerCase().includes(words)),
    )
    .slice(0, 100)
  const textOf = (value: string): string => options.find((o) => o.value === value)?.text ?? value
  const pick = (o: Pick | undefined): void => {
    if (!o) return
    onChange(single ? [o.value] : [...chosen, o.value])
    setText('')
    onSearch?.('')
    setAt(0)
    if (single) setOpen(false)
  }
  const remove = (value: string): void => {
    onChange(chosen.filter((one) => one !== value))
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      setAt((at + (event.key === 'ArrowDown' ? 1 : shown.length - 1)) % Math.max(shown.length, 1))
    } else if (event.key === 'Enter' && open) {
      event.preventDefault()
      pick(shown[at])
    } else if (event.key === 'Escape' && open) {
      event.stopPropagation()
      event.preventDefault()
      setOpen(false)
    } else if (event.key === 'Backspace' && text === '' && chosen.length > 0) {
      onChange(chosen.slice(0, -1))
    }
  }
  return (
    <div
      class="picker"
      onFocusOut={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node)) setOpen(false)
      }}
    >
      <div class="input tokens" onClick={() => field.current?.focus()}>
        {chosen.map((value) => (
          <span class="token" key={value}>
            {textOf(value)}
            <button
              type="button"
              aria-label={t('action.removeValue', { value: textOf(value) })}
              onClick={() => remove(value)}
            >
              <Icon name="close" size={14} />
            </button>
          </span>
        ))}
        <input
          ref={field}
          id={id}
          type="text"
          role="combobox"
          autoComplete="off"
          aria-expanded={open}
          aria-autocomplete="list"
          aria-controls={`${own}-list`}
          aria-activedescendant={open && shown[at] ? `${own}-${at}` : undefined}
          value={text}
          placeholder={chosen.length ? '' : placeholder}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          {...rest}
          onInput={(event) => {
            setText(event.currentTarget.value)
            onSearch?.(event.currentTarget.value)
            setOpen(true)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {open && (
        <ul
          class="options"
          role="listbox"
          id={`${own}-list`}
          aria-busy={busy ? 'true' : undefined}
          aria-label={placeholder ?? rest['aria-label'] ?? t('table.search')}
        >
          {shown.map((o, i) => (
            <li
              key={o.value}
              id={`${own}-${i}`}
              role="option"
              aria-selected={i === at}
              class={i === at ? 'at' : ''}
              onMouseDown={(event) => {
                event.preventDefault()
                pick(o)
              }}
              onMouseEnter={() => setAt(i)}
            >
              {o.text}
              {o.detail && <small>{o.detail}</small>}
            </li>
          ))}
          {shown.length === 0 && (
            <li class="none" role="option" aria-disabled="true" aria-selected="false">
              {t(busy ? 'table.searching' : 'table.noMatch')}
            </li>
          )}
        </ul>
      )}
    </div>
  )
}
