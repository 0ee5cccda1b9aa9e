import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AnyParams, Optional, Params, Path } from '../api/calls'
import { download } from '../api/client'
import { may } from '../api/session'
import { t, type Key } from '../i18n/i18n'
import { Button } from '../ui/basics'
import { Confirm } from '../ui/dialog'
import { place } from '../ui/router'
import type { ParamName } from '../ui/table'

// ExportColumn is a column that an export can have.
export interface ExportColumn {
  name: string
  title: Key
  usual: boolean // in the export unless others are chosen
}

interface Props<P extends Path> {
  path: P
  filters: readonly ParamName<P>[]
  search?: ParamName<P>
  file: string
  columns?: readonly ExportColumn[] // that can be chosen
  asked?: () => AnyParams // further parameters, when the file is saved
}

// DownloadButton saves all rows of a list as a file, with the filters that are in the address bar.
export function DownloadButton<P extends Path>({
  path,
  params: fixed,
  filters,
  search,
  file,
  columns,
  asked,
}: Props<P> & Optional<'params', Params<P>>): JSX.Element {
  const [asking, setAsking] = useState(false)
  const save = async (format: Format, chosen: string[]): Promise<void> => {
    const query = place.value.query
    const params: AnyParams = {
      ...fixed,
      ...Object.fromEntries(filters.map((name) => [name, query.get(name)])),
      ...asked?.(),
      ...formatOf[format],
      ...(columns ? { columns: chosen } : {}),
    }
    if (search) params[search] = query.get('q')
    await download(path, params as Params<P>, `${file}.${format === 'xlsx' ? 'xlsx' : 'csv'}`)
  }
  return (
    <>
      <Button icon="download" onClick={() => setAsking(true)}>
        <span class="tight">{t('download.open')}</span>
      </Button>
      {asking && <Download columns={columns} save={save} close={() => setAsking(false)} />}
    </>
  )
}

const formats = ['xlsx', 'excel', 'csv'] as const

type Format = (typeof formats)[number]

const formatOf: Record<Format, AnyParams> = {
  xlsx: { format: 'xlsx' },
  excel: { separator: 'semicolon', bom: 1 },
  csv: {},
}

function Download({
  columns,
  save,
  close,
}: {
  columns: readonly ExportColumn[] | undefined
  save: (format: Format, columns: string[]) => Promise<void>
  close: () => void
}): JSX.Element {
  const [format, setFormat] = useState<Format>('xlsx')
  const [chosen, setChosen] = useState<string[]>(() => columns?.filter((c) => c.usual).map((c) => c.name) ?? [])
  const run = (): Promise<void> =>
    save(
      format,
      (columns ?? []).map((c) => c.name).filter((name) => chosen.includes(name)),
    )
  return (
    <Confirm title={t('download.title')} action={t('download.save')} danger={false} onClose={close} onConfirm={run}>
      <fieldset class="field">
        <legend class="label">{t('download.format')}</legend>
        <div class="stack-small">
          {formats.map((f) => (
            <label key={f} class="check">
              <input type="radio" name="format" value={f} checked={format === f} onChange={() => setFormat(f)} />
              <span class="label">{t(`download.format.${f}`)}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {columns && (
        <fieldset class="field">
          <legend class="label">{t('download.columns')}</legend>
          <div class="export-columns">
            {columns.map((c) => (
              <label key={c.name} class="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(c.name)}
                  onChange={(e) =>
                    setChosen(e.currentTarget.checked ? [...chosen, c.name] : chosen.filter((name) => name !== c.name))
                  }
                />
                <span class="label">{t(c.title)}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </Confirm>
  )
}

const usual = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'loyaltyCardNumber',
  'gender',
  'birthDate',
  'createdAt',
  'agreement1',
  'agreement2',
  'agreement3',
] as const
const further = [
  'level',
  'status',
  'points',
  'spent',
  'purchases',
  'lastPurchaseAt',
  'locale',
  'street',
  'houseNumber',
  'postal',
  'city',
  'country',
  'company',
  'labels',
  'customerId',
] as const

// customerColumns are those of exports of customers. Only who may see customers can choose all of them.
export function customerColumns(): ExportColumn[] {
  return [
    ...usual.map((name) => ({ name, title: `imports.field.${name}` as const, usual: true })),
    ...(may('CUSTOMER')
      ? further.map((name) => ({ name, title: `download.column.${name}` as const, usual: false }))
      : []),
  ]
}
