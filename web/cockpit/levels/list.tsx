import type { JSX } from 'preact'
import type { LevelView } from '../../api/types'
import { write } from '../../api/client'
import { may } from '../../api/session'
import { number, percent, t } from '../../i18n/i18n'
import { ButtonLink, Empty, Page } from '../../ui/basics'
import { toast, toastFailure } from '../../ui/dialog'
import { Switch } from '../../ui/form'
import { List, type Column } from '../../ui/table'
import { useCondition, type Condition } from './condition'

// setLevelActive switches a level on or off.
export async function setLevelActive(level: LevelView, on: boolean): Promise<void> {
  try {
    await write('POST', '/api/{store}/level/{level}/activate', {
      params: { level: level.levelId },
      body: { active: on },
    })
    toast(t(on ? 'levels.switchedOn' : 'levels.switchedOff', { name: level.name ?? '' }))
  } catch (error) {
    toastFailure(error)
    throw error
  }
}

const columns = (condition: Condition): Column<LevelView>[] => [
  {
    name: 'name',
    title: t('campaigns.name'),
    cell: (l) => (
      <>
        <span class="primary-line">{l.name}</span>
        <span class="second-line">{l.description ?? ''}</span>
      </>
    ),
  },
  {
    name: 'condition',
    title: t(`levels.condition.${condition.kind}`),
    sort: 'conditionValue',
    number: true,
    cell: (l) => (l.conditionValue === 0 ? t('levels.everybody') : condition.text(l.conditionValue)),
  },
  { name: 'reward', title: t('levels.discount'), number: true, wide: true, cell: (l) => percent(l.reward.value, 6) },
  {
    name: 'members',
    title: t('levels.members'),
    sort: 'customersCount',
    number: true,
    wide: true,
    cell: (l) => number(l.customersCount),
  },
  {
    name: 'active',
    title: t('levels.on'),
    cell: (l) => (
      <Switch
        hideLabel
        label={t('levels.onLabel', { name: l.name ?? '' })}
        checked={l.active}
        disabled={!may('LEVEL', 'MODIFY')}
        onChange={(on) => setLevelActive(l, on)}
      />
    ),
  },
]

// Levels lists the levels from the one in which everybody starts to the top.
export default function Levels(): JSX.Element {
  const condition = useCondition()
  const create = may('LEVEL', 'MODIFY') && (
    <ButtonLink kind="primary" icon="plus" to="/levels/new">
      {t('levels.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.levels')} actions={create}>
      <List
        label={t('nav.levels')}
        path="/api/{store}/level"
        columns={columns(condition)}
        read={(r) => ({ rows: r.levels, total: r.total })}
        rowKey={(l) => l.levelId}
        to={(l) => `/levels/${l.levelId}`}
        defaultSort={{ field: 'conditionValue', descending: false }}
        empty={
          <Empty icon="star" title={t('levels.empty')} action={create}>
            {t('levels.emptyHelp')}
          </Empty>
        }
      />
    </Page>
  )
}
