import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AnyParams, Optional, Params, Path } from '../api/calls'
import { download } from '../api/client'
import { t } from '../i18n/i18n'
import { Button } from '../ui/basics'
import { toastFailure } from '../ui/dialog'
import { place } from '../ui/router'
import type { ParamName } from '../ui/table'

// DownloadButton saves all rows of a list as CSV, with the filters that are in the address bar.
export function DownloadButton<P extends Path>({ path, params: fixed, filters, search, file }: {
  path: P; filters: readonly ParamName<P>[]; search?: ParamName<P>; file: string
} & Optional<'params', Params<P>>): JSX.Element {
  const [busy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    const query = place.value.query
    const params: AnyParams = { ...fixed, ...Object.fromEntries(filters.map((name) => [name, query.get(name)])) }
    if (search) params[search] = query.get('q')
    setBusy(true)
    try {
      await download(path, params as Params<P>, `${file}.csv`)
    } catch (error) {
      toastFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return <Button icon="download" busy={busy} onClick={busy ? undefined : save}>{t('customers.csv')}</Button>
}
