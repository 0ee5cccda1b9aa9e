// How a file is read: its columns with the fields that they have, dates and numbers, and what happens to customers who
// exist already. The server guesses; each guess can be changed, and the first records show what comes of it.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type {
  DataimportPreview,
  DataimportPreviewColumn,
  DataimportPreviewField,
  DataimportPreviewRecord,
} from '../../api/types'
import { Failure, write } from '../../api/client'
import { number, t, tIf } from '../../i18n/i18n'
import { Badge, failureText, fieldText, Notice, Skeleton } from '../../ui/basics'
import { Field } from '../../ui/form'
import type { Kind } from './kinds'

// Layout holds the choices of the administrator; empty ones are guessed.
export interface Layout {
  encoding: '' | DataimportEncoding
  separator: '' | 'comma' | 'semicolon' | 'tab' | 'bar'
  decimal: '' | '.' | ','
  dates: '' | 'dmy' | 'mdy' | 'ymd'
  columns: string[] | null // for each column its field, empty to leave it out
  existing: 'refuse' | 'update'
  key: 'email' | 'phone' | 'loyaltyCardNumber'
  replace: string[] // guarded fields of existing customers that change
}

type DataimportEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1250' | 'windows-1252' | 'macintosh'

export const guessed: Layout = {
  encoding: '',
  separator: '',
  decimal: '',
  dates: '',
  columns: null,
  existing: 'refuse',
  key: 'email',
  replace: [],
}

// guarded are fields of customers that change only where the administrator wants it.
const guarded = ['agreement1', 'agreement2', 'agreement3', 'active', 'levelId']

// layoutParams returns the layout as parameters of the API.
export function layoutParams({ kind, layout: l }: { kind: Kind; layout: Layout }) {
  return {
    encoding: l.encoding || undefined,
    separator: l.separator || undefined,
    decimal: l.decimal || undefined,
    dates: l.dates || undefined,
    columns: l.columns?.map((field) => field || '-'),
    ...(kind.newcomers && l.existing === 'update' ? { existing: l.existing, key: l.key, replace: l.replace } : {}),
  }
}

const previewBytes = 1 << 20 // of the beginning of a file

// useLook shows the beginning of a file as the server reads it.
export function useLook(
  kind: Kind | undefined,
  file: File | null,
  layout: Layout,
): { look?: DataimportPreview; error?: Failure } {
  const [seen, setSeen] = useState<{ of: string; look?: DataimportPreview; error?: Failure }>({ of: '' })
  const of = file ? JSON.stringify([kind?.name, file.name, file.size, file.lastModified]) : ''
  const asked = kind && file ? JSON.stringify([of, layoutParams({ kind, layout })]) : ''
  useEffect(() => {
    if (!kind || !file) return
    let left = false
    const params = { kind: kind.name, ...layoutParams({ kind, layout }) }
    const beginning = new File([file.slice(0, previewBytes)], file.name, { type: file.type })
    write('POST', '/api/{store}/admin/import/{kind}/preview', { params, body: { file: { file: beginning } } }).then(
      (look) => {
        if (!left) setSeen({ of, look: look as DataimportPreview })
      },
      (e: unknown) => {
        if (!left) setSeen({ of, error: e instanceof Failure ? e : new Failure('failed', 0, String(e)) })
      },
    )
    return () => {
      left = true
    }
  }, [asked])
  return seen.of === of ? seen : {}
}

interface Props {
  kind: Kind
  layout: Layout
  look?: DataimportPreview
  error?: Failure
  change: (layout: Layout) => void
}

export function Reading({ kind, layout, look, error, change }: Props): JSX.Element {
  const set = <K extends keyof Layout>(name: K, value: Layout[K]): void => change({ ...layout, [name]: value })
  const isTable = !look || look.format === 'csv'
  return (
    <div class="stack" aria-busy={!look && !error}>
      {error && (
        <Notice tone="danger" title={t('imports.unread')}>
          {(error.fields['file'] ?? error.fields['columns'])?.map(fieldText).join(' ') ?? failureText(error)}
        </Notice>
      )}
      {!look && !error && <Skeleton lines={6} />}
      {look?.ambiguousDates && <Notice tone="warning">{t('imports.ambiguousDates')}</Notice>}
      {look?.ambiguousDecimal && <Notice tone="warning">{t('imports.ambiguousNumbers')}</Notice>}
      {isTable && (look || error) && (
        <div class="guesses">
          <Guess
            label={t('imports.separator')}
            value={layout.separator}
            found={look?.separator}
            options={['comma', 'semicolon', 'tab', 'bar']}
            text={(v) => t(`imports.separator.${v as 'comma'}`)}
            onChange={(v) => set('separator', v as Layout['separator'])}
          />
          <Guess
            label={t('imports.dates')}
            value={layout.dates}
            found={look?.ambiguousDates ? undefined : look?.dates}
            options={['dmy', 'mdy', 'ymd']}
            text={(v) => t(`imports.dates.${v as 'dmy'}`)}
            onChange={(v) => set('dates', v as Layout['dates'])}
          />
          <Guess
            label={t('imports.decimal')}
            value={layout.decimal}
            found={look?.ambiguousDecimal ? undefined : look?.decimal}
            options={['.', ',']}
            text={(v) => (v === ',' ? '1.234,50' : '1,234.50')}
            onChange={(v) => set('decimal', v as Layout['decimal'])}
          />
          <Guess
            label={t('imports.encoding')}
            value={layout.encoding}
            found={look?.encoding}
            options={['utf-8', 'utf-16le', 'utf-16be', 'windows-1250', 'windows-1252', 'macintosh']}
            text={(v) => v.toUpperCase()}
            onChange={(v) => set('encoding', v as Layout['encoding'])}
          />
        </div>
      )}
      {look && look.columns.length > 0 && (
        <Columns kind={kind} look={look} change={(columns) => set('columns', columns)} />
      )}
      {kind.newcomers && (look || error) && <Existing layout={layout} look={look} change={change} />}
      {look && <Records look={look} />}
    </div>
  )
}

// Guess is a choice that the server makes unless the administrator does.
function Guess({
  label,
  value,
  found,
  options,
  text,
  onChange,
}: {
  label: string
  value: string
  found: string | undefined
  options: string[]
  text: (value: string) => string
  onChange: (value: string) => void
}): JSX.Element {
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          class="input"
          value={value || (found ?? '')}
          onChange={(e) => onChange(e.currentTarget.value)}
        >
          {!value && !found && <option value="" />}
          {options.map((o) => (
            <option key={o} value={o}>
              {text(o)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

// fieldName returns the name of a field in the language of the page.
export function fieldName(field: string): string {
  return tIf(`imports.field.${field}`, field)
}

function Columns({
  kind,
  look,
  change,
}: {
  kind: Kind
  look: DataimportPreview
  change: (columns: string[]) => void
}): JSX.Element {
  const partsOf = (field: string): string[] => look.fields.find((f) => f.name === field)?.parts ?? []
  const excludes = (a: string, b: string): boolean => a === b || partsOf(a).includes(b) || partsOf(b).includes(a)
  const choose = (at: number, field: string): void =>
    change(look.columns.map((c, i) => (i === at ? field : field && c.field && excludes(field, c.field) ? '' : c.field)))
  const left = look.columns.filter((c) => c.field === '').length
  return (
    <section aria-label={t('imports.columns')} class="stack-small">
      <h2>{t('imports.columns')}</h2>
      <p class="help">
        {look.remembered
          ? t('imports.columnsRemembered')
          : left > 0
            ? t('imports.columnsLeft', { n: left })
            : t('imports.columnsHelp')}
      </p>
      <div class="table-frame">
        <div class="table-scroll" tabIndex={0} role="group" aria-label={t('imports.columns')}>
          <table>
            <thead>
              <tr>
                <th>{t('imports.column')}</th>
                <th>{t('imports.samples')}</th>
                <th>{t('imports.fieldOf')}</th>
              </tr>
            </thead>
            <tbody>
              {look.columns.map((c, i) => (
                <ColumnRow key={i} kind={kind} column={c} look={look} choose={(field) => choose(i, field)} />
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </section>
  )
}

function ColumnRow({
  kind,
  column: c,
  look,
  choose,
}: {
  kind: Kind
  column: DataimportPreviewColumn
  look: DataimportPreview
  choose: (field: string) => void
}): JSX.Element {
  return (
    <tr class={c.field ? '' : 'left-out'}>
      <td class="primary-line">{c.name || t('imports.unnamed')}</td>
      <td class="muted">{c.samples.join(' · ')}</td>
      <td>
        <select
          class="input"
          value={c.field}
          aria-label={t('imports.fieldOfColumn', { name: c.name })}
          onChange={(e) => choose(e.currentTarget.value)}
        >
          <option value="">{t('imports.leaveOut')}</option>
          {look.fields.map((f) => (
            <option key={f.name} value={f.name} selected={f.name === c.field}>
              {fieldName(f.name)}
            </option>
          ))}
        </select>
        {guarded.includes(c.field) && kind.newcomers && c.field.startsWith('agreement') && (
          <span class="help">{t('imports.consentHelp')}</span>
        )}
      </td>
    </tr>
  )
}

// Existing asks what happens to customers who exist already.
function Existing({
  layout,
  look,
  change,
}: {
  layout: Layout
  look?: DataimportPreview
  change: (layout: Layout) => void
}): JSX.Element {
  const mapped = guarded.filter((field) => look?.columns.some((c) => c.field === field))
  const update = layout.existing === 'update'
  return (
    <fieldset class="field">
      <legend class="label">{t('imports.existing')}</legend>
      <div class="choices">
        {(['refuse', 'update'] as const).map((value) => (
          <label key={value} class="choice">
            <input
              type="radio"
              name="existing"
              value={value}
              checked={layout.existing === value}
              onChange={() => change({ ...layout, existing: value })}
            />
            <span>
              <span>{t(`imports.existing.${value}`)}</span>
              <small>{t(`imports.existingHelp.${value}`)}</small>
            </span>
          </label>
        ))}
      </div>
      {update && (
        <div class="stack existing">
          <Field label={t('imports.key')}>
            {(control) => (
              <select
                {...control}
                class="input"
                value={layout.key}
                onChange={(e) => change({ ...layout, key: e.currentTarget.value as Layout['key'] })}
              >
                {(['email', 'phone', 'loyaltyCardNumber'] as const).map((key) => (
                  <option key={key} value={key}>
                    {fieldName(key)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {mapped.length > 0 && (
            <fieldset class="field">
              <legend class="label">{t('imports.replace')}</legend>
              {mapped.map((field) => (
                <label key={field} class="check">
                  <input
                    type="checkbox"
                    checked={layout.replace.includes(field)}
                    onChange={(e) =>
                      change({
                        ...layout,
                        replace: e.currentTarget.checked
                          ? [...layout.replace, field]
                          : layout.replace.filter((f) => f !== field),
                      })
                    }
                  />
                  <span class="label">{fieldName(field)}</span>
                </label>
              ))}
              <div class="help">{t('imports.replaceHelp')}</div>
            </fieldset>
          )}
        </div>
      )}
    </fieldset>
  )
}

// Records shows the first records as they would be stored.
function Records({ look }: { look: DataimportPreview }): JSX.Element | null {
  const fields = look.fields.filter((f) => look.records.some((r) => r.fields[f.name]))
  if (look.records.length === 0) return <Notice>{t('imports.noRecords')}</Notice>
  return (
    <section aria-label={t('imports.first')} class="stack-small">
      <h2>{t('imports.first')}</h2>
      <div class="table-frame">
        <div class="table-scroll" tabIndex={0} role="group" aria-label={t('imports.first')}>
          <table class="first-records">
            <thead>
              <tr>
                <th class="number">{t('imports.line')}</th>
                <th>{t('imports.outcome')}</th>
                {fields.map((f) => (
                  <th key={f.name}>{fieldName(f.name)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {look.records.map((r) => (
                <tr key={r.line}>
                  <td class="number">{number(r.line)}</td>
                  <td>
                    <Outcome record={r} />
                  </td>
                  {fields.map((f) => (
                    <td key={f.name}>{shownText(f, r.fields[f.name] ?? '')}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </section>
  )
}

// shownText returns a number as the language of the page writes it, so that 1,500 and 1.5 cannot be mistaken for each
// other.
function shownText(field: DataimportPreviewField, text: string): string {
  return field.type === 'number' && text !== '' && !isNaN(Number(text))
    ? number(Number(text), { maximumFractionDigits: 20 })
    : text
}

function Outcome({ record: r }: { record: DataimportPreviewRecord }): JSX.Element {
  if (r.errors.length === 0) return <Badge tone="success">{t(r.changes ? 'imports.changes' : 'imports.isNew')}</Badge>
  return (
    <>
      <Badge tone="danger">{t('imports.refused')}</Badge>
      {r.errors.map((e) => (
        <small key={e.pointer + e.code} class="second-line">
          {fieldName(pathOf(e.pointer))}: {fieldText(e)}
        </small>
      ))}
    </>
  )
}

function pathOf(pointer: string): string {
  return pointer.replace(/^#\/?/, '').replaceAll('/', '.')
}
