import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { useQuery } from '../../api/client'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Empty, ErrorState, Page } from '../../ui/basics'
import { navigate, place, setQuery } from '../../ui/router'
import { visibleNavigation } from '../navigation'
import { Attention } from './attention'
import { Charts } from './charts'
import { LatestEvents } from './events'
import { Figures } from './figures'
import { FirstSteps } from './first_steps'
import { lengths, periodOf } from './period'
import { TopRewards } from './top_rewards'

// Start shows the overview to those who may see the figures, and the first screen that they may see to others.
export default function Start(): JSX.Element {
  const allowed = may('ANALYTICS')
  const first = visibleNavigation()[0]?.items[0]
  useEffect(() => { if (!allowed && first) navigate(first.path) }, [])
  if (allowed) return <Overview />
  return first ? <span /> : <Empty icon="lock" title={t('error.forbidden')}>{t('app.askForPermission')}</Empty>
}

function Overview(): JSX.Element {
  const days = lengths.find((n) => String(n) === place.value.query.get('days')) ?? lengths[0]
  // The last days of a store, in its own time zone and by its own clock, tell which day is today there.
  const today = useQuery('/api/{store}/admin/analytics/series', { metric: 'pointsOutstanding' })
  const range = (
    <select class="input filter" aria-label={t('overview.period')} value={days}
      onChange={(event) => setQuery({ days: event.currentTarget.value === String(lengths[0]) ? '' : event.currentTarget.value })}>
      {lengths.map((n) => <option key={n} value={n} selected={n === days}>{t('overview.lastDays', { n })}</option>)}
    </select>
  )
  const period = today.data && periodOf(today.data.total.to, days)
  return (
    <Page title={t('nav.overview')} lead={t('overview.comparedWith', { n: days })} actions={range}>
      <FirstSteps />
      {today.error && !today.data
        ? <ErrorState error={today.error} retry={today.reload} />
        : (
          <>
            <Figures period={period} days={days} />
            <div class="overview-columns">
              <Charts period={period} />
              <Attention />
            </div>
            <div class="overview-columns even">
              <TopRewards period={period} />
              {may('EVENT') && <LatestEvents />}
            </div>
          </>
        )}
    </Page>
  )
}
