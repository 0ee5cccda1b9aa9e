// The command menu: pages, campaigns, customers and sold codes by a few letters, with Ctrl or Cmd and K. It asks for
// what the administrator may see only.
import type { JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { CampaignFull, CustomerSummary, PurchaseBoughtList } from '../api/types'
import { useQuery, type Query } from '../api/client'
import { may } from '../api/session'
import { t } from '../i18n/i18n'
import { Dialog } from '../ui/dialog'
import { navigate } from '../ui/router'
import { useTyped } from '../ui/search'
import type { RewardType } from './campaigns/types'
import { customerName } from './customers/name'
import { visibleNavigation } from './navigation'
import { usePresentStore } from './present_store'

interface Entry {
  text: string
  detail: string
  to: string
}

export function CommandMenu({ onClose }: { onClose: () => void }): JSX.Element {
  const { text, words: searched, type } = useTyped()
  const [at, setAt] = useState(0)
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const { campaigns, customers, sold } = useFound(searched)
  const isSandbox = usePresentStore()?.sandbox
  const words = text.trim().toLowerCase()
  const pages: Entry[] = visibleNavigation(isSandbox).flatMap((group) =>
    group.items.map((item) => ({
      text: t(item.title),
      detail: item.title === group.title ? '' : t(group.title),
      to: item.path,
    })),
  )
  const found: Entry[] = [
    ...pages.filter((p) => !words || `${p.detail} ${p.text}`.toLowerCase().includes(words)),
    ...(campaigns.data?.campaigns ?? []).map((c) => ({
      text: c.name ?? t('campaigns.one'),
      detail: t(`reward.${c.reward as RewardType}`),
      to: `/campaigns/${c.campaignId}`,
    })),
    ...(customers.data?.customers ?? []).map((c) => ({
      text: customerName(c),
      detail: c.email ?? '',
      to: `/customers/${c.customerId}`,
    })),
    ...(sold.data?.boughtCampaigns ?? []).map((b) => ({
      text: b.coupon.code,
      detail: [b.campaignName, b.customerName, b.customerLastname].filter(Boolean).join(' · '),
      to: may('CUSTOMER') ? `/customers/${b.customerId}` : `/campaigns/${b.campaignId}`,
    })),
  ]
  const open = (entry: Entry | undefined): void => {
    if (!entry) return
    onClose()
    navigate(entry.to)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setAt((at + step + found.length) % Math.max(found.length, 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      open(found[at])
    }
  }
  return (
    <Dialog title={t('commands.title')} onClose={onClose}>
      <input
        ref={field}
        class="input"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        autoComplete="off"
        aria-activedescendant={found[at] ? `${id}-${at}` : undefined}
        aria-label={t('commands.title')}
        placeholder={t('commands.placeholder')}
        value={text}
        spellcheck={false}
        onInput={(event) => {
          type(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ul class="commands" role="listbox" id={id} aria-label={t('commands.title')}>
        {found.map((entry, i) => (
          <li
            key={i}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === at}
            onMouseEnter={() => setAt(i)}
            onClick={() => open(entry)}
          >
            <span>{entry.text}</span>
            <small class="muted">{entry.detail}</small>
          </li>
        ))}
        {found.length === 0 && ![campaigns, customers, sold].some((q) => q.loading) && (
          <li class="muted" role="option" aria-selected="false" aria-disabled="true">
            {t('table.noMatch')}
          </li>
        )}
      </ul>
    </Dialog>
  )
}

// useFound asks for campaigns, customers and sold codes.
function useFound(words: string): {
  campaigns: Query<{ campaigns: CampaignFull[] }>
  customers: Query<{ customers: CustomerSummary[] }>
  sold: Query<PurchaseBoughtList>
} {
  const has = (letters: number, resource: string): boolean => words.length >= letters && may(resource)
  return {
    campaigns: useQuery(has(2, 'REWARD_CAMPAIGN') ? '/api/{store}/campaign' : null, {
      q: words,
      withoutCoupons: 1,
      perPage: 4,
    }),
    customers: useQuery(has(2, 'CUSTOMER') ? '/api/{store}/customer' : null, { q: words, perPage: 6 }),
    sold: useQuery(has(4, 'REWARD_CAMPAIGN') ? '/api/{store}/campaign/bought' : null, { code: words, perPage: 4 }),
  }
}
