// Forms: values, errors at the fields they are about, one Idempotency-Key for each intent, and a warning before unsaved
// changes are lost.
import type { ComponentChildren, JSX } from 'preact'
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Failure, newKey, type FieldError, type Stored } from '../api/client'
import { t } from '../i18n/i18n'
import { fractionDigits, typedNumber } from '../i18n/number'
import { Button, failureText, fieldText, Notice } from './basics'
import { Icon } from './icons'
import { merge, type Merged } from './merge'
import { useGuard } from './router'

type Tree = Record<string, unknown>

// valueAt returns the value at a path of names and indexes, such as location.street.
export function valueAt(tree: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (at as Tree | undefined)?.[name], tree)
}

function withValue(tree: unknown, path: string, value: unknown): unknown {
  const [name = '', ...rest] = path.split('.')
  const copy = (Array.isArray(tree) ? [...(tree as unknown[])] : { ...(tree as Tree) }) as Tree
  copy[name] = rest.length ? withValue(copy[name] ?? {}, rest.join('.'), value) : value
  return copy
}

export interface FormState<T> {
  values: T
  set: (path: string, value: unknown) => void
  replace: (values: T) => void // for values that were loaded or saved: the form is not dirty afterwards
  errors: Record<string, FieldError[]>
  setErrors: (errors: Record<string, FieldError[]>) => void
  failure: Failure | null
  busy: boolean
  dirty: boolean
  submit: () => Promise<void>
  digits: Record<string, number> // most digits after the point, by the paths of numbers
  clash: Clash | null
  id: string
}

// Clash is that somebody else has changed the same fields since the form was opened.
interface Clash {
  theirs: Record<string, string> // what they changed fields to, by path; empty for what is more than a text
  keepMine: () => void // saves
  takeTheirs: () => void // shows their values in these fields
}

const maxAttempts = 3

// useForm keeps the values of a form. submit gets the key of the intent: as long as the values stay the same, trying
// again repeats the same request, so that nothing happens twice. A form that is not guarded may be left without a
// warning.
//
// A form that edits what is stored says how its values are read now. What somebody else has changed since the form was
// opened is kept; if both changed the same field, the user chooses. submit then gets the tag of what it replaces.
export function useForm<T extends object>(
  initial: T,
  submit: (values: T, key: string, tag?: string) => Promise<unknown>,
  guarded = true,
  stored?: () => Promise<Stored<T>>,
): FormState<T> {
  const id = useId()
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Record<string, FieldError[]>>({})
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)
  const [dirty, setDirty] = useState(false)
  const [clash, setClash] = useState<Clash | null>(null)
  const base = useRef(initial)
  const key = useRef(newKey())
  const latest = useRef(values)
  const digits = useRef<Record<string, number>>({})
  latest.current = values
  useGuard(guarded && dirty)
  // meet shows what both have changed, and what can be done about it.
  const meet = (met: Merged<T>, now: T): void => {
    const choose = (chosen: T): void => {
      base.current = now
      latest.current = chosen
      key.current = newKey()
      setValues(chosen)
      setClash(null)
    }
    setClash({
      theirs: Object.fromEntries(
        met.clashes.map((path) => {
          const value = valueAt(now, path)
          return [path, typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 100) : '']
        }),
      ),
      keepMine: () => {
        choose(met.mine)
        void run()
      },
      takeTheirs: () => choose(met.theirs),
    })
  }
  // save submits the values, joined with what others have changed. It returns false if the user has to choose.
  const save = async (): Promise<boolean> => {
    if (!stored) {
      await submit(latest.current, key.current)
      return true
    }
    for (let attempt = 1; ; attempt++) {
      const now = await stored()
      const met = merge(base.current, latest.current, now.values)
      if (met.clashes.length > 0) {
        meet(met, now.values)
        return false
      }
      if (JSON.stringify(met.mine) !== JSON.stringify(latest.current)) {
        key.current = newKey()
        setValues((latest.current = met.mine))
      }
      base.current = now.values
      const sent = latest.current
      try {
        await submit(sent, key.current, now.tag)
        if (base.current === now.values) base.current = sent
        return true
      } catch (e) {
        if (!(e instanceof Failure && e.kind === 'changed' && attempt < maxAttempts)) throw e
      }
    }
  }
  const run = async (): Promise<void> => {
    setBusy(true)
    setFailure(null)
    setErrors({})
    setClash(null)
    try {
      checkDigits(latest.current, digits.current)
      setDirty(false)
      if (await save()) key.current = newKey()
      else setDirty(true)
    } catch (e) {
      const known = e instanceof Failure ? e : new Failure('failed', 0, String(e))
      setDirty(true)
      setErrors(known.fields)
      setFailure(known)
      if (known.kind === 'invalid') key.current = newKey() // the refusal is stored under the key
    } finally {
      setBusy(false)
    }
  }
  return {
    values,
    errors,
    setErrors,
    failure,
    busy,
    dirty,
    clash,
    id,
    digits: digits.current,
    set: (path, value) => {
      key.current = newKey()
      latest.current = withValue(latest.current, path, value) as T
      setValues(latest.current)
      setDirty(true)
      if (errors[path]) setErrors(Object.fromEntries(Object.entries(errors).filter(([name]) => name !== path)))
    },
    replace: (next) => {
      latest.current = base.current = next
      setValues(next)
      setDirty(false)
      setClash(null)
      setErrors({})
      setFailure(null)
      key.current = newKey()
    },
    submit: async () => {
      if (!busy) await run()
    },
  }
}

// checkDigits refuses numbers that would be rounded.
function checkDigits(values: unknown, most: Record<string, number>): void {
  const wrong = Object.entries(most).filter(([path, n]) => fractionDigits(String(valueAt(values, path) ?? '')) > n)
  if (wrong.length === 0) return
  const fields = Object.fromEntries(wrong.map(([path, n]) => [path, [{ code: 'too_precise', detail: String(n) }]]))
  throw new Failure('invalid', 400, '', fields, '', 'invalid_fields')
}

// Form shows a summary of errors that links to the fields, the fields, and a bar with the actions.
export function Form<T extends object>({
  form,
  children,
  save,
  cancel,
  extra,
  sticky,
  danger,
}: {
  form: FormState<T>
  children: ComponentChildren
  save?: string
  cancel?: () => void
  extra?: ComponentChildren
  sticky?: boolean
  danger?: boolean
}): JSX.Element {
  const ref = useRef<HTMLFormElement>(null)
  const summary = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!form.failure && !form.clash) return
    for (const path of Object.keys(form.errors))
      fieldAt(ref.current, path)?.closest('details')?.setAttribute('open', '')
    summary.current?.focus()
  }, [form.failure, form.clash])
  const lost = form.failure && !['invalid', 'missing'].includes(form.failure.kind)
  return (
    <form
      ref={ref}
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
    >
      {form.failure && (
        <div ref={summary} tabIndex={-1} class="summary">
          <Notice tone="danger" title={failureText(form.failure)}>
            <PathList
              paths={Object.keys(form.errors)}
              within={ref}
              text={(path) => (form.errors[path] ?? []).map(fieldText).join(' ')}
            />
            {lost && form.failure.request && (
              <small>
                {t('error.request')} <code>{form.failure.request}</code>
              </small>
            )}
          </Notice>
        </div>
      )}
      {form.clash && (
        <div ref={summary} tabIndex={-1} class="summary">
          <Notice tone="warning" title={t('form.clash')}>
            <p>{t('form.clashHelp')}</p>
            <PathList paths={Object.keys(form.clash.theirs)} within={ref} text={(path) => form.clash!.theirs[path]!} />
            <div class="row">
              <Button onClick={form.clash.keepMine} busy={form.busy}>
                {t('form.keepMine')}
              </Button>
              <Button onClick={form.clash.takeTheirs}>{t('form.takeTheirs')}</Button>
            </div>
          </Notice>
        </div>
      )}
      {children}
      <footer class={sticky && form.dirty ? 'form-bar sticky' : sticky ? 'form-bar at-end' : 'form-bar'}>
        {extra}
        {cancel && <Button onClick={cancel}>{t('action.cancel')}</Button>}
        <Button kind={danger ? 'danger' : 'primary'} type="submit" busy={form.busy}>
          {lost ? t('action.retry') : (save ?? t('action.save'))}
        </Button>
      </footer>
    </form>
  )
}

function fieldAt(form: HTMLFormElement | null, path: string): HTMLElement | null {
  return form?.querySelector(`[data-path="${CSS.escape(path)}"]`) ?? null
}

// PathList names fields with a text about each, and leads to them.
function PathList({
  paths,
  within,
  text,
}: {
  paths: string[]
  within: { current: HTMLFormElement | null }
  text: (path: string) => string
}): JSX.Element | null {
  if (paths.length === 0) return null
  const focus = (path: string): void => {
    const found = fieldAt(within.current, path)
    ;(found?.querySelector<HTMLElement>('input,select,textarea,button') ?? found)?.focus()
  }
  const labelOf = (path: string): string =>
    [fieldAt(within.current, path)?.querySelector('.label')?.textContent ?? path, text(path)].filter(Boolean).join(': ')
  return (
    <ul>
      {paths.map((path) => (
        <li key={path}>
          {path ? (
            <button type="button" class="text-button" onClick={() => focus(path)}>
              {labelOf(path)}
            </button>
          ) : (
            text(path)
          )}
        </li>
      ))}
    </ul>
  )
}

interface FieldProps {
  label: string
  help?: ComponentChildren
  path?: string // of the value and its errors
  optional?: boolean // says that it may be left empty
}

interface Control {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': 'true' | undefined
}

// Field puts a label above a control, help below it, and the errors of its path. Errors of deeper paths that no other
// field shows appear here, too, if deep is set.
export function Field({
  form,
  label,
  help,
  path = '',
  optional,
  deep,
  children,
}: FieldProps & {
  form?: WithErrors
  deep?: boolean
  children: (control: Control) => ComponentChildren
}): JSX.Element {
  const id = useId()
  const list = Object.entries(form?.errors ?? {})
    .filter(([name]) => path && (name === path || (deep && name.startsWith(path + '.'))))
    .flatMap(([, errors]) => errors)
  const described = [list.length > 0 && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div class="field" data-path={path}>
      <label class="label" for={id}>
        {label}
        {optional && <span class="optional"> {t('form.optional')}</span>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': list.length ? 'true' : undefined })}
      {list.length > 0 && (
        <div class="error" id={`${id}-error`}>
          <Icon name="warning" size={16} />
          {list.map(fieldText).join(' ')}
        </div>
      )}
      {help && (
        <div class="help" id={`${id}-help`}>
          {help}
        </div>
      )}
    </div>
  )
}

// WithErrors is a form as far as fields show its errors alone.
export type WithErrors = Pick<FormState<never>, 'errors'>

// RunTimeForm is a form with fields that are known at run time only, such as those that the API describes.
export type RunTimeForm = FormState<any>

// PathOf is a path to a value of a form, such as location.street or items.0.name.
export type PathOf<T> = T extends readonly (infer E)[]
  ? `${number}` | `${number}.${PathOf<E>}`
  : T extends Blob | null | undefined
    ? never
    : T extends object
      ? { [K in keyof T & string]: K | `${K}.${PathOf<T[K]>}` }[keyof T & string]
      : never

type Bound<T> = FieldProps & { form: FormState<T>; path: NoInfer<PathOf<T>>; disabled?: boolean }

export function TextField<T extends object>({
  type = 'text',
  placeholder,
  autoFocus,
  autoComplete,
  inputMode,
  maxLength,
  suffix,
  ...props
}: Bound<T> & {
  type?: 'text' | 'email' | 'tel' | 'password' | 'url' | 'search'
  placeholder?: string
  autoFocus?: boolean
  autoComplete?: string
  inputMode?: 'text' | 'decimal' | 'numeric' | 'email' | 'tel'
  maxLength?: number
  suffix?: string
}): JSX.Element {
  const { form, path } = props
  return (
    <Field {...props}>
      {(control) => (
        <span class={suffix ? 'with-suffix' : 'control'}>
          <input
            {...control}
            class="input"
            type={type}
            dir={type === 'text' || type === 'search' ? 'auto' : undefined}
            value={String(valueAt(form.values, path) ?? '')}
            placeholder={placeholder}
            autofocus={autoFocus}
            autoComplete={autoComplete ?? 'off'}
            inputMode={inputMode}
            maxLength={maxLength}
            disabled={props.disabled}
            onInput={(event) => form.set(path, event.currentTarget.value)}
          />
          {suffix && <span class="suffix">{suffix}</span>}
        </span>
      )}
    </Field>
  )
}

// NumberField shows what was typed, so that "1," on the way to "1,5" is not lost, and keeps the number as the API takes
// it. digits are the most digits after the point; without them further ones are rounded.
export function NumberField<T extends object>({
  suffix,
  whole,
  digits,
  autoFocus,
  placeholder,
  ...props
}: Bound<T> & {
  suffix?: string
  whole?: boolean
  digits?: number
  autoFocus?: boolean
  placeholder?: string
}): JSX.Element {
  const { form, path } = props
  const [typed, setTyped] = useState('')
  const kept = String(valueAt(form.values, path) ?? '')
  if (digits === undefined) delete form.digits[path]
  else form.digits[path] = digits
  return (
    <Field {...props}>
      {(control) => (
        <span class={suffix ? 'with-suffix' : 'control'}>
          <input
            {...control}
            class="input number"
            type="text"
            inputMode={whole ? 'numeric' : 'decimal'}
            value={typedNumber(typed) === kept ? typed : kept}
            disabled={props.disabled}
            autoComplete="off"
            autofocus={autoFocus}
            placeholder={placeholder}
            onInput={(event) => {
              setTyped(event.currentTarget.value)
              form.set(path, typedNumber(event.currentTarget.value))
            }}
          />
          {suffix && <span class="suffix">{suffix}</span>}
        </span>
      )}
    </Field>
  )
}

export function TextArea<T extends object>({
  rows = 4,
  maxLength,
  placeholder,
  ...props
}: Bound<T> & {
  rows?: number
  maxLength?: number
  placeholder?: string
}): JSX.Element {
  const { form, path } = props
  return (
    <Field {...props}>
      {(control) => (
        <textarea
          {...control}
          class="input"
          dir="auto"
          rows={rows}
          maxLength={maxLength}
          disabled={props.disabled}
          placeholder={placeholder}
          value={String(valueAt(form.values, path) ?? '')}
          onInput={(event) => form.set(path, event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

export interface Option {
  value: string
  text: string
}

export function SelectField<T extends object>({
  options,
  empty,
  ...props
}: Bound<T> & { options: Option[]; empty?: string }): JSX.Element {
  const { form, path } = props
  const value = String(valueAt(form.values, path) ?? '')
  return (
    <Field {...props}>
      {(control) => (
        <select
          {...control}
          class="input"
          value={value}
          disabled={props.disabled}
          onChange={(event) => form.set(path, event.currentTarget.value)}
        >
          {empty !== undefined && <option value="">{empty}</option>}
          {options.map((o) => (
            <option key={o.value} value={o.value} selected={o.value === value}>
              {o.text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function Checkbox<T extends object>({ form, path, label, help, disabled }: Bound<T>): JSX.Element {
  const id = useId()
  const list = form.errors[path] ?? []
  return (
    <div class="field check" data-path={path}>
      <label class="check">
        <input
          type="checkbox"
          checked={valueAt(form.values, path) === true}
          disabled={disabled}
          aria-describedby={help ? id : undefined}
          onChange={(event) => form.set(path, event.currentTarget.checked)}
        />
        <span class="label">{label}</span>
      </label>
      {list.length > 0 && (
        <div class="error">
          <Icon name="warning" size={16} />
          {list.map(fieldText).join(' ')}
        </div>
      )}
      {help && (
        <div class="help" id={id}>
          {help}
        </div>
      )}
    </div>
  )
}

// Choice offers a few options side by side, all visible.
export function Choice<T extends object>({
  options,
  ...props
}: Bound<T> & { options: (Option & { help?: string })[] }): JSX.Element {
  const { form, path, label, help } = props
  const name = useId()
  const value = String(valueAt(form.values, path) ?? '')
  return (
    <fieldset class="field choice" data-path={path} disabled={props.disabled}>
      <legend class="label">{label}</legend>
      <div class="choices">
        {options.map((o) => (
          <label key={o.value} class="choice">
            <input
              type="radio"
              name={name}
              value={o.value}
              checked={o.value === value}
              onChange={() => form.set(path, o.value)}
            />
            <span>
              <span>{o.text}</span>
              {o.help && <small>{o.help}</small>}
            </span>
          </label>
        ))}
      </div>
      {(form.errors[path] ?? []).map((e) => (
        <div class="error" key={e.code}>
          <Icon name="warning" size={16} />
          {fieldText(e)}
        </div>
      ))}
      {help && <div class="help">{help}</div>}
    </fieldset>
  )
}

// DateTimeField edits a time as the API takes it, YYYY-MM-DD HH:mm in the store's zone, or a date alone.
export function DateTimeField<T extends object>({
  dateOnly,
  ...props
}: Bound<T> & { dateOnly?: boolean }): JSX.Element {
  const { form, path } = props
  const value = String(valueAt(form.values, path) ?? '')
  const shown = dateOnly ? value.slice(0, 10) : value.slice(0, 16).replace(' ', 'T')
  return (
    <Field {...props}>
      {(control) => (
        <input
          {...control}
          class="input"
          type={dateOnly ? 'date' : 'datetime-local'}
          value={shown}
          disabled={props.disabled}
          onInput={(event) => form.set(path, event.currentTarget.value.replace('T', ' '))}
        />
      )}
    </Field>
  )
}

// Switch turns something on or off at once, and back with a message if the server refuses.
export function Switch({
  checked,
  label,
  onChange,
  disabled,
  hideLabel,
}: {
  checked: boolean
  label: string
  onChange: (on: boolean) => Promise<unknown>
  disabled?: boolean
  hideLabel?: boolean
}): JSX.Element {
  const [shown, setShown] = useState<boolean | null>(null)
  useMemo(() => setShown(null), [checked])
  const change = async (event: Event): Promise<void> => {
    const on = (event.currentTarget as HTMLInputElement).checked
    setShown(on)
    try {
      await onChange(on)
    } catch {
      setShown(!on)
    }
  }
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={shown ?? checked}
        disabled={disabled}
        onChange={change}
        aria-label={hideLabel ? label : undefined}
      />
      <span class="track" aria-hidden="true" />
      {!hideLabel && <span>{label}</span>}
    </label>
  )
}
