import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Empty, Page } from '../../ui/basics'
import { navigate } from '../../ui/router'
import { visibleNavigation } from '../navigation'
import { usePeriod } from '../period'
import { Attention } from './attention'
import { Charts } from './charts'
import { LatestEvents } from './events'
import { Figures, NoFigures, useHasNothing } from './figures'
import { FirstSteps } from './first_steps'
import { TopRewards } from './top_rewards'

// Start shows the overview to those who may see the figures, and the first screen that they may see to others.
export default function Start(): JSX.Element {
  const allowed = may('ANALYTICS')
  const first = visibleNavigation()[0]?.items[0]
  useEffect(() => {
    if (!allowed && first) navigate(first.path)
  }, [])
  if (allowed) return <Overview />
  return first ? (
    <span />
  ) : (
    <Empty icon="lock" title={t('error.forbidden')}>
      {t('app.askForPermission')}
    </Empty>
  )
}

function Overview(): JSX.Element {
  const { period, compared, bar, problem } = usePeriod()
  const hasNothing = useHasNothing(period)
  return (
    <Page title={t('nav.overview')} lead={compared && t('period.comparedWith', { span: compared })} actions={bar}>
      <FirstSteps />
      {problem ?? (
        <>
          {!hasNothing && <Figures period={period} compared={compared} />}
          <div class="overview-columns">
            {hasNothing ? <NoFigures /> : <Charts period={period} />}
            <Attention />
          </div>
          <div class="overview-columns even">
            {!hasNothing && <TopRewards period={period} />}
            {may('EVENT') && <LatestEvents />}
          </div>
        </>
      )}
    </Page>
  )
}
