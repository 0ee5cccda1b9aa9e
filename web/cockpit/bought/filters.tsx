// Filters of the list of bought rewards that are found by typing.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { CampaignFull, CustomerDetail, CustomerDetailList } from '../../api/types'
import { useQuery } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Button } from '../../ui/basics'
import { Picker, type Pick } from '../../ui/tabs'
import { customerName } from '../customers/name'

interface FilterProps {
  value: string // an id
  onChange: (value: string) => void
}

// useSearched returns a text a moment after the last key.
function useSearched(): [string, (text: string) => void] {
  const [text, setText] = useState('')
  const [searched, setSearched] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearched(text.trim()), 200)
    return () => clearTimeout(timer)
  }, [text])
  return [searched, setText]
}

export function RewardFilter({ value, onChange }: FilterProps): JSX.Element {
  const [searched, setText] = useSearched()
  const chosen = useQuery<CampaignFull>(value ? `/api/{store}/campaign/${value}` : null).data
  const found = useQuery<{ campaigns: CampaignFull[] }>(value ? null : '/api/{store}/campaign', { q: searched, perPage: 20, withoutCoupons: 1 })
  return (
    <PickFilter title={t('bought.anyReward')} chosen={value} name={chosen?.name} onSearch={setText} onChange={onChange}
      options={(found.data?.campaigns ?? []).map((c) => ({ value: c.campaignId, text: c.name ?? t('campaigns.one') }))} />
  )
}

export function CustomerFilter({ value, onChange }: FilterProps): JSX.Element {
  const [searched, setText] = useSearched()
  const chosen = useQuery<CustomerDetail>(value ? `/api/{store}/customer/${value}` : null).data
  const found = useQuery<CustomerDetailList>(value || !searched ? null : '/api/{store}/customer', { q: searched, perPage: 10 })
  return (
    <PickFilter title={t('bought.anyCustomer')} chosen={value} name={chosen && customerName(chosen)} onSearch={setText} onChange={onChange}
      options={(found.data?.customers ?? []).map((c) => ({ value: c.customerId, text: customerName(c), detail: c.email ?? c.phone ?? '' }))} />
  )
}

function PickFilter({ title, chosen, name, options, onSearch, onChange }: {
  title: string; chosen: string; name: string | undefined; options: Pick[]; onSearch: (text: string) => void; onChange: (value: string) => void
}): JSX.Element {
  if (chosen) {
    return <Button class="chosen-filter" icon="close" onClick={() => onChange('')}>{t('bought.only', { name: name ?? '…' })}</Button>
  }
  return (
    <span class="pick-filter">
      <Picker single chosen={[]} options={options} placeholder={title} aria-label={title} onSearch={onSearch} onChange={([id]) => onChange(id ?? '')} />
    </span>
  )
}
