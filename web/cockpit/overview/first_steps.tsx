import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useQuery } from '../../api/client'
import { may, store } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Button, ButtonLink, Card, Copy } from '../../ui/basics'
import { Icon } from '../../ui/icons'
import { match } from '../../ui/router'
import { useSending } from '../customers/waiting'
import { AboutMail, AddCustomer, AddLevel, AddPlace, AddRule, AddSeller, type Added } from './first_forms'

type Name = 'level' | 'rule' | 'reward' | 'place' | 'seller' | 'mail' | 'customer' | 'try'

interface Step {
  name: Name
  total?: number // of the objects that the step adds
  may: boolean
  body: (added: Added) => ComponentChildren
}

const ideas = ['welcome', 'tenth', 'voucher'] as const

// FirstSteps lead from an empty store to a customer who earns, buys and uses. Each is done in place, and can be
// skipped. They end when all are done or skipped.
export function FirstSteps(): JSX.Element | null {
  const one = { perPage: 1 }
  const levels = useQuery(may('LEVEL') ? '/api/{store}/level' : null, one)
  const rules = useQuery(may('EARNING_RULE') ? '/api/{store}/earningRule' : null, one)
  const rewards = useQuery(may('REWARD_CAMPAIGN') ? '/api/{store}/campaign' : null, { ...one, withoutCoupons: 1 })
  const places = useQuery(may('POS') ? '/api/{store}/pos' : null, one)
  const sellers = useQuery(may('SELLER') ? '/api/{store}/seller' : null, one)
  const customers = useQuery(may('CUSTOMER') ? '/api/{store}/customer' : null, one)
  const settings = useQuery(may('SETTINGS', 'MODIFY') ? '/api/{store}/settings' : null)
  const sends = useSending()
  const [skipped, skip] = useSkipped()
  const steps: Step[] = [
    {
      name: 'level',
      total: levels.data?.total,
      may: may('LEVEL', 'MODIFY'),
      body: (added) => <AddLevel added={added} />,
    },
    {
      name: 'rule',
      total: rules.data?.total,
      may: may('EARNING_RULE', 'MODIFY'),
      body: (added) => <AddRule added={added} />,
    },
    { name: 'reward', total: rewards.data?.total, may: may('REWARD_CAMPAIGN', 'MODIFY'), body: () => <Ideas /> },
    {
      name: 'place',
      total: places.data?.total,
      may: may('POS', 'MODIFY'),
      body: (added) => <AddPlace added={added} />,
    },
    {
      name: 'seller',
      total: sellers.data?.total,
      may: mayAddSeller(),
      body: (added) => <AddSeller added={added} />,
    },
    {
      name: 'mail',
      total: settings.data && (sends || !settings.data.settings.accountActivationRequired ? 1 : 0),
      may: may('SETTINGS', 'MODIFY'),
      body: (added) => <AboutMail added={added} />,
    },
    {
      name: 'customer',
      total: customers.data?.total,
      may: may('CUSTOMER', 'MODIFY'),
      body: (added) => <AddCustomer added={added} />,
    },
  ]
  const [closed, setClosed] = useState(false)
  const [kept, keep] = useState<{ step: Name; note: ComponentChildren } | null>(null)
  if (steps.some((step) => step.may && step.total === undefined)) return null
  const open = steps.filter((step) => step.may && step.total === 0 && !skipped.includes(step.name))
  const begun = open.length > 0 || sessionStorage.getItem(keptUnder()) !== null
  if (closed || !begun) return null
  sessionStorage.setItem(keptUnder(), 'begun') // so that the last step is shown after the others are done
  const reload = (): void => [levels, rules, rewards, places, sellers, settings, customers].forEach((q) => q.reload())
  const close = (): void => {
    sessionStorage.removeItem(keptUnder())
    setClosed(true)
  }
  const next = open[0]?.name
  return (
    <Card title={t('overview.firstSteps')}>
      <p class="muted">{t('overview.firstStepsHelp')}</p>
      <ol class="first-steps">
        {steps
          .filter((step) => step.may)
          .map((step) => {
            const done = (step.total ?? 0) > 0
            const over = done || skipped.includes(step.name)
            return (
              <Item
                key={step.name}
                name={step.name}
                done={done}
                over={over}
                skip={!over ? () => skip(step.name) : undefined}
              >
                {!over &&
                  (step.name === next || step.name === 'reward') &&
                  step.body((note) => {
                    if (note) keep({ step: step.name, note })
                    reload()
                  })}
                {kept?.step === step.name && kept.note}
              </Item>
            )
          })}
        <Item name="try" done={false} over={false} skip={open.length === 0 ? close : undefined}>
          {open.length === 0 && <Try />}
        </Item>
      </ol>
    </Card>
  )
}

function Item({
  name,
  done,
  over,
  skip,
  children,
}: {
  name: Name
  done: boolean
  over: boolean
  skip?: () => void
  children: ComponentChildren
}): JSX.Element {
  return (
    <li class={over ? 'done' : ''}>
      <span class="step-mark">{done && <Icon name="check" size={16} />}</span>
      <div class="stack">
        <div>
          <strong>{t(`overview.step.${name}`)}</strong>
          {over && <span class="hidden"> {t(done ? 'overview.stepDone' : 'overview.stepSkipped')}</span>}
          {!over && <p class="muted">{t(`overview.step.${name}Help`)}</p>}
        </div>
        {children}
      </div>
      {skip && (
        <Button kind="plain" small onClick={skip}>
          {t(name === 'try' ? 'overview.stepsEnd' : 'overview.stepSkip')}
          <span class="hidden"> {t(`overview.step.${name}`)}</span>
        </Button>
      )}
    </li>
  )
}

// mayAddSeller reports whether a seller can be added and given a link: nobody opens a log-in that may do more than they
// may themselves.
const mayAddSeller = (): boolean =>
  may('POINT_TRANSFER') &&
  (['SELLER', 'CUSTOMER', 'TRANSACTION', 'REWARD_CAMPAIGN'] as const).every((of) => may(of, 'MODIFY'))

// Ideas lead to the editor of a reward, filled in by a recipe.
function Ideas(): JSX.Element {
  return (
    <div class="row">
      {ideas.map((name) => (
        <ButtonLink key={name} to={`/campaigns/new/${name}`}>
          {t(`recipe.${name}`)}
        </ButtonLink>
      ))}
      <ButtonLink to="/campaigns/new" kind="plain">
        {t('overview.step.rewardMore')}
      </ButtonLink>
    </div>
  )
}

// Try opens the apps of customers and sellers beside the cockpit.
function Try(): JSX.Element {
  const code = encodeURIComponent(store.value)
  return (
    <div class="stack">
      <div class="row">
        <a class="button" href={`/me/${code}`} target="_blank" rel="noopener">
          {t('overview.step.tryCustomer')}
        </a>
        <a class="button" href={`/till/${code}`} target="_blank" rel="noopener">
          {t('overview.step.tryTill')}
        </a>
      </div>
      <p class="muted">
        {t('overview.step.tryAddress')} <Copy text={`${location.origin}/me/${code}`} />
      </p>
    </div>
  )
}

const keptUnder = (): string => `punchcard.cockpit.${store.value}.steps`

// useSkipped returns the steps that were skipped on this device. They are kept when the user signs out.
function useSkipped(): [string[], (name: Name) => void] {
  const [skipped, set] = useState(() => (localStorage.getItem(keptUnder()) ?? '').split(' ').filter(Boolean))
  return [
    skipped,
    (name) => {
      const all = [...skipped, name]
      localStorage.setItem(keptUnder(), all.join(' '))
      set(all)
    },
  ]
}

// leadsTo reports whether there is a screen of its own at a path.
export function leadsTo(path: string): boolean {
  const route = match(path)?.route
  return (
    route !== undefined &&
    (path.endsWith('/new') ? route.path.endsWith('/new') : true) &&
    (!route.resource || may(route.resource, route.access))
  )
}
