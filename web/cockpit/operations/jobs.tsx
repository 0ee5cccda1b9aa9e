import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { AppJobView } from '../../api/types'
import { useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { relative, t, tIf, type Key } from '../../i18n/i18n'
import { Badge, Button, Empty, Page } from '../../ui/basics'
import { toast, toastFailure } from '../../ui/dialog'
import { Table, type Column } from '../../ui/table'

const jobText = (name: string): string => tIf(`job.${name.replaceAll(' ', '_')}`, name)

function intervalText(seconds: number): string {
  if (seconds < 60) return t('jobs.everySeconds', { n: seconds })
  return seconds % 3600 === 0
    ? t('jobs.everyHours', { n: seconds / 3600 })
    : t('jobs.everyMinutes', { n: Math.round(seconds / 60) })
}

// Jobs lists what the server does by itself, and when. The list is read again while it is open.
export default function Jobs(): JSX.Element {
  const { data, error, loading, reload } = useQuery('/api/admin/jobs', { perPage: -1 })
  useEffect(() => {
    const timer = setInterval(reload, 10_000)
    return () => clearInterval(timer)
  }, [reload])
  const columns: Column<AppJobView>[] = [
    {
      name: 'name',
      title: t('jobs.job'),
      cell: (j) => (
        <>
          <span class="primary-line">{jobText(j.name)}</span>
          <span class="second-line">{intervalText(j.everySeconds)}</span>
        </>
      ),
    },
    { name: 'state', title: t('campaigns.state'), cell: (j) => <State job={j} /> },
    { name: 'last', title: t('jobs.last'), wide: true, cell: (j) => <When at={j.lastRun?.startedAt} /> },
    { name: 'handled', title: t('jobs.handled'), wide: true, number: true, cell: (j) => j.lastRun?.rows },
    { name: 'next', title: t('jobs.next'), wide: true, cell: (j) => <When at={j.nextRunAt} /> },
  ]
  if (may('SETTINGS', 'MODIFY'))
    columns.push({ name: 'run', title: t('jobs.run'), untitled: true, cell: (j) => <Run job={j} onDone={reload} /> })
  return (
    <Page title={t('nav.jobs')} lead={t('jobs.lead')}>
      <Table
        label={t('nav.jobs')}
        rows={data?.jobs}
        rowKey={(j) => j.name}
        error={error}
        retry={reload}
        loading={loading && !data}
        columns={columns}
        empty={<Empty icon="clock" title={t('jobs.empty')} />}
      />
    </Page>
  )
}

function State({ job: j }: { job: AppJobView }): JSX.Element {
  if (j.running) return <Badge tone="accent">{t('jobs.running')}</Badge>
  if (!j.lastRun) return <Badge>{t('jobs.notYet')}</Badge>
  if (j.lastRun.error) return <Failed error={j.lastRun.error} />
  return <Badge tone="success">{t('jobs.succeeded')}</Badge>
}

// causes are what the user can do something about, by a part of the server's text.
const causes: [RegExp, Key][] = [
  [/disk is full|no space left/i, 'jobs.cause.disk'],
  [/deadline exceeded|time ?out|interrupted|canceled/i, 'jobs.cause.time'],
  [/database|connection|unavailable|SQL/i, 'jobs.cause.database'],
]

function causeText(error: string): string {
  return t(causes.find(([part]) => part.test(error))?.[1] ?? 'jobs.cause.other')
}

// Failed says why a job failed, with the text of the server for the person who runs it.
function Failed({ error }: { error: string }): JSX.Element {
  return (
    <>
      <Badge tone="danger">{t('jobs.failed')}</Badge>
      <span class="second-line">{causeText(error)}</span>
      <details>
        <summary>{t('jobs.technical')}</summary>
        <code lang="en">{error}</code>
      </details>
    </>
  )
}

// When says how long ago or ahead a time is: the API tells those of jobs in UTC.
function When({ at }: { at: string | undefined }): JSX.Element | null {
  return at ? (
    <time dateTime={at} title={at}>
      {relative(at)}
    </time>
  ) : null
}

function Run({ job, onDone }: { job: AppJobView; onDone: () => void }): JSX.Element {
  const [busy, setBusy] = useState(false)
  const name = jobText(job.name)
  const run = async (): Promise<void> => {
    setBusy(true)
    try {
      const done = await write('POST', '/api/admin/jobs/{name}/run', { params: { name: job.name } })
      if (done.error) toast(t('jobs.runFailed', { name, error: causeText(done.error) }), 'danger')
      else toast(done.complete ? t('jobs.runDone', { name, n: done.rows }) : t('jobs.runGoesOn', { name }))
      onDone()
    } catch (failure) {
      toastFailure(failure)
    } finally {
      setBusy(false)
    }
  }
  return <Button small icon="refresh" busy={busy} label={t('jobs.runNow', { name })} onClick={busy ? undefined : run} />
}
