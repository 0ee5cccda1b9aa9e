// Fields of codes, in the editor of a campaign and in the dialogs of its page.
import type { JSX } from 'preact'
import { t } from '../../i18n/i18n'
import { Field, NumberField, TextField, valueAt, type FormState, type PathOf, type RunTimeForm } from '../../ui/form'

export interface Generated {
  count: string
  prefix: string
  length: string
}

export const usualCodes: Generated = { count: '100', prefix: '', length: '8' }

// exampleCode is a code as the server generates them.
export function exampleCode({ prefix, length }: Generated): string {
  return prefix + '7KQM4WXR9HTP3CND'.repeat(2).slice(0, Number(length) || 10)
}

// GenerateFields edit how many codes to generate, and what they look like. at is the path of these values in the form.
export function GenerateFields({
  form,
  at,
  autoFocus,
}: {
  form: RunTimeForm
  at?: string
  autoFocus?: boolean
}): JSX.Element {
  const path = (name: keyof Generated): string => (at ? `${at}.${name}` : name)
  const values = (at ? valueAt(form.values, at) : form.values) as Generated
  return (
    <>
      <div class="columns">
        <NumberField
          form={form}
          path={path('count')}
          label={t('editor.codeCount')}
          help={t('editor.codeCountHelp')}
          whole
          autoFocus={autoFocus}
        />
        <TextField form={form} path={path('prefix')} label={t('editor.codePrefix')} optional maxLength={32} />
        <NumberField form={form} path={path('length')} label={t('editor.codeLength')} whole />
      </div>
      <p class="help">{t('editor.codeExample', { code: exampleCode(values) })}</p>
    </>
  )
}

// CodesFile chooses a CSV file, which is a value of the form.
export function CodesFile<T extends object>({
  form,
  path,
  optional,
}: {
  form: FormState<T>
  path: PathOf<T>
  optional?: boolean
}): JSX.Element {
  return (
    <Field form={form} path={path} label={t('editor.csv')} help={t('editor.csvHelp')} optional={optional}>
      {(control) => (
        <input
          {...control}
          class="input"
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          onChange={(event) => form.set(path, event.currentTarget.files?.[0] ?? null)}
        />
      )}
    </Field>
  )
}
