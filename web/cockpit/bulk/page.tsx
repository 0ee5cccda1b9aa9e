import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { BulkActionView } from '../../api/types'
import { useQuery, write } from '../../api/client'
import { number, t } from '../../i18n/i18n'
import { Button, Card, ErrorState, Facts, Page, Skeleton, Time } from '../../ui/basics'
import { Confirm } from '../../ui/dialog'
import { Link, type RouteProps } from '../../ui/router'
import { List } from '../../ui/table'
import { actionText, goesOn, State, What } from './words'
import '../imports/imports.css'

const readEvery = 1000 // milliseconds

// BulkActionPage shows the progress of an action, and the customers whom it has left.
export default function BulkActionPage({ params }: RouteProps): JSX.Element {
  const {
    data: a,
    error,
    reload,
  } = useQuery('/api/{store}/admin/bulk-action/{bulkAction}', { bulkAction: params['bulkAction'] })
  const changing = a !== undefined && goesOn(a)
  useEffect(() => {
    if (!changing) return
    const timer = setInterval(() => {
      if (!document.hidden) reload()
    }, readEvery)
    return () => clearInterval(timer)
  }, [changing, params['bulkAction']])
  const back = { to: '/bulk-actions', text: t('nav.bulkActions') }
  if (!a) {
    return (
      <Page title={t('bulk.one')} back={back}>
        {error ? <ErrorState error={error} retry={reload} /> : <Skeleton lines={6} />}
      </Page>
    )
  }
  const left = a.visited - a.changed + a.remaining
  return (
    <Page title={actionText(a)} back={back} badge={<State of={a} />} actions={<Actions of={a} />}>
      <Card>
        {goesOn(a) && (
          <progress
            class="import-progress"
            aria-label={t('imports.progress')}
            max={Math.max(1, a.state === 'undoing' ? a.changed : a.total)}
            value={a.state === 'undoing' ? a.undone + a.remaining : a.visited}
          />
        )}
        <Facts
          items={[
            [t('bulk.what'), <What of={a} />],
            [t('points.comment'), a.comment],
            [t('bulk.total'), number(a.total)],
            [t('bulk.visited'), number(a.visited)],
            [t('bulk.changed'), number(a.changed)],
            [t('bulk.undone'), a.undone + a.remaining > 0 && number(a.undone)],
            [t('bulk.remaining'), a.remaining > 0 && number(a.remaining)],
            [t('imports.createdBy'), a.createdBy],
            [t('imports.created'), <Time at={a.createdAt} />],
            [t('imports.finished'), a.finishedAt && <Time at={a.finishedAt} />],
          ]}
        />
      </Card>
      {left > 0 && !goesOn(a) && (
        <section class="import-errors" aria-label={t('bulk.left')}>
          <h2>{t('bulk.left')}</h2>
          <List
            label={t('bulk.left')}
            path="/api/{store}/admin/bulk-action/{bulkAction}/left"
            params={{ bulkAction: a.bulkActionId }}
            read={(r) => ({ rows: r.customers, total: r.total })}
            rowKey={(c) => c.customerId}
            columns={[
              {
                name: 'who',
                title: t('bulk.customer'),
                cell: (c) => <Link to={`/customers/${c.customerId}`}>{c.customerId}</Link>,
              },
              { name: 'why', title: t('imports.why'), cell: (c) => t(`bulk.reason.${c.reason as 'unchanged'}`) },
            ]}
            empty={null}
          />
        </section>
      )}
    </Page>
  )
}

function Actions({ of: a }: { of: BulkActionView }): JSX.Element {
  const [asking, setAsking] = useState<'stop' | 'undo' | null>(null)
  return (
    <>
      {a.state === 'running' && (
        <Button icon="close" onClick={() => setAsking('stop')}>
          {t('bulk.stop')}
        </Button>
      )}
      {a.undoable && <Button onClick={() => setAsking('undo')}>{t('bulk.undo')}</Button>}
      {asking && (
        <Confirm
          title={t(`bulk.${asking}Title`)}
          action={t(`bulk.${asking}`)}
          onClose={() => setAsking(null)}
          onConfirm={() =>
            write('POST', `/api/{store}/admin/bulk-action/{bulkAction}/${asking}`, {
              params: { bulkAction: a.bulkActionId },
            })
          }
        >
          {t(`bulk.${asking}Help`)}
        </Confirm>
      )}
    </>
  )
}
