// What the store owes its customers in points: by month of expiry and by level, in money if the cost of a point is set.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AnalyticsOwedSum } from '../../api/types'
import { newKey, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { date, language, number, percent, points, t, today } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Button, Card, Empty, ErrorState, Notice, Page, Skeleton, Time } from '../../ui/basics'
import { Confirm, toast } from '../../ui/dialog'
import { Link } from '../../ui/router'
import { Table } from '../../ui/table'
import { DownloadButton } from '../download'
import { yearBefore } from '../period'

export default function Owed(): JSX.Element {
  const { data: o, error, reload } = useQuery('/api/{store}/admin/analytics/owed', { _locale: language.value })
  const [asks, setAsks] = useState(false)
  const download = (
    <DownloadButton
      path="/api/{store}/admin/analytics/owed/journal"
      filters={[]}
      file={t('owed.file')}
      asked={() => ({ from: yearBefore(today()) })} // what the API allows at once
    />
  )
  return (
    <Page title={t('nav.owed')} lead={t('owed.lead')} actions={download}>
      {!o && (error ? <ErrorState error={error} retry={reload} /> : <Skeleton lines={10} />)}
      {o && o.total.points === 0 && (
        <Empty icon="points" title={t('owed.nothing')}>
          {t('owed.nothingHelp')}
        </Empty>
      )}
      {o && o.total.points > 0 && (
        <>
          {o.pointCost === undefined && (
            <Notice title={t('owed.noCost')}>
              <p>
                {t('owed.noCostHelp')} {may('SETTINGS', 'MODIFY') && <Link to="/settings">{t('nav.settings')}</Link>}
              </p>
            </Notice>
          )}
          <ul class="metrics owed" aria-label={t('nav.owed')}>
            <li class="figure">
              <span class="figure-name">{t('owed.total')}</span>
              <span class="figure-value">{points(o.total.points)}</span>
              <span class="muted">
                {o.total.value !== undefined ? money(o.total.value, o.currency) : t('owed.asOf')}{' '}
                {o.total.value === undefined && <Time at={o.computedAt} />}
              </span>
            </li>
            <li class="figure">
              <span class="figure-name">{t('owed.next')}</span>
              <span class="figure-value">{points(o.months[0]?.points ?? 0)}</span>
              <span class="muted">{o.months[0] ? monthName(o.months[0].month) : t('owed.noneExpires')}</span>
            </li>
            <li class="figure">
              <span class="figure-name">{t('owed.breakage')}</span>
              <span class="figure-value">{o.breakage.rate !== undefined ? percent(o.breakage.rate) : '–'}</span>
              <span class="muted">
                {t('owed.breakageHelp', { from: date(o.breakage.from), to: date(o.breakage.to) })}
              </span>
            </li>
          </ul>
          <div class="columns">
            <Card title={t('owed.months')}>
              <Table
                label={t('owed.months')}
                rowKey={(m) => m.name}
                empty={null}
                columns={columns(t('owed.month'), o.currency, o.pointCost !== undefined, o.total.points)}
                rows={[
                  ...o.months.map((m) => ({ ...m, name: monthName(m.month) })),
                  ...(o.never.points > 0 ? [{ ...o.never, name: t('owed.never') }] : []),
                  ...(o.blocked.points > 0 ? [{ ...o.blocked, name: t('owed.blocked') }] : []),
                ]}
              />
            </Card>
            <Card title={t('owed.levels')}>
              <Table
                label={t('owed.levels')}
                rowKey={(l) => l.name}
                empty={null}
                columns={columns(t('owed.level'), o.currency, o.pointCost !== undefined, o.total.points)}
                rows={[
                  ...o.levels.map((l) => ({ ...l, name: `${l.name || t('owed.noLevel')} (${number(l.customers)})` })),
                  ...(o.deleted
                    ? [{ ...o.deleted, name: `${t('owed.deleted')} (${number(o.deleted.customers)})` }]
                    : []),
                ]}
              />
              {o.deleted && mayCancel() && (
                <Button small onClick={() => setAsks(true)}>
                  {t('owed.cancelDeleted')}
                </Button>
              )}
            </Card>
          </div>
          <p class="muted">
            {t('owed.how')} <Time at={o.computedAt} />.{' '}
            {may('POINT_TRANSFER') && <Link to="/transfers">{t('nav.transfers')}</Link>}
          </p>
        </>
      )}
      {asks && (
        <Confirm
          title={t('owed.cancelDeleted')}
          action={t('owed.cancelDeleted')}
          onClose={() => setAsks(false)}
          onConfirm={async () => {
            const done = await write('POST', '/api/{store}/points/deleted-accounts/cancel', { key: newKey() })
            toast(t('owed.cancelled', { points: points(done.points), coupons: number(done.coupons) }))
          }}
        >
          {t('owed.cancelText')}
        </Confirm>
      )}
    </Page>
  )
}

const mayCancel = (): boolean => may('POINT_TRANSFER', 'MODIFY') && may('REWARD_CAMPAIGN', 'MODIFY')

type Row = AnalyticsOwedSum & { name: string }

function columns(title: string, currency: string, valued: boolean, total: number) {
  return [
    { name: 'name', title, cell: (r: Row) => <span class="primary-line">{r.name}</span> },
    { name: 'points', title: t('owed.points'), number: true, cell: (r: Row) => points(r.points) },
    { name: 'share', title: t('owed.share'), number: true, wide: true, cell: (r: Row) => percent(r.points / total) },
    ...(valued
      ? [{ name: 'value', title: t('owed.value'), number: true, cell: (r: Row) => money(r.value ?? 0, currency) }]
      : []),
  ]
}

function monthName(month: string): string {
  return new Intl.DateTimeFormat(language.value, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01T00:00:00Z`),
  )
}
