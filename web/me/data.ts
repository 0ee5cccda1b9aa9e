// What the customer's screens read. The card and the coupons are kept on the device, for a counter without a network.
import { useLayoutEffect, useMemo } from 'preact/hooks'
import type {
  CampaignPresented,
  CustomerBalance,
  CustomerDetail,
  PurchaseOfferListPurchasePresentedToCustomer,
  PurchaseOwnCampaignPresented,
  PurchaseOwnListCampaignPresented,
} from '../api/types'
import { online, url, useQuery, type Query } from '../api/client'
import * as session from '../api/session'
import { language } from '../i18n/i18n'

export type Coupon = PurchaseOwnCampaignPresented

// Kept is a query with what was last received. at is the time of that, if it may be out of date.
export interface Kept<T> extends Query<T> {
  at: number | undefined
}

function useKept<T>(name: string, query: Query<T>): Kept<T> {
  const key = session.keptAt(name)
  const kept = useMemo(() => read<T>(key), [key])
  useLayoutEffect(() => {
    // stored as soon as it is shown
    if (query.data && key && key === session.keptAt(name))
      localStorage.setItem(key, JSON.stringify({ at: Date.now(), data: query.data }))
  }, [query.data])
  const old = query.error || !online.value
  return { ...query, data: query.data ?? kept?.data, at: old ? read<T>(key)?.at : undefined }
}

function read<T>(key: string): { at: number; data: T } | undefined {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as { at: number; data: T } | null) ?? undefined
  } catch {
    return undefined
  }
}

// useMayEdit tells whether customers of the store may change their data themselves.
export function useMayEdit(): boolean {
  return useQuery('/api/{store}/settings/public').data?.settings.allowCustomersProfileEdits ?? true
}

const me = (): string => session.claims.value?.id ?? ''

export function useCustomer(): Kept<CustomerDetail> {
  return useKept('customer', useQuery('/api/{store}/customer/{customer}', { customer: me() }))
}

export function useBalance(): Kept<CustomerBalance> {
  return useKept(
    'balance',
    useQuery('/api/{store}/customer/customer/{customer}/status', { customer: me(), _locale: language.value }),
  )
}

// maxCoupons is how many bought rewards are shown: the newest.
export const maxCoupons = 200

export function useCoupons(): Kept<PurchaseOwnListCampaignPresented> {
  return useKept(
    'coupons',
    useQuery('/api/{store}/customer/campaign/bought', {
      includeDetails: 1,
      includeTexts: 1,
      sort: 'purchaseAt',
      direction: 'DESC',
      perPage: maxCoupons,
      _locale: language.value,
    }),
  )
}

// useOffers asks also for what is out of reach, and why.
export function useOffers(): Query<PurchaseOfferListPurchasePresentedToCustomer> {
  return useQuery('/api/{store}/customer/campaign/available', {
    includeTexts: 1,
    usedUp: 1,
    explain: 1,
    perPage: 200,
    _locale: language.value,
  })
}

export type State = 'active' | 'waiting' | 'used' | 'expired'

export function stateOf(c: Coupon): State {
  if (c.used) return 'used'
  if (c.canBeUsed) return 'active'
  return c.status === 'inactive' ? 'waiting' : 'expired'
}

// pictureOf returns the address of the first photo of a campaign, or of its brand's icon.
export function pictureOf(
  c: Pick<CampaignPresented, 'campaignId' | 'photos' | 'brandIcon'> | undefined,
): string | undefined {
  if (!c) return undefined
  const photo = c.photos?.[0]
  if (photo)
    return url('/api/{store}/campaign/{campaign}/photo/{photoId}', { campaign: c.campaignId, photoId: photo.photoId })
  return c.brandIcon ? url('/api/{store}/campaign/{campaign}/brand_icon', { campaign: c.campaignId }) : undefined
}
