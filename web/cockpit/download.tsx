import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { download } from '../api/client'
import { t } from '../i18n/i18n'
import { Button } from '../ui/basics'
import { toastFailure } from '../ui/dialog'
import { place } from '../ui/router'

// DownloadButton saves all rows of a list as CSV, with the filters that are in the address bar.
export function DownloadButton({ path, filters, search, file }: {
  path: string; filters: string[]; search?: string; file: string
}): JSX.Element {
  const [busy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    const query = place.value.query
    const params = Object.fromEntries(filters.map((name) => [name, query.get(name)]))
    if (search) params[search] = query.get('q')
    setBusy(true)
    try {
      await download(path, params, `${file}.csv`)
    } catch (error) {
      toastFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return <Button icon="download" busy={busy} onClick={busy ? undefined : save}>{t('customers.csv')}</Button>
}
