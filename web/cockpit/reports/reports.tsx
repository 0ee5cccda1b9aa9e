// Answers about a period: all figures, sales by point of sale and by level, rewards, and customers.
import type { JSX } from 'preact'
import { t } from '../../i18n/i18n'
import { Page } from '../../ui/basics'
import { Tabs } from '../../ui/tabs'
import { usePeriod } from '../period'
import './reports.css'
import { Customers } from './customers'
import { Figures } from './figures'
import { Rewards } from './rewards'
import { Sales } from './sales'

export default function Reports(): JSX.Element {
  const { period, compared, bar, problem } = usePeriod()
  return (
    <Page title={t('nav.reports')} lead={compared && t('period.comparedWith', { span: compared })} actions={bar}>
      {period ? (
        <Tabs
          label={t('nav.reports')}
          tabs={[
            {
              name: 'figures',
              title: t('reports.figures'),
              body: () => <Figures period={period} compared={compared} />,
            },
            {
              name: 'places',
              title: t('reports.places'),
              body: () => <Sales by="pos" period={period} compared={compared} />,
            },
            {
              name: 'levels',
              title: t('reports.levels'),
              body: () => <Sales by="level" period={period} compared={compared} />,
            },
            { name: 'rewards', title: t('reports.rewards'), body: () => <Rewards period={period} /> },
            { name: 'customers', title: t('reports.customers'), body: () => <Customers period={period} /> },
          ]}
        />
      ) : (
        problem
      )}
    </Page>
  )
}
