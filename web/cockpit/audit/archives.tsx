import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AuditArchived } from '../../api/types'
import { download, stale, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { number, t, today } from '../../i18n/i18n'
import { Button, ErrorState, Notice, Skeleton } from '../../ui/basics'
import { Dialog, toastFailure } from '../../ui/dialog'
import { DateTimeField, Form, useForm } from '../../ui/form'
import { yearBefore } from '../period'

// Archives takes older entries out of the list, and saves archives as files.
export function Archives({ onClose }: { onClose: () => void }): JSX.Element {
  const { data, error, reload } = useQuery('/api/audit/log/archive')
  const [done, setDone] = useState<AuditArchived | null>(null)
  const form = useForm({ beforeDate: yearBefore(today()) }, async (values, key) => {
    setDone(await write('POST', '/api/audit/log/archive', { body: { archive: values }, key }))
    reload()
    stale()
  })
  const save = (name: string): void =>
    void download('/api/audit/log/archive/{filename}', { filename: name }, name).catch(toastFailure)
  return (
    <Dialog title={t('audit.archives')} onClose={onClose}>
      <div class="stack">
        {done && (
          <Notice tone={done.totalArchived ? 'success' : 'neutral'}>
            {done.totalArchived
              ? t('audit.archived', { n: done.totalArchived, total: number(done.totalArchived) })
              : t(done.filename ? 'audit.archiveExists' : 'audit.nothingToArchive')}
          </Notice>
        )}
        {may('AUDIT', 'MODIFY') && (
          <Form form={form} save={t('audit.archive')}>
            <DateTimeField
              form={form}
              path="beforeDate"
              label={t('audit.beforeDate')}
              help={t('audit.beforeDateHelp')}
              dateOnly
            />
          </Form>
        )}
        {error && <ErrorState error={error} retry={reload} />}
        {!data && !error && <Skeleton />}
        {data?.total === 0 && <p class="muted">{t('audit.noArchives')}</p>}
        {data?.archives.map((name) => (
          <div key={name}>
            <Button icon="download" onClick={() => save(name)}>
              {name}
            </Button>
          </div>
        ))}
      </div>
    </Dialog>
  )
}
