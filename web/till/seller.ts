// The seller who is signed in: what the switches of an administrator let them do. It is kept for times without a
// network.
import { signal } from '@preact/signals'
import { Failure, get } from '../api/client'
import * as session from '../api/session'
import type { SellerView } from '../api/types'

export const seller = signal<SellerView | null>(null)

// sellerError says why the seller is not known.
export const sellerError = signal<Failure | null>(null)

const key = (): string => session.keptAt('seller')

export async function loadSeller(): Promise<void> {
  sellerError.value = null
  try {
    const found = await get('/api/{store}/seller/me')
    if (found.sellerId !== session.claims.value?.id) return // signed out since
    seller.value = found
    localStorage.setItem(key(), JSON.stringify(found))
  } catch (e) {
    const kept = key() && localStorage.getItem(key())
    if (kept) seller.value = JSON.parse(kept) as SellerView
    else sellerError.value = e instanceof Failure ? e : new Failure('failed', 0, String(e))
  }
}

session.onForget(() => (seller.value = null))
