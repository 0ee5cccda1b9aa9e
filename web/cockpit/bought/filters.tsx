import type { JSX } from 'preact'
import { useQuery } from '../../api/client'
import { t } from '../../i18n/i18n'
import { useTyped } from '../../ui/search'
import { Picker } from '../../ui/tabs'

// RewardFilter chooses the campaign whose purchases the list shows, found by typing.
export function RewardFilter({ value, onChange }: { value: string; onChange: (id: string) => void }): JSX.Element {
  const { words, waiting, type } = useTyped()
  const known = useQuery('/api/{store}/campaign/{campaign}', { campaign: value }).data
  const found = useQuery('/api/{store}/campaign', { q: words, perPage: 20, withoutCoupons: 1 })
  const options = (found.data?.campaigns ?? []).map((c) => ({
    value: c.campaignId,
    text: c.name ?? t('campaigns.one'),
  }))
  if (value && !options.some((o) => o.value === value)) options.push({ value, text: known?.name ?? '…' })
  return (
    <div class={value ? 'picker-filter on' : 'picker-filter'}>
      <Picker
        single
        options={options}
        chosen={value ? [value] : []}
        placeholder={t('bought.anyReward')}
        aria-label={t('bought.anyReward')}
        busy={waiting || found.loading}
        onSearch={type}
        onChange={([id]) => onChange(id ?? '')}
      />
    </div>
  )
}
