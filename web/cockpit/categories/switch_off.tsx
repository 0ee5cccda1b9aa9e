import type { JSX } from 'preact'
import type { CategoryView } from '../../api/types'
import { get } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Button } from '../../ui/basics'
import { Dialog } from '../../ui/dialog'

// campaignsIn returns the names of the first campaigns in a category, and how many there are.
export async function campaignsIn(c: CategoryView): Promise<{ names: string[]; total: number }> {
  const found = await get('/api/{store}/campaign', {
    categoryId: [c.campaignCategoryId],
    withoutCoupons: 1,
    perPage: 10,
  })
  return { names: found.campaigns.map((campaign) => campaign.name ?? t('campaigns.one')), total: found.total }
}

// AskSwitchOff says what switching a category off means for the campaigns in it.
export function AskSwitchOff({
  name,
  names,
  total,
  answer,
}: {
  name: string
  names: string[]
  total: number
  answer: (goOn: boolean) => void
}): JSX.Element {
  return (
    <Dialog title={t('categories.ask', { name })} onClose={() => answer(false)}>
      <div class="stack">
        <p>{t('categories.askHelp', { n: total })}</p>
        <p>
          <strong>{names.join(', ')}</strong>
          {total > names.length && ` ${t('categories.more', { n: total - names.length })}`}
        </p>
        <footer>
          <Button onClick={() => answer(false)}>{t('action.cancel')}</Button>
          <Button kind="primary" onClick={() => answer(true)}>
            {t('categories.switchOff')}
          </Button>
        </footer>
      </div>
    </Dialog>
  )
}
