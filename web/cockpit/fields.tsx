// Fields of a form that the API describes: criteria of segments and types of earning rules.
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { useQuery } from '../api/client'
import type { ApiField as Described } from '../api/types'
import { t, tIf } from '../i18n/i18n'
import { Button } from '../ui/basics'
import {
  Checkbox,
  DateTimeField,
  Field,
  NumberField,
  SelectField,
  TextField,
  valueAt,
  type RunTimeForm,
} from '../ui/form'
import { Picker } from '../ui/tabs'
import { useMoneyDigits } from './currency'
import { useLevels, usePointsOfSale } from './lookups'

type Tree = Record<string, unknown>

// ApiField is a field as the API describes it.
export interface ApiField extends Omit<Described, 'name' | 'fields'> {
  name: string
  fields?: ApiField[] // of a group
}

export interface FieldProps {
  form: RunTimeForm
  field: ApiField
  path: string
}

// amounts are the fields that are money.
const amounts = ['minOrderValue', 'fromAmount', 'toAmount']

// label is the name of a field in the words of a shop; the API's name if there are none yet.
const label = (field: ApiField): string => tIf(`field.${field.name}`, field.name)
const help = (field: ApiField): string | undefined => tIf(`fieldHelp.${field.name}`, '') || undefined

// ApiFieldControl edits one field by its kind.
export function ApiFieldControl({ form, field, path }: FieldProps): JSX.Element | null {
  const digits = useMoneyDigits()
  const common = {
    form,
    path,
    label: label(field),
    help: help(field),
    optional: !field.required && field.type !== 'checkbox',
  }
  switch (field.type) {
    case 'checkbox':
      return <Checkbox {...common} />
    case 'integer':
      return <NumberField {...common} whole suffix={tIf(`fieldUnit.${field.name}`, '') || undefined} />
    case 'decimal':
      return (
        <NumberField
          {...common}
          digits={amounts.includes(field.name) ? digits : undefined}
          suffix={tIf(`fieldUnit.${field.name}`, '') || undefined}
        />
      )
    case 'date':
      return <DateTimeField {...common} dateOnly />
    case 'dateTime':
      return <DateTimeField {...common} />
    case 'choice': {
      const options = (field.choices ?? []).map((value) => ({ value, text: tIf(`choice.${value}`, value) }))
      return <SelectField {...common} options={options} />
    }
    case 'uuid':
      return <IDPicker {...{ form, field, path }} single />
    case 'uuids':
      return <IDPicker {...{ form, field, path }} />
    case 'texts':
      return field.name === 'customers' ? (
        <CustomersField {...{ form, field, path }} />
      ) : (
        <TextsField {...{ form, field, path }} />
      )
    case 'groups':
      return <GroupsField {...{ form, field, path }} />
    default:
      return <TextField {...common} maxLength={field.limits?.['maxLength'] as number | undefined} />
  }
}

// useNames returns what the ids of a field stand for, by the name of the field: levels, campaigns or points of sale.
export function useNames(field: string): { value: string; text: string }[] {
  const levels = useLevels()
  const shops = usePointsOfSale(field.startsWith('pos'))
  const campaigns =
    useQuery(field === 'campaigns' ? '/api/{store}/campaign' : null, { perPage: 1000 }).data?.campaigns ?? []
  if (field === 'levels') return levels.map((l) => ({ value: l.levelId, text: l.name ?? l.levelId }))
  if (field === 'campaigns') return campaigns.map((c) => ({ value: c.campaignId, text: c.name ?? c.campaignId }))
  return shops.map((p) => ({ value: p.posId, text: p.name }))
}

// IDPicker chooses objects by name.
function IDPicker({ form, field, path, single }: FieldProps & { single?: boolean }): JSX.Element {
  const options = useNames(field.name)
  const value = valueAt(form.values, path)
  const chosen = Array.isArray(value) ? (value as string[]) : value ? [value as string] : []
  return (
    <Field form={form} path={path} label={label(field)} help={help(field)} deep>
      {(control) => (
        <Picker
          {...control}
          single={single}
          options={options}
          chosen={chosen}
          onChange={(values) => form.set(path, single ? (values.at(-1) ?? '') : values)}
          placeholder={t('form.choose')}
        />
      )}
    </Field>
  )
}

// TextsField edits a list of texts, one on each line.
function TextsField({ form, field, path }: FieldProps): JSX.Element {
  return (
    <Field form={form} path={path} label={label(field)} help={t('fields.oneOnALine')} deep>
      {(control) => (
        <textarea
          {...control}
          class="input"
          rows={3}
          value={String(valueAt(form.values, path) ?? '')}
          onInput={(event) => form.set(path, event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

const isID = (line: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(line.trim())

// CustomersField takes addresses, phones or cards by pasting or from a file. Customers who are in the list already are
// stored by id: they are counted rather than shown.
function CustomersField({ form, field, path }: FieldProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  const lines = String(valueAt(form.values, path) ?? '').split('\n')
  const stored = lines.filter(isID)
  const typed = lines.filter((line) => !isID(line)).join('\n')
  const set = (text: string): void => form.set(path, [...stored, text].join('\n'))
  const read = async (file: File | undefined): Promise<void> => {
    if (file) set([typed, (await file.text()).replace(/[,;]/g, '\n')].filter((part) => part.trim()).join('\n'))
  }
  return (
    <div class="stack">
      <Field form={form} path={path} label={label(field)} help={t('fields.customersHelp')} deep>
        {(control) => (
          <textarea
            {...control}
            class="input"
            rows={4}
            value={typed}
            onInput={(event) => set(event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="row">
        <Button small icon="upload" onClick={() => input.current?.click()}>
          {t('fields.customersFile')}
        </Button>
        <input
          ref={input}
          class="hidden"
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          tabIndex={-1}
          aria-label={t('fields.customersFile')}
          onChange={(event) => {
            void read(event.currentTarget.files?.[0])
            event.currentTarget.value = ''
          }}
        />
        {stored.length > 0 && (
          <>
            <span class="muted">{t('fields.customersStored', { n: stored.length })}</span>
            <Button small kind="plain" icon="close" onClick={() => form.set(path, typed)}>
              {t('levels.removeSpecial')}
            </Button>
          </>
        )}
      </div>
    </div>
  )
}

// GroupsField edits a list of groups, such as labels with a name and a value.
function GroupsField({ form, field, path }: FieldProps): JSX.Element {
  const rows = (valueAt(form.values, path) as Tree[] | undefined) ?? [{}]
  return (
    <fieldset class="groups" data-path={path}>
      <legend class="label">{label(field)}</legend>
      {rows.map((_, i) => (
        <div class="group-row" key={i}>
          <div class="columns">
            {(field.fields ?? []).map((f) => (
              <ApiFieldControl key={f.name} form={form} field={f} path={`${path}.${i}.${f.name}`} />
            ))}
          </div>
          {rows.length > 1 && (
            <Button
              kind="plain"
              icon="close"
              label={t('fields.removeRow', { n: i + 1 })}
              onClick={() =>
                form.set(
                  path,
                  rows.filter((_row, at) => at !== i),
                )
              }
            />
          )}
        </div>
      ))}
      <Button small icon="plus" onClick={() => form.set(path, [...rows, {}])}>
        {t('fields.addRow')}
      </Button>
    </fieldset>
  )
}

// blankOf returns values of fields that are not filled in yet: the first choice, and one empty group.
export function blankOf(fields: ApiField[]): Tree {
  const values: Tree = {}
  for (const f of fields) {
    values[f.name] =
      f.type === 'choice'
        ? (f.choices?.[0] ?? '')
        : f.type === 'uuids'
          ? []
          : f.type === 'groups'
            ? [{}]
            : f.type === 'checkbox'
              ? false
              : ''
  }
  return values
}

// shownOf returns stored values as the form keeps them: lists of texts as lines.
export function shownOf(fields: ApiField[], stored: Tree): Tree {
  const values = blankOf(fields)
  for (const f of fields) {
    const value = stored[f.name]
    if (value === undefined || value === null) continue
    values[f.name] =
      f.type === 'texts'
        ? (value as string[]).join('\n')
        : f.type === 'date'
          ? String(value).slice(0, 10)
          : f.type === 'dateTime'
            ? String(value).slice(0, 16).replace('T', ' ')
            : f.name === 'percent'
              ? String(Math.round(Number(value) * 10_000) / 100) // a fraction is sent as percent
              : ['integer', 'decimal'].includes(f.type)
                ? String(value)
                : value
  }
  return values
}

// sentOf returns values as the API takes them, without those that are empty.
export function sentOf(fields: ApiField[], values: Tree): Tree {
  const sent: Tree = {}
  for (const f of fields) {
    const value = values[f.name]
    if (f.type === 'texts')
      sent[f.name] = String(value ?? '')
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
    else if (f.type === 'groups')
      sent[f.name] = ((value as Tree[] | undefined) ?? []).map((row) => sentOf(f.fields ?? [], row))
    else if (value !== undefined && value !== '') sent[f.name] = value
  }
  return sent
}
