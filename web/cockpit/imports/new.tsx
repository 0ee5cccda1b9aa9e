import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { DataimportIdentity } from '../../api/types'
import { download, Failure, newKey, write } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Button, Card, Empty, Page } from '../../ui/basics'
import { Confirm, toastFailure } from '../../ui/dialog'
import { Checkbox, Field, Form, useForm } from '../../ui/form'
import { navigate, place } from '../../ui/router'
import { kindOf, kindsFor, type Kind } from './kinds'
import { guessed, layoutParams, Reading, useLook, type Layout } from './layout'

// Chosen is a file with what to do for its customers.
interface Chosen {
  kind: Kind
  file: File
  welcome: boolean // a welcome in their inboxes
  points: boolean // for the new accounts
  tell: boolean // about new levels and rewards
  layout: Layout // with the fields of the columns, if they are known
}

// checked is the file that was checked last, so that it can be imported without choosing it again.
let checked: (Chosen & { importId: string }) | null = null

// checkedFile returns the file of a dry run, if it is still there.
export function checkedFile(importId: string): Chosen | null {
  return checked?.importId === importId ? checked : null
}

// What is done with a file: checked, imported unless it was before, or imported anyway.
export type Mode = 'check' | 'new' | 'again'

// send uploads a file and shows the progress. The server carries it out in the background.
export async function send(chosen: Chosen, mode: Mode, key: string): Promise<void> {
  const { kind, file, welcome, points, tell } = chosen
  const dryRun = mode === 'check'
  const flag = (on: boolean): 1 | '' => (on ? 1 : '')
  const { importId } = (await write('POST', kind.path, {
    params: {
      ...layoutParams(chosen),
      dryRun: flag(dryRun),
      onlyNew: flag(mode === 'new'),
      withoutWelcome: flag(kind.newcomers && !welcome),
      withoutPoints: flag(kind.newcomers && !points),
      withoutMessages: flag(!kind.newcomers && !tell),
    },
    body: { file: { file } },
    key: `${key}-${mode}`,
    prefer: 'respond-async',
  })) as DataimportIdentity
  checked = dryRun ? { ...chosen, importId } : null
  navigate(`/imports/${importId}`)
}

// NewImport sends a file: first to be checked, then for good.
export default function NewImport(): JSX.Element {
  const kinds = kindsFor('MODIFY')
  const wanted = place.value.query.get('kind') ?? ''
  const mode = useRef<Mode>('check') // of the button that was pressed
  const [before, setBefore] = useState<Chosen | null>(null) // a file that was imported before
  const [layout, setLayout] = useState(guessed)
  const shown = useRef<string[] | null>(null) // the fields of the columns that the page shows
  const form = useForm<Omit<Chosen, 'kind' | 'file' | 'layout'> & { kind: string; file: File | null }>(
    {
      kind: kinds.some((k) => k.name === wanted) ? wanted : (kinds[0]?.name ?? ''),
      file: null,
      welcome: false,
      points: false,
      tell: false,
    },
    async ({ kind: name, file, ...choices }, key) => {
      const wants = mode.current
      mode.current = 'check'
      if (!file) throw new Failure('invalid', 400, '', { file: [{ code: 'blank', detail: '' }] }, '', 'invalid_fields')
      const chosen = { kind: kindOf(name)!, file, layout: { ...layout, columns: shown.current }, ...choices }
      await send(chosen, wants, key).catch((failure: unknown) => {
        if (!wasImportedBefore(failure)) throw failure
        setBefore(chosen)
      })
    },
  )
  const importNow = (): void => {
    mode.current = 'new'
    void form.submit()
  }
  const back = { to: '/imports', text: t('nav.imports') }
  const kind = kindOf(form.values.kind)
  const { look, error } = useLook(kind, form.values.file, layout)
  shown.current = look && look.columns.length > 0 ? look.columns.map((c) => c.field) : layout.columns
  const start = (path: 'kind' | 'file', value: string | File | null): void => {
    setLayout(guessed)
    form.set(path, value)
  }
  if (!kind)
    return (
      <Page title={t('imports.new')} back={back}>
        <Empty icon="lock" title={t('error.forbidden')} />
      </Page>
    )
  return (
    <Page title={t('imports.new')} back={back} lead={t('imports.newLead')}>
      <Card>
        <Form
          form={form}
          save={t('imports.check')}
          extra={<Button onClick={importNow}>{t('imports.importNow')}</Button>}
        >
          <Field form={form} path="kind" label={t('imports.what')}>
            {(control) => (
              <select
                {...control}
                class="input"
                value={form.values.kind}
                onChange={(e) => start('kind', e.currentTarget.value)}
              >
                {kinds.map((k) => (
                  <option key={k.name} value={k.name}>
                    {t(k.title)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Looks kind={kind} />
          <Field form={form} path="file" label={t('imports.file')} help={t('imports.fileHelp')}>
            {(control) => (
              <input
                {...control}
                class="input"
                type="file"
                accept=".csv,.txt,.tsv,.xml,.xlsx,.xls,text/csv,text/plain,text/xml,application/xml"
                onChange={(event) => start('file', event.currentTarget.files?.[0] ?? null)}
              />
            )}
          </Field>
          {form.values.file && <Reading kind={kind} layout={layout} look={look} error={error} change={setLayout} />}
          {!kind.newcomers && (
            <Checkbox form={form} path="tell" label={t('imports.tell')} help={t('imports.tellHelp')} />
          )}
          {kind.newcomers && (
            <>
              <Checkbox form={form} path="welcome" label={t('imports.welcome')} help={t('imports.welcomeHelp')} />
              <Checkbox form={form} path="points" label={t('imports.points')} help={t('imports.pointsHelp')} />
            </>
          )}
        </Form>
      </Card>
      {before && (
        <Confirm
          title={t('imports.beforeTitle')}
          action={t('imports.again')}
          onClose={() => setBefore(null)}
          onConfirm={() => send(before, 'again', newKey())}
        >
          {t('imports.beforeHelp')}
        </Confirm>
      )}
    </Page>
  )
}

// wasImportedBefore reports whether the server refused a file because it was imported before.
function wasImportedBefore(failure: unknown): boolean {
  return (
    failure instanceof Failure &&
    Object.values(failure.fields)
      .flat()
      .some((e) => e.code === 'file_imported_before')
  )
}

// Looks says what a file of the kind looks like.
function Looks({ kind }: { kind: Kind }): JSX.Element {
  const save = (): void => {
    void download('/api/{store}/admin/import-template/{file}', { file: `${kind.name}.csv` }, `${kind.name}.csv`).catch(
      toastFailure,
    )
  }
  return (
    <div class="import-looks">
      <p>{t(kind.help)}</p>
      <p class="help">{t('imports.format')}</p>
      <Button small icon="download" onClick={save}>
        {t('imports.template')}
      </Button>
    </div>
  )
}
