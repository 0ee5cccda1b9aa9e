// A sale of a basket that is reserved: its prices, coupons, rewards and points are kept for the customer until it is
// paid or cancelled. The open sale of each customer is kept on the device too, so that it survives a reload.
import { signal } from '@preact/signals'
import type { CheckoutReservationView } from '../api/types'
import { Failure, get, write } from '../api/client'
import * as session from '../api/session'

export interface Line {
  sku: string
  quantity: string
  grossValue: string
}

export interface Basket {
  items: Line[]
  codes: string[] // of coupons that were typed or scanned
  coupons: string[] // chosen ones of the customer, by id
  rewards: string[] // wanted ones, by campaign
}

export interface Sale {
  basket: Basket // to go back to
  reservation: CheckoutReservationView
}

const place = (): string => session.keptAt('sales')

function read(): Record<string, Sale> {
  try {
    const all = JSON.parse((place() && localStorage.getItem(place())) || '{}') as Record<string, Sale>
    return Object.fromEntries(Object.entries(all).filter(([, sale]) => sale.reservation))
  } catch {
    return {}
  }
}

// unfinished are the sales that are reserved and neither paid nor cancelled, by customer.
export const unfinished = signal<Record<string, Sale>>({})

export function readUnfinished(): void {
  unfinished.value = read()
}

session.onForget(() => (unfinished.value = {}))

// keep keeps the open sale of a customer, or forgets it.
export function keep(customer: string, sale: Sale | null): void {
  const all = read()
  if (sale) all[customer] = sale
  else delete all[customer]
  if (place()) localStorage.setItem(place(), JSON.stringify(all))
  unfinished.value = all
}

const ended = ['reservation_ended', 'reservation_cancelled', 'reservation_lost', 'reservation_customer']

// isEnded reports whether a reservation can certainly not be confirmed any more.
export const isEnded = (e: unknown): e is Failure =>
  e instanceof Failure && (e.kind === 'missing' || ended.includes(e.code))

// confirm pays a sale under the number of its receipt, and returns how the reservation ended. A response that was lost
// may have confirmed it under another number before: that stays.
export async function confirm(
  { reservationId: reservation }: CheckoutReservationView,
  documentNumber: string,
  key: string,
): Promise<CheckoutReservationView> {
  return unlessConfirmed(
    reservation,
    write('POST', '/api/{store}/checkout/reservation/{reservation}/confirm', {
      params: { reservation },
      body: { reservation: { documentNumber } },
      key,
    }),
  )
}

// cancel gives back what is reserved, and returns how the reservation ended: it may have been confirmed before.
export async function cancel(of: CheckoutReservationView): Promise<CheckoutReservationView> {
  const { reservationId: reservation } = of
  try {
    return await unlessConfirmed(
      reservation,
      write('POST', '/api/{store}/checkout/reservation/{reservation}/cancel', { params: { reservation } }),
    )
  } catch (e) {
    if (isEnded(e)) return { ...of, state: 'expired' }
    throw e
  }
}

async function unlessConfirmed(
  reservation: string,
  request: Promise<CheckoutReservationView>,
): Promise<CheckoutReservationView> {
  try {
    return await request
  } catch (e) {
    if (!(e instanceof Failure && e.code === 'reservation_confirmed')) throw e
    return get('/api/{store}/checkout/reservation/{reservation}', { reservation })
  }
}
