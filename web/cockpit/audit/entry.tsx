import type { JSX } from 'preact'
import type { AuditEntryView } from '../../api/types'
import { store } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Copy, Facts, Notice } from '../../ui/basics'
import { Dialog } from '../../ui/dialog'
import { Link } from '../../ui/router'
import { differences, entityText, eventText, nameOf, screenOf, userText, valueText, type Data } from './words'

// Entry shows one entry: who, when, from where, and what changed.
export function Entry({
  entry: e,
  time,
  onClose,
}: {
  entry: AuditEntryView
  time: string
  onClose: () => void
}): JSX.Element {
  const data = e.data as Data
  const screen = screenOf(e, store.value)
  const object = nameOf(e) || entityText(e.entityType)
  return (
    <Dialog title={eventText(e.eventType)} onClose={onClose} side>
      <div class="stack">
        <Facts
          items={[
            [t('audit.when'), time],
            [t('audit.who'), [userText(e), e.userType && entityText(e.userType)].filter(Boolean).join(' · ')],
            ...(e.ip ? [[t('audit.from'), <Copy text={e.ip} />] as [string, JSX.Element]] : []),
            [t('audit.object'), screen ? <Link to={screen}>{object}</Link> : object],
            ...(e.entityId ? [[t('audit.objectId'), <Copy text={e.entityId} short />] as [string, JSX.Element]] : []),
            ...(e.storeCode ? [[t('audit.store'), e.storeCode] as [string, string]] : []),
          ]}
        />
        {data.erased && <Notice tone="neutral">{t('audit.erased')}</Notice>}
        <Changes data={data} />
        <p class="muted">
          <small>
            <code>{e.eventType}</code> · <Copy text={e.auditLogId.auditLogId} short />
          </small>
        </p>
      </div>
    </Dialog>
  )
}

// Changes shows the values before and after, or what was sent.
function Changes({ data }: { data: Data }): JSX.Element | null {
  const changed = data.before !== undefined
  const rows = differences(data.before, data.after ?? data.sent)
  if (rows.length === 0) return null
  return (
    <div class="table-scroll" tabIndex={0} role="group" aria-label={t('audit.changes')}>
      <table class="audit-changes">
        <thead>
          <tr>
            <th scope="col">{t('audit.field')}</th>
            {changed && <th scope="col">{t('audit.before')}</th>}
            <th scope="col">{t(data.after ? 'audit.after' : 'audit.sent')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.path}>
              <td>{row.path}</td>
              {changed && <td class="was">{valueText(row.before)}</td>}
              <td class="is">{valueText(row.after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
