import type { JSX } from 'preact'
import { number, t } from '../../i18n/i18n'
import { Empty, Page, Time } from '../../ui/basics'
import { List } from '../../ui/table'
import { actionText, goesOn, State, What } from './words'

// BulkActions lists what was done to many customers at once.
export default function BulkActions(): JSX.Element {
  return (
    <Page title={t('nav.bulkActions')} lead={t('bulk.lead')}>
      <List
        label={t('nav.bulkActions')}
        path="/api/{store}/admin/bulk-action"
        read={(r) => ({ rows: r.bulkActions, total: r.total })}
        rowKey={(a) => a.bulkActionId}
        to={(a) => `/bulk-actions/${a.bulkActionId}`}
        changing={(rows) => rows.some(goesOn)}
        columns={[
          {
            name: 'action',
            title: t('bulk.action'),
            cell: (a) => (
              <>
                <span class="primary-line">{actionText(a)}</span>
                <span class="second-line">
                  <What of={a} />
                </span>
              </>
            ),
          },
          { name: 'changed', title: t('bulk.changed'), number: true, cell: (a) => number(a.changed) },
          { name: 'state', title: t('campaigns.state'), cell: (a) => <State of={a} /> },
          { name: 'by', title: t('imports.createdBy'), cell: (a) => a.createdBy, wide: true },
          { name: 'at', title: t('imports.created'), cell: (a) => <Time at={a.createdAt} />, wide: true },
        ]}
        empty={
          <Empty icon="customers" title={t('bulk.none')}>
            {t('bulk.noneHelp')}
          </Empty>
        }
      />
    </Page>
  )
}
