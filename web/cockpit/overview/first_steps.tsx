import type { JSX } from 'preact'
import { useQuery } from '../../api/client'
import { may, store } from '../../api/session'
import { t } from '../../i18n/i18n'
import { ButtonLink, Card, Copy } from '../../ui/basics'
import { Icon } from '../../ui/icons'
import { match } from '../../ui/router'

// FirstSteps is the way to a first reward in an empty store: a level, a reward and a customer.
export function FirstSteps(): JSX.Element | null {
  const levels = useQuery(may('LEVEL') ? '/api/{store}/level' : null, { perPage: 1 }).data?.total
  const rewards = useQuery(may('REWARD_CAMPAIGN') ? '/api/{store}/campaign' : null, { perPage: 1, withoutCoupons: 1 }).data?.total
  const customers = useQuery(may('CUSTOMER') ? '/api/{store}/customer' : null, { perPage: 1 }).data?.total
  const steps = [
    { name: 'level', total: levels, to: '/levels/new', may: may('LEVEL', 'MODIFY') },
    { name: 'reward', total: rewards, to: '/campaigns/new', may: may('REWARD_CAMPAIGN', 'MODIFY') },
    { name: 'customer', total: customers, to: '/customers/new', may: may('CUSTOMER', 'MODIFY') },
  ] as const
  if (!steps.some((step) => step.total === 0)) return null
  const next = steps.find((step) => step.total === 0)
  return (
    <Card title={t('overview.firstSteps')}>
      <ol class="first-steps">
        {steps.map((step) => {
          const done = (step.total ?? 0) > 0
          return (
            <li key={step.name} class={done ? 'done' : ''}>
              <span class="step-mark">{done && <Icon name="check" size={16} />}</span>
              <div>
                <strong>{t(`overview.step.${step.name}`)}</strong>
                {done && <span class="hidden"> {t('overview.stepDone')}</span>}
                <p class="muted">{t(`overview.step.${step.name}Help`)}</p>
                {step.name === 'customer' && !done && <p><Copy text={`${location.origin}/me/${encodeURIComponent(store.value)}`} /></p>}
              </div>
              {!done && step.may && leadsTo(step.to) && (
                <ButtonLink to={step.to} kind={step === next ? 'primary' : undefined}>{t(`overview.step.${step.name}Do`)}</ButtonLink>
              )}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}

// leadsTo reports whether there is a screen of its own at a path.
export function leadsTo(path: string): boolean {
  const route = match(path)?.route
  return route !== undefined && (path.endsWith('/new') ? route.path.endsWith('/new') : true) && (!route.resource || may(route.resource, route.access))
}
