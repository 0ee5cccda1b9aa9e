import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AuditEntryView } from '../../api/types'
import type { Params } from '../../api/calls'
import { exactTime, t } from '../../i18n/i18n'
import { Empty } from '../../ui/basics'
import { List, type Filter, type ParamName } from '../../ui/table'
import { Entry } from './entry'
import { entityText, eventText, nameOf, userText } from './words'

// Entries lists entries of the audit log, and opens one.
export function Entries({
  params,
  filters,
  search,
  actions,
}: {
  params?: Params<'/api/audit/log'>
  filters?: Filter<ParamName<'/api/audit/log'>>[]
  search?: ParamName<'/api/audit/log'>
  actions?: ComponentChildren
}): JSX.Element {
  const [shown, setShown] = useState<AuditEntryView | null>(null)
  return (
    <>
      <List
        label={t('nav.audit')}
        path="/api/audit/log"
        params={params}
        filters={filters}
        search={search}
        searchLabel={search && t('audit.username')}
        actions={actions}
        onPick={setShown}
        read={(r) => ({ rows: r.logs, total: r.total })}
        rowKey={(e) => e.auditLogId.auditLogId}
        columns={[
          {
            name: 'event',
            title: t('audit.what'),
            cell: (e) => (
              <>
                <span class="primary-line">{eventText(e.eventType)}</span>
                <span class="second-line">{[entityText(e.entityType), nameOf(e)].filter(Boolean).join(' · ')}</span>
              </>
            ),
          },
          { name: 'user', title: t('audit.who'), cell: (e) => userText(e) },
          { name: 'time', title: t('audit.when'), cell: (e) => exactTime(e.createdAt) },
          { name: 'ip', title: t('audit.from'), wide: true, cell: (e) => e.ip },
        ]}
        empty={
          <Empty icon="clock" title={t('audit.empty')}>
            {t('audit.emptyHelp')}
          </Empty>
        }
      />
      {shown && <Entry entry={shown} time={exactTime(shown.createdAt)} onClose={() => setShown(null)} />}
    </>
  )
}
