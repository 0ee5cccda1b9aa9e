// Lists: a table with sorting, filters in the address bar, keyboard, and a state for every moment.
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Answer, AnyParams, Optional, Params, Path } from '../api/calls'
import { useUnchecked, type Failure } from '../api/client'
import { number, t } from '../i18n/i18n'
import { Button, ErrorState, Empty } from './basics'
import { Icon } from './icons'
import { Link, place, setQuery } from './router'
import { typingPause } from './search'

export interface Column<Row> {
  name: string
  title: string
  cell: (row: Row) => ComponentChildren
  sort?: string // name of the field that the API sorts by
  number?: boolean // right-aligned
  wide?: boolean // left out on narrow screens, but not on cards
  spare?: boolean // left out unless the screen is very wide, but not on cards
  untitled?: boolean // the title is for readers of the screen alone
  head?: (rows: Row[]) => ComponentChildren // a control in place of the title
  opens?: boolean // holds the link or button of the row; if none says so, the first column with a title does
}

export interface TableProps<Row> {
  label: string
  columns: Column<Row>[]
  rows: Row[] | undefined
  rowKey: (row: Row) => string
  to?: (row: Row) => string // screen of a row
  onPick?: (row: Row) => void // instead of a screen
  error?: Failure
  retry?: () => void
  loading?: boolean
  empty: ComponentChildren // shown instead of no rows
  sort?: { field: string; descending: boolean }
  onSort?: (field: string) => void
}

// Table shows rows that are already there. A row that leads somewhere has a link, and one that opens a dialog a button,
// in one of its cells; a click anywhere in the row does the same. Tab visits each, arrow keys move from row to row. On
// phones each row is a card, with the titles of its columns; the roles say that it is a table nevertheless.
export function Table<Row>(props: TableProps<Row>): JSX.Element {
  const { columns, rows, error, loading } = props
  const body = useRef<HTMLTableSectionElement>(null)
  if (error && !rows) return <ErrorState error={error} retry={props.retry} />
  if (rows && rows.length === 0 && !loading) return <>{props.empty}</>
  const opens = props.to !== undefined || props.onPick !== undefined
  const opening = columns.find((c) => c.opens) ?? columns.find((c) => !c.untitled)
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const all = [...body.current!.querySelectorAll<HTMLElement>('.opener')]
    const at = all.indexOf(document.activeElement as HTMLElement)
    if (step === undefined || at < 0) return
    event.preventDefault()
    all[at + step]?.focus()
  }
  return (
    <div class="table-frame" aria-busy={loading ? 'true' : undefined}>
      {error && (
        <div class="table-note" role="alert">
          {t('table.stale')}{' '}
          <Button small icon="refresh" onClick={props.retry}>
            {t('action.retry')}
          </Button>
        </div>
      )}
      <div class="table-scroll" tabIndex={opens ? undefined : 0} role="group" aria-label={props.label}>
        <table class={opens ? 'cards opens' : 'cards'} role="table">
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((c) => (
                <Head key={c.name} column={c} {...props} />
              ))}
            </tr>
          </thead>
          <tbody ref={body} role="rowgroup" onKeyDown={onKeyDown}>
            {rows
              ? rows.map((row) => (
                  <tr
                    key={props.rowKey(row)}
                    role="row"
                    onClick={opens ? clickRow : undefined}
                    onAuxClick={opens ? clickRow : undefined}
                  >
                    {columns.map((c) => (
                      <td key={c.name} role="cell" class={cellClass(c)} data-label={c.untitled ? undefined : c.title}>
                        {opens && c === opening ? (
                          <Opener {...props} row={row}>
                            {c.cell(row)}
                          </Opener>
                        ) : (
                          c.cell(row)
                        )}
                      </td>
                    ))}
                  </tr>
                ))
              : Array.from({ length: 8 }, (_, i) => (
                  <tr key={i} class="loading" aria-hidden="true">
                    {columns.map((c) => (
                      <td key={c.name} class={cellClass(c)}>
                        <span class="bone" />
                      </td>
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

// Opener is the link or button of a row.
function Opener<Row>({
  row,
  to,
  onPick,
  children,
}: Pick<TableProps<Row>, 'to' | 'onPick'> & { row: Row; children: ComponentChildren }): JSX.Element {
  if (onPick)
    return (
      <button type="button" class="opener" onClick={() => onPick(row)}>
        {children}
      </button>
    )
  return (
    <Link class="opener" to={to!(row)}>
      {children}
    </Link>
  )
}

// clickRow does what the same click on the link or button of the row would do. A dialog gives the focus back to the
// button.
function clickRow(event: MouseEvent): void {
  const opener = (event.currentTarget as Element).querySelector<HTMLElement>('.opener')
  if (event.button > 1 || !opener || (event.target as Element).closest('a,button,input,select,label')) return
  if (event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    opener.focus({ preventScroll: true })
    opener.click()
  } else if (opener instanceof HTMLAnchorElement) open(opener.href, '_blank', 'noopener')
}

function cellClass<Row>(c: Column<Row>): string {
  return [c.number && 'number', c.wide && 'wide', c.spare && 'spare', c.untitled && 'untitled']
    .filter(Boolean)
    .join(' ')
}

function Head<Row>({ column: c, rows, sort, onSort }: { column: Column<Row> } & TableProps<Row>): JSX.Element {
  const sorted = c.sort !== undefined && sort?.field === c.sort
  return (
    <th
      role="columnheader"
      class={cellClass(c)}
      aria-sort={sorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
      scope="col"
    >
      {c.sort && onSort ? (
        <button type="button" onClick={() => onSort(c.sort!)}>
          {c.title}
          <Icon name={sorted && !sort.descending ? 'up' : 'down'} size={14} />
        </button>
      ) : (
        (c.head?.(rows ?? []) ?? <span class={c.untitled ? 'hidden' : undefined}>{c.title}</span>)
      )}
    </th>
  )
}

export interface ListProps<P extends Path, Row> extends Omit<
  TableProps<Row>,
  'rows' | 'error' | 'retry' | 'loading' | 'sort' | 'onSort'
> {
  path: P // of the API; its params are those beside the filters
  read: (answer: Answer<P>) => { rows: Row[]; total: number }
  filters?: Filter<ParamName<NoInfer<P>>>[]
  search?: ParamName<P> // parameter of the search field; none without
  searchLabel?: string // what is searched, if not everything
  searchAlone?: boolean // the API leaves out filters in a search: choosing one clears the other
  defaultSort?: { field: string; descending: boolean }
  tools?: ComponentChildren // beside the filters
  actions?: ComponentChildren
  bar?: (rows: Row[], total: number) => ComponentChildren // over the rows
  changing?: (rows: Row[]) => boolean // whether rows change by themselves: then they are read again every few seconds
}

export type ParamName<P extends Path> = keyof Params<P> & string

// Filter is a choice above the list, a date if it has neither options nor a field; its value is in the address bar.
export interface Filter<Name extends string = string> {
  name: Name // parameter of the API
  title: string
  options?: { value: string; text: string }[]
  field?: (value: string, onChange: (value: string) => void) => ComponentChildren // a control of its own
  send?: (value: string) => string // what the API gets instead of the value
}

const maxInLine = 4 // filters beside the search on wide screens
const perPage = 50
const readEvery = 5000 // milliseconds

// List loads a page of rows from the API. Search, filters, order and page are in the address bar, so that a list can be
// shared and the back button returns to it.
export function List<P extends Path, Row>(props: ListProps<P, Row> & Optional<'params', Params<P>>): JSX.Element {
  const query = place.value.query
  const page = Math.max(1, Number(query.get('page') ?? 1) || 1)
  const [field, way] = (query.get('sort') ?? '').split('.')
  const sort = field ? { field, descending: way === 'desc' } : props.defaultSort
  const params: AnyParams = { ...props.params, page, perPage }
  if (sort) Object.assign(params, { sort: sort.field, direction: sort.descending ? 'DESC' : 'ASC' })
  const words = props.search ? (query.get('q') ?? '') : ''
  const clearing = Object.fromEntries((props.filters ?? []).map((f) => [f.name, '']))
  for (const f of props.filters ?? []) params[f.name] = sent(f, query.get(f.name))
  if (props.search && words) {
    params[props.search] = words
    delete params['sort']
    delete params['direction']
  }
  const result = useUnchecked(props.path, params)
  const before = useRef<{ rows: Row[]; total: number } | undefined>(undefined)
  const now = result.data === undefined ? undefined : props.read(result.data as Answer<P>)
  if (now) before.current = now
  const shown = now ?? (result.error ? undefined : before.current)
  const changing = shown !== undefined && (props.changing?.(shown.rows) ?? false)
  useEffect(() => {
    if (!changing) return
    const timer = setInterval(() => {
      if (!document.hidden) result.reload()
    }, readEvery)
    return () => clearInterval(timer)
  }, [changing, props.path, JSON.stringify(params)])
  const on = (props.filters ?? []).filter((f) => query.get(f.name)).length
  const many = (props.filters?.length ?? 0) > 1
  const isLong = (props.filters?.length ?? 0) > maxInLine
  const [open, setOpen] = useState(isLong && on > 0) // the filters, where they do not fit beside the search
  const filtered = words !== '' || (props.filters ?? []).some((f) => query.get(f.name))
  const clear = (): void => setQuery({ ...clearing, q: '', page: '' })
  const choose = (f: Filter, value: string): void =>
    setQuery({ [f.name]: value, page: '', ...(props.searchAlone ? { q: '' } : {}) })
  return (
    <div class="list">
      {(props.search || props.filters || props.actions) && (
        <div class="toolbar">
          {props.search && (
            <SearchField
              value={words}
              placeholder={props.searchLabel}
              onChange={(q) => setQuery({ ...(props.searchAlone && q ? clearing : {}), q, page: '' })}
            />
          )}
          {many && (
            <Button
              class={isLong ? 'filters-toggle long' : 'filters-toggle'}
              icon="filter"
              pressed={open}
              onClick={() => setOpen(!open)}
            >
              {on > 0 ? t('table.filtersOn', { n: on }) : t('table.filters')}
            </Button>
          )}
          <div class={`filters${many && !open ? ' closed' : ''}${isLong ? ' long' : ''}`}>
            {props.filters?.map((f) => (
              <FilterField
                key={f.name}
                filter={f}
                value={query.get(f.name) ?? ''}
                onChange={(value) => choose(f, value)}
              />
            ))}
          </div>
          {props.tools}
          {filtered && (
            <Button kind="plain" icon="close" onClick={clear}>
              {t('table.clear')}
            </Button>
          )}
          <span class="spacer" />
          {props.actions}
        </div>
      )}
      {shown && props.bar?.(shown.rows, shown.total)}
      <Table
        {...props}
        rows={shown?.rows}
        error={result.error}
        retry={result.reload}
        loading={result.loading}
        sort={words ? undefined : sort}
        onSort={(f) =>
          setQuery({ sort: `${f}.${sort?.field === f && !sort.descending ? 'desc' : 'asc'}`, page: '', q: '' })
        }
        empty={
          filtered ? (
            <Empty
              icon="search"
              title={t('table.noMatch')}
              action={<Button onClick={clear}>{t('table.clear')}</Button>}
            />
          ) : (
            props.empty
          )
        }
      />
      {shown && (
        <Pager page={page} total={shown.total} rows={shown.rows.length} ended={result.error?.kind === 'window'} />
      )}
    </div>
  )
}

function sent(f: Filter, value: string | null): string | null {
  return value && f.send ? f.send(value) : value
}

// endOfDay turns a day into its last second, where a time ends a span of the API.
export function endOfDay(day: string): string {
  return `${day} 23:59:59`
}

// maxWindow is the last position that a list reaches by default (--result-window).
const maxWindow = 10_000

function Pager({
  page,
  total,
  rows,
  ended,
}: {
  page: number
  total: number
  rows: number
  ended: boolean
}): JSX.Element | null {
  if (total === 0) return null
  const first = (page - 1) * perPage + 1
  const more = page * perPage < total
  const end = ended || (more && (page + 1) * perPage > maxWindow)
  const to = (p: number): void => {
    setQuery({ page: p > 1 ? String(p) : '' })
    scrollTo(0, 0)
  }
  return (
    <nav class="pager" aria-label={t('table.pages')}>
      <span class="muted">{t('table.range', { first, last: first + Math.max(rows - 1, 0), total })}</span>
      {end && <span class="muted">{t('table.narrow', { n: number(maxWindow) })}</span>}
      <span class="spacer" />
      {(page > 1 || more) && (
        <>
          <Button small icon="left" disabled={page <= 1} onClick={() => to(page - 1)}>
            {t('table.previous')}
          </Button>
          <Button small disabled={!more || end} onClick={() => to(page + 1)}>
            {t('table.next')}
            <Icon name="right" size={16} />
          </Button>
        </>
      )}
    </nav>
  )
}

// SearchField searches as the user types, a moment after the last key. The key / focuses it. The field keeps what the
// user types, also blanks at the end and letters typed while the search begins, until another part of the page changes
// the value, such as a button that clears all filters.
export function SearchField({
  value,
  onChange,
  placeholder,
  autoFocus,
}: {
  value: string
  onChange: (text: string) => void
  placeholder?: string
  autoFocus?: boolean
}): JSX.Element {
  const [text, setText] = useState(value)
  const ref = useRef<HTMLInputElement>(null)
  const searched = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>()
  const type = (typed: string): void => {
    setText(typed)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const words = typed.trim()
      if (words === searched.current) return
      searched.current = words
      onChange(words)
    }, typingPause)
  }
  useLayoutEffect(() => {
    // before a timer that is due runs
    if (value === searched.current) return
    clearTimeout(timer.current)
    searched.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const inField = (event.target as Element).closest?.('input,textarea,select,dialog')
      if (event.key !== '/' || inField || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      ref.current?.focus()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [])
  return (
    <span class="search">
      <Icon name="search" size={18} />
      <input
        ref={ref}
        class="input"
        type="search"
        value={text}
        placeholder={placeholder ?? t('table.search')}
        aria-label={placeholder ?? t('table.search')}
        autoComplete="off"
        spellcheck={false}
        autofocus={autoFocus}
        onInput={(event) => type(event.currentTarget.value)}
      />
    </span>
  )
}

function FilterField({
  filter,
  value,
  onChange,
}: {
  filter: Filter
  value: string
  onChange: (value: string) => void
}): JSX.Element {
  const look = value ? 'input filter on' : 'input filter'
  if (filter.field) return <>{filter.field(value, onChange)}</>
  if (!filter.options) {
    return (
      <label class="date-filter">
        <span>{filter.title}</span>
        <input class={look} type="date" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
      </label>
    )
  }
  return (
    <select
      class={look}
      aria-label={filter.title}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{filter.title}</option>
      {filter.options.map((o) => (
        <option key={o.value} value={o.value} selected={o.value === value}>
          {o.text}
        </option>
      ))}
    </select>
  )
}
