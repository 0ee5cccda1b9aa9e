import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ReportFullView } from '../../api/types'
import { useQuery, write } from '../../api/client'
import { language, number, t } from '../../i18n/i18n'
import { Button, Card, Empty, ErrorState, Skeleton, Time } from '../../ui/basics'
import { toastFailure } from '../../ui/dialog'
import type { Period } from '../period'

const readEvery = 1000 // milliseconds

// Background shows the latest report of a kind about the period, the progress of one that is being computed, or how to
// ask for one.
export function Background({
  kind,
  period,
  children,
}: {
  kind: 'customers' | 'rewards'
  period: Period
  children: (report: ReportFullView) => ComponentChildren
}): JSX.Element {
  const list = useQuery('/api/{store}/admin/analytics/report', {})
  const latest = list.data?.reports.find(
    (r) => r.kind === kind && r.from === period.from && r.to === period.to && r.state !== 'cancelled',
  )
  const one = useQuery(latest ? '/api/{store}/admin/analytics/report/{report}' : null, {
    report: latest?.reportId ?? '',
    _locale: language.value,
  })
  const [busy, setBusy] = useState(false)
  const report = latest && one.data?.reportId === latest.reportId ? one.data : undefined
  const open = report !== undefined && report.state !== 'finished' && report.state !== 'cancelled'
  useEffect(() => {
    if (!open) return
    const timer = setInterval(() => {
      if (!document.hidden) one.reload()
    }, readEvery)
    return () => clearInterval(timer)
  }, [open, latest?.reportId])
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    await work().then(list.reload, toastFailure)
    setBusy(false)
  }
  const ask = (): Promise<void> =>
    run(() =>
      write('POST', '/api/{store}/admin/analytics/report', {
        body: { report: { kind, from: period.from, to: period.to } },
      }),
    )
  const failed = [list, one].find((q) => q.error && !q.data)
  if (failed) return <ErrorState error={failed.error!} retry={failed.reload} />
  if (!list.data || (latest && !report)) return <Skeleton lines={8} />
  if (!report || report.state === 'cancelled') {
    return (
      <Card>
        <Empty
          icon="chart"
          title={t(`reports.ask.${kind}`)}
          action={
            <Button kind="primary" icon="play" busy={busy} onClick={() => void ask()}>
              {t('reports.compute')}
            </Button>
          }
        >
          {t(`reports.askHelp.${kind}`)}
        </Empty>
      </Card>
    )
  }
  if (open) {
    return (
      <Card title={t('reports.computing')}>
        <div role="status">
          <p>{t('reports.progress', { n: report.rowsRead, total: number(report.rowsTotal) })}</p>
          <progress
            class="import-progress"
            aria-label={t('reports.computing')}
            max={Math.max(report.rowsTotal, 1)}
            value={report.rowsRead}
          />
        </div>
        <p class="muted">{t('reports.leave')}</p>
        <Button
          icon="close"
          busy={busy}
          onClick={() =>
            void run(() =>
              write('POST', '/api/{store}/admin/analytics/report/{report}/cancel', {
                params: { report: report.reportId },
              }),
            )
          }
        >
          {t('reports.cancel')}
        </Button>
      </Card>
    )
  }
  return (
    <div class="stack">
      <div class="report-actions">
        <span class="muted">
          {t('reports.asOf')} <Time at={report.finishedAt} />.
        </span>
        <Button small icon="refresh" busy={busy} onClick={() => void ask()}>
          {t('reports.again')}
        </Button>
      </div>
      {children(report)}
    </div>
  )
}
