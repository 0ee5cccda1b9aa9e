import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { DataimportEarlierView, DataimportFailureView, DataimportView } from '../../api/types'
import { newKey, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { number, t } from '../../i18n/i18n'
import {
  Badge,
  Button,
  ButtonLink,
  Card,
  ErrorState,
  Facts,
  fieldText,
  Notice,
  Page,
  Skeleton,
  Time,
} from '../../ui/basics'
import { Confirm, toast, toastFailure } from '../../ui/dialog'
import { Link, type RouteProps } from '../../ui/router'
import { List } from '../../ui/table'
import { DownloadButton } from '../download'
import { kindOf } from './kinds'
import { fieldName } from './layout'
import { goesOn, kindText, State } from './list'
import { checkedFile, send } from './new'

const readEvery = 1000 // milliseconds

// ImportPage shows the progress of an import, and the records that were refused.
export default function ImportPage({ params }: RouteProps): JSX.Element {
  const { data: i, error, reload } = useQuery('/api/{store}/admin/import/{import}', { import: params['import'] })
  const changing = i !== undefined && goesOn(i)
  useEffect(() => {
    if (!changing) return
    const timer = setInterval(() => {
      if (!document.hidden) reload()
    }, readEvery)
    return () => clearInterval(timer)
  }, [changing, params['import']])
  const back = { to: '/imports', text: t('nav.imports') }
  if (!i) {
    return (
      <Page title={t('imports.one')} back={back}>
        {error ? <ErrorState error={error} retry={reload} /> : <Skeleton lines={6} />}
      </Page>
    )
  }
  return (
    <Page
      title={kindText(i.kind)}
      back={back}
      lead={i.fileName}
      badge={
        <>
          <State of={i} />
          {i.dryRun && (
            <>
              {' '}
              <Badge>{t('imports.dryRun')}</Badge>
            </>
          )}
        </>
      }
      actions={<Actions of={i} />}
    >
      {i.importedBefore && <Before of={i.importedBefore} />}
      <Outcome of={i} />
      <Card>
        {i.totalRecords !== undefined && goesOn(i) && i.state !== 'undoing' && (
          <progress
            class="import-progress"
            aria-label={t('imports.progress')}
            max={i.totalRecords}
            value={i.totalProcessed}
          />
        )}
        <Facts
          items={[
            [t('imports.records'), i.totalRecords !== undefined && number(i.totalRecords)],
            [t(i.dryRun ? 'imports.wouldWork' : 'imports.done'), number(i.totalSuccess)],
            [t('imports.refused'), number(i.totalFailed)],
            [t('imports.undone'), i.totalUndone !== undefined && number(i.totalUndone)],
            [t('imports.remaining'), i.totalRemaining !== undefined && number(i.totalRemaining)],
            [t('imports.createdBy'), i.createdBy],
            [t('imports.created'), <Time at={i.createdAt} />],
            [t('imports.finished'), i.finishedAt && <Time at={i.finishedAt} />],
          ]}
        />
      </Card>
      {i.totalFailed > 0 && <Refused of={i} />}
      {(i.totalRemaining ?? 0) > 0 && <Remaining of={i} />}
    </Page>
  )
}

// Before warns of a file that was imported before.
function Before({ of: b }: { of: DataimportEarlierView }): JSX.Element {
  return (
    <Notice tone="warning" title={t('imports.beforeTitle')}>
      <p>{t('imports.beforeHelp')}</p>
      <p>
        <Time at={b.createdAt} />, {b.createdBy}. <Link to={`/imports/${b.importId}`}>{t('imports.beforeShow')}</Link>
      </p>
    </Notice>
  )
}

// Outcome says in a sentence what happened.
function Outcome({ of: i }: { of: DataimportView }): JSX.Element | null {
  const values = { n: i.totalSuccess, failed: number(i.totalFailed), total: number(i.totalRecords ?? 0) }
  const notice = (
    tone: 'success' | 'warning' | 'danger' | 'neutral',
    title: string,
    more?: ComponentChildren,
  ): JSX.Element => (
    <div role="status">
      <Notice tone={tone} title={title}>
        {more}
      </Notice>
    </div>
  )
  switch (i.state) {
    case 'finished':
      if (i.dryRun)
        return notice(i.totalFailed ? 'warning' : 'success', t('imports.checked', values), t('imports.nothingStored'))
      return notice(i.totalFailed ? 'warning' : 'success', t('imports.imported', values))
    case 'cancelled':
      return notice('neutral', t('imports.wasCancelled', values), t('imports.wasCancelledHelp'))
    case 'undoing':
      return notice('neutral', t('imports.undoing', { n: i.totalUndone ?? 0 }), t('imports.runningHelp'))
    case 'undone':
      return notice(
        i.totalRemaining ? 'warning' : 'success',
        t('imports.wasUndone', { n: i.totalUndone ?? 0, left: number(i.totalRemaining ?? 0) }),
      )
    case 'failed':
      return notice(
        'danger',
        t('imports.hasFailed'),
        <span>{fieldText({ code: i.errorCode ?? '', detail: i.error ?? '' })}</span>,
      )
    default:
      return notice(
        'neutral',
        i.totalRecords === undefined
          ? t('imports.reading')
          : t('imports.running', { ...values, done: number(i.totalProcessed) }),
        t('imports.runningHelp'),
      )
  }
}

function Actions({ of: i }: { of: DataimportView }): JSX.Element | null {
  const [asking, setAsking] = useState<'cancel' | 'undo' | null>(null)
  const [busy, setBusy] = useState(false)
  const kind = kindOf(i.kind)
  if (!kind || !may(kind.resource, 'MODIFY')) return null
  const again = checkedFile(i.importId)
  const params = { import: i.importId }
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    await work().catch(toastFailure)
    setBusy(false)
  }
  return (
    <>
      {['waiting', 'running'].includes(i.state) && (
        <Button icon="close" onClick={() => setAsking('cancel')}>
          {t('imports.cancel')}
        </Button>
      )}
      {(i.state === 'cancelled' || i.state === 'failed') && (
        <Button
          icon="play"
          busy={busy}
          onClick={() => run(() => write('POST', '/api/{store}/admin/import/{import}/resume', { params }))}
        >
          {t('imports.resume')}
        </Button>
      )}
      {i.state === 'finished' && i.dryRun && again && i.totalSuccess > 0 && (
        <Button
          kind="primary"
          icon="upload"
          busy={busy}
          onClick={() => run(() => send(again, i.importedBefore ? 'again' : 'new', newKey()))}
        >
          {t('imports.importNow')}
        </Button>
      )}
      {i.state === 'finished' && (
        <ButtonLink icon="upload" to="/imports/new" query={{ kind: i.kind }}>
          {t('imports.another')}
        </ButtonLink>
      )}
      {i.undoable && <Button onClick={() => setAsking('undo')}>{t('imports.undo')}</Button>}
      {asking === 'undo' && (
        <Confirm
          title={t('imports.undoTitle')}
          action={t('imports.undoNow')}
          onClose={() => setAsking(null)}
          onConfirm={() => write('POST', '/api/{store}/admin/import/{import}/undo', { params })}
        >
          {t(kind.newcomers ? 'imports.undoCustomers' : 'imports.undoPoints')}
        </Confirm>
      )}
      {asking === 'cancel' && (
        <Confirm
          title={t('imports.cancelTitle')}
          action={t('imports.cancelNow')}
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            await write('POST', '/api/{store}/admin/import/{import}/cancel', { params })
            toast(t('imports.cancelled'))
          }}
        >
          {t('imports.cancelHelp', { n: i.totalSuccess })}
        </Confirm>
      )}
    </>
  )
}

// Refused lists the records that were refused.
function Refused({ of: i }: { of: DataimportView }): JSX.Element {
  return (
    <section class="import-errors" aria-label={t('imports.refusedTitle')}>
      <h2>{t('imports.refusedTitle')}</h2>
      <List
        label={t('imports.refusedTitle')}
        path="/api/{store}/admin/import/{import}/errors"
        params={{ import: i.importId }}
        read={(r) => ({ rows: r.errors, total: r.total })}
        rowKey={(e) => String(e.record)}
        changing={() => goesOn(i)}
        columns={[
          { name: 'line', title: t('imports.line'), number: true, cell: (e) => number(e.line) },
          { name: 'who', title: t('imports.identifier'), cell: (e) => e.identifier },
          { name: 'why', title: t('imports.why'), cell: (e) => <Why of={e} /> },
        ]}
        actions={
          <DownloadButton
            path="/api/{store}/admin/import/{import}/errors/csv"
            params={{ import: i.importId }}
            filters={[]}
            file={`${i.kind}-errors`}
          />
        }
        empty={null}
      />
    </section>
  )
}

// Remaining lists the records that undoing has left.
function Remaining({ of: i }: { of: DataimportView }): JSX.Element {
  return (
    <section class="import-errors" aria-label={t('imports.remainingTitle')}>
      <h2>{t('imports.remainingTitle')}</h2>
      <List
        label={t('imports.remainingTitle')}
        path="/api/{store}/admin/import/{import}/remaining"
        params={{ import: i.importId }}
        read={(r) => ({ rows: r.records, total: r.total })}
        rowKey={(k) => String(k.record)}
        changing={() => goesOn(i)}
        columns={[
          { name: 'record', title: t('imports.record'), number: true, cell: (k) => number(k.record) },
          {
            name: 'object',
            title: t('imports.identifier'),
            cell: (k) =>
              kindOf(i.kind)?.newcomers ? (
                <Link to={`/customers/${k.objectId}`}>{k.objectId}</Link>
              ) : (
                <Link to={`/transfers/${k.objectId}`}>{k.objectId}</Link>
              ),
          },
          { name: 'why', title: t('imports.why'), cell: (k) => t(`imports.remaining.${k.reason as 'changed'}`) },
        ]}
        empty={null}
      />
    </section>
  )
}

// Why says why a record was refused, with the fields that the errors are about.
function Why({ of: e }: { of: DataimportFailureView }): JSX.Element {
  return (
    <>
      {e.errors.map((error) => {
        const field = error.pointer.replace(/^#\/?/, '').replaceAll('/', '.')
        return (
          <div key={error.pointer + error.code}>
            {field && <>{fieldName(field)}: </>}
            {fieldText(error)}
          </div>
        )
      })}
    </>
  )
}
