import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Button, Page } from '../../ui/basics'
import { DownloadButton } from '../download'
import { Archives } from './archives'
import { Entries } from './entries'
import { entityText, entityTypes, eventText, eventTypes } from './words'

const byText = (a: { text: string }, b: { text: string }): number => a.text.localeCompare(b.text)
const filterNames = ['eventType', 'entityType', 'createdAtFrom', 'createdAtTo', 'entityId'] as const

// AuditLog lists who changed what, in all stores.
export default function AuditLog(): JSX.Element {
  const [archives, setArchives] = useState(false)
  return (
    <Page
      title={t('nav.audit')}
      lead={t('audit.lead')}
      actions={
        <>
          <DownloadButton path="/api/audit/log/export" filters={filterNames} file="audit_log" />
          <Button onClick={() => setArchives(true)}>
            {t(may('AUDIT', 'MODIFY') ? 'audit.archive' : 'audit.archives')}
          </Button>
        </>
      }
    >
      <Entries
        search="username"
        filters={[
          {
            name: 'eventType',
            title: t('audit.anyEvent'),
            options: eventTypes.map((value) => ({ value, text: eventText(value) })).sort(byText),
          },
          {
            name: 'entityType',
            title: t('audit.anyObject'),
            options: entityTypes.map((value) => ({ value, text: entityText(value) })).sort(byText),
          },
          { name: 'createdAtFrom', title: t('events.from') },
          { name: 'createdAtTo', title: t('events.to') },
          {
            name: 'entityId',
            title: t('audit.object'),
            field: (value, onChange) =>
              value && (
                <Button icon="close" onClick={() => onChange('')}>
                  {t('audit.oneObject')}
                </Button>
              ),
          },
        ]}
      />
      {archives && <Archives onClose={() => setArchives(false)} />}
    </Page>
  )
}
