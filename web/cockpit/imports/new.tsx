import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import type { DataimportIdentity } from '../../api/types'
import { call, download, Failure, stale, url } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Button, Card, Empty, Page } from '../../ui/basics'
import { toastFailure } from '../../ui/dialog'
import { Field, Form, SelectField, useForm } from '../../ui/form'
import { navigate, place } from '../../ui/router'
import { kindOf, kindsFor, type Kind } from './kinds'

// checked is the file that was checked last, so that it can be imported without choosing it again.
let checked: { importId: string; kind: Kind; file: File } | null = null

// checkedFile returns the file of a dry run, if it is still there.
export function checkedFile(importId: string): { kind: Kind; file: File } | null {
  return checked?.importId === importId ? checked : null
}

// send uploads a file and shows the progress. The server carries it out in the background.
export async function send(kind: Kind, file: File, dryRun: boolean, key: string): Promise<void> {
  const body = new FormData()
  body.set('file[file]', file)
  const response = await call(url(kind.path, { dryRun: dryRun ? 1 : '' }), {
    method: 'POST', body, key: dryRun ? `${key}-check` : key, prefer: 'respond-async',
  })
  const { importId } = (await response.json()) as DataimportIdentity
  checked = dryRun ? { importId, kind, file } : null
  stale()
  navigate(`/imports/${importId}`)
}

// NewImport sends a file: first to be checked, then for good.
export default function NewImport(): JSX.Element {
  const kinds = kindsFor('MODIFY')
  const wanted = place.value.query.get('kind') ?? ''
  const check = useRef(true) // whether the button that was pressed only checks the file
  const form = useForm<{ kind: string; file: File | null }>(
    { kind: kinds.some((k) => k.name === wanted) ? wanted : (kinds[0]?.name ?? ''), file: null },
    async ({ kind, file }, key) => {
      const dryRun = check.current
      check.current = true
      if (!file) throw new Failure('invalid', 400, '', { file: [{ code: 'blank', detail: '' }] }, '', 'invalid_fields')
      await send(kindOf(kind)!, file, dryRun, key)
    },
  )
  const importNow = (): void => {
    check.current = false
    void form.submit()
  }
  const back = { to: '/imports', text: t('nav.imports') }
  const kind = kindOf(form.values.kind)
  if (!kind) return <Page title={t('imports.new')} back={back}><Empty icon="lock" title={t('error.forbidden')} /></Page>
  return (
    <Page title={t('imports.new')} back={back} lead={t('imports.newLead')}>
      <Card>
        <Form form={form} save={t('imports.check')} extra={(
          <Button onClick={importNow}>{t('imports.importNow')}</Button>
        )}>
          <SelectField form={form} path="kind" label={t('imports.what')} options={kinds.map((k) => ({ value: k.name, text: t(k.title) }))} />
          <Looks kind={kind} />
          <Field form={form} path="file" label={t('imports.file')} help={t('imports.fileHelp')}>
            {(control) => (
              <input {...control} class="input" type="file" accept=".csv,.txt,.xml,text/csv,text/plain,text/xml,application/xml"
                onChange={(event) => form.set('file', event.currentTarget.files?.[0] ?? null)} />
            )}
          </Field>
        </Form>
      </Card>
    </Page>
  )
}

// Looks says what a file of the kind looks like.
function Looks({ kind }: { kind: Kind }): JSX.Element {
  const save = (): void => {
    void download(`/api/{store}/admin/import/template/${kind.name}.csv`, {}, `${kind.name}.csv`).catch(toastFailure)
  }
  return (
    <div class="import-looks">
      <p>{t(kind.help)}</p>
      <p class="help">{t('imports.format')}</p>
      <Button small icon="download" onClick={save}>{t('imports.template')}</Button>
    </div>
  )
}
