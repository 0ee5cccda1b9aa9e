import type { JSX } from 'preact'
import type { EarningRuleView } from '../../api/types'
import { write } from '../../api/client'
import { may } from '../../api/session'
import { instant, t } from '../../i18n/i18n'
import { rate } from '../../i18n/number'
import { Badge, ButtonLink, Empty, Page } from '../../ui/basics'
import { toast, toastFailure } from '../../ui/dialog'
import { Switch } from '../../ui/form'
import { List, type Column } from '../../ui/table'
import { ruleTypes, type RuleType } from './types'

// setRuleActive switches an earning rule on or off.
export async function setRuleActive(rule: EarningRuleView, on: boolean): Promise<void> {
  try {
    await write('POST', '/api/{store}/earningRule/{earningRule}/activate', {
      params: { earningRule: rule.earningRuleId },
      body: { active: on },
    })
    toast(t(on ? 'campaigns.switchedOn' : 'campaigns.switchedOff', { name: rule.name }))
  } catch (error) {
    toastFailure(error)
    throw error
  }
}

// paysText says what a rule gives, in a few words.
export function paysText(rule: EarningRuleView): string {
  if (rule.pointValue !== undefined) return t('rules.paysPerUnit', { points: rate(rule.pointValue) })
  if (rule.multiplier !== undefined) return `× ${rate(rule.multiplier)}`
  if (rule.labelMultipliers) return rule.labelMultipliers.map((l) => `× ${rate(l.multiplier)}`).join(', ')
  if (rule.pointsAmount !== undefined) return t('levels.points', { n: rule.pointsAmount })
  return t('rules.paysReward')
}

const columns = (): Column<EarningRuleView>[] => [
  {
    name: 'name',
    title: t('campaigns.name'),
    sort: 'name',
    cell: (r) => (
      <>
        <span class="primary-line">{r.name}</span>
        <span class="second-line">{t(`rule.${r.type as RuleType}`)}</span>
      </>
    ),
  },
  { name: 'pays', title: t('rules.pays'), cell: paysText },
  { name: 'state', title: t('campaigns.state'), wide: true, cell: (r) => <RuleState rule={r} /> },
  {
    name: 'active',
    title: t('levels.on'),
    cell: (r) => (
      <Switch
        hideLabel
        label={t('campaigns.onLabel', { name: r.name })}
        checked={r.active}
        disabled={!may('EARNING_RULE', 'MODIFY')}
        onChange={(on) => setRuleActive(r, on)}
      />
    ),
  },
]

export default function Rules(): JSX.Element {
  const create = may('EARNING_RULE', 'MODIFY') && (
    <ButtonLink kind="primary" icon="plus" to="/rules/new">
      {t('rules.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.rules')} actions={create}>
      <List
        label={t('nav.rules')}
        path="/api/{store}/earningRule"
        columns={columns()}
        search="name"
        read={(r) => ({ rows: r.earningRules, total: r.total })}
        rowKey={(r) => r.earningRuleId}
        to={(r) => `/rules/${r.earningRuleId}`}
        filters={[
          {
            name: 'active',
            title: t('campaigns.onOrOff'),
            options: [
              { value: '1', text: t('campaigns.switchedOnFilter') },
              { value: '0', text: t('campaigns.switchedOffFilter') },
            ],
          },
          {
            name: 'type',
            title: t('campaigns.anyType'),
            options: ruleTypes.map((type) => ({ value: type, text: t(`rule.${type}`) })),
          },
        ]}
        empty={
          <Empty icon="points" title={t('rules.empty')} action={create}>
            {t('rules.emptyHelp')}
          </Empty>
        }
      />
    </Page>
  )
}

// RuleState says whether the rule pays now.
export function RuleState({ rule: r }: { rule: EarningRuleView }): JSX.Element {
  if (!r.active) return <Badge>{t('campaigns.isOff')}</Badge>
  if (!r.allTimeActive && instant(r.startAt) > Date.now())
    return <Badge tone="accent">{t('campaigns.isPlanned')}</Badge>
  if (!r.allTimeActive && instant(r.endAt) < Date.now()) return <Badge>{t('campaigns.hasEnded')}</Badge>
  return <Badge tone="success">{t('rules.isOn')}</Badge>
}
