import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CategoryView } from '../../api/types'
import { write } from '../../api/client'
import { may } from '../../api/session'
import { number, t } from '../../i18n/i18n'
import { Button, Empty, Page } from '../../ui/basics'
import { toast, toastFailure } from '../../ui/dialog'
import { Switch } from '../../ui/form'
import { List, type Column } from '../../ui/table'
import { CategoryDialog } from './editor'
import { AskSwitchOff, campaignsIn } from './switch_off'

export const nameOf = (c: CategoryView): string => c.name ?? c.translations[0]?.name ?? ''

async function setActive(c: CategoryView, on: boolean): Promise<void> {
  await write('POST', '/api/{store}/campaignCategory/{campaignCategory}/active', {
    params: { campaignCategory: c.campaignCategoryId },
    body: { active: on },
  })
  toast(t(on ? 'levels.switchedOn' : 'levels.switchedOff', { name: nameOf(c) }))
}

// Question is a category that is in use and shall be switched off; answer ends the change of its switch.
interface Question {
  category: CategoryView
  campaigns: { names: string[]; total: number }
  answer: (goOn: boolean) => void
}

const columns = (change: (c: CategoryView, on: boolean) => Promise<void>): Column<CategoryView>[] => [
  {
    name: 'name',
    title: t('campaigns.name'),
    sort: 'name',
    cell: (c) => (
      <>
        <span class="primary-line">{nameOf(c)}</span>
        <span class="second-line">
          {c.translations
            .map((l) => l.name)
            .filter((name) => name !== nameOf(c))
            .join(' · ')}
        </span>
      </>
    ),
  },
  { name: 'order', title: t('categories.order'), sort: 'sortOrder', number: true, cell: (c) => number(c.sortOrder) },
  {
    name: 'active',
    title: t('categories.inMenus'),
    cell: (c) => (
      <Switch
        hideLabel
        label={t('categories.onLabel', { name: nameOf(c) })}
        checked={c.active}
        disabled={!may('REWARD_CAMPAIGN', 'MODIFY')}
        onChange={(on) => change(c, on)}
      />
    ),
  },
]

// Categories lists the groups of campaigns in the order of menus. One is edited in a dialog.
export default function Categories(): JSX.Element {
  const mayModify = may('REWARD_CAMPAIGN', 'MODIFY')
  const [edited, setEdited] = useState<CategoryView | 'new' | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const change = async (c: CategoryView, on: boolean): Promise<void> => {
    try {
      const campaigns = on ? { names: [], total: 0 } : await campaignsIn(c)
      if (
        campaigns.total > 0 &&
        !(await new Promise<boolean>((answer) => setQuestion({ category: c, campaigns, answer })))
      ) {
        throw new Error('not switched off')
      }
      await setActive(c, on)
    } catch (error) {
      if (!(error instanceof Error && error.message === 'not switched off')) toastFailure(error)
      throw error
    } finally {
      setQuestion(null)
    }
  }
  const create = mayModify && (
    <Button kind="primary" icon="plus" onClick={() => setEdited('new')}>
      {t('categories.new')}
    </Button>
  )
  return (
    <Page title={t('nav.categories')} actions={create}>
      <List
        label={t('nav.categories')}
        path="/api/{store}/campaignCategory"
        columns={columns(change)}
        read={(r) => ({ rows: r.categories, total: r.total })}
        rowKey={(c) => c.campaignCategoryId}
        onPick={mayModify ? setEdited : undefined}
        search="name"
        searchLabel={t('categories.search')}
        filters={[
          {
            name: 'active',
            title: t('campaigns.onOrOff'),
            options: [
              { value: '1', text: t('categories.on') },
              { value: '0', text: t('categories.off') },
            ],
          },
        ]}
        empty={
          <Empty icon="filter" title={t('categories.empty')} action={create}>
            {t('categories.emptyHelp')}
          </Empty>
        }
      />
      {edited && <CategoryDialog category={edited === 'new' ? undefined : edited} onClose={() => setEdited(null)} />}
      {question && <AskSwitchOff name={nameOf(question.category)} {...question.campaigns} answer={question.answer} />}
    </Page>
  )
}
