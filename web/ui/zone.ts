// The time zone of the present store, in which all times are shown. It is kept for times without a network.
import { effect } from '@preact/signals'
import type { BrandingProgramAnswer } from '../api/types'
import { url } from '../api/client'
import * as session from '../api/session'
import { underway } from '../api/underway'
import { showTimesIn } from '../i18n/i18n'

const name = (store: string): string => `punchcard.zone.${store}`

// startZone follows when another store is chosen.
export function startZone(): void {
  effect(() => {
    const store = session.store.value
    showTimesIn(store && localStorage.getItem(name(store)))
    if (store) void load(store)
  })
}

async function load(store: string): Promise<void> {
  try {
    const response = await underway(fetch(url('/api/{store}/settings/program')))
    if (!response.ok) return
    const { timezone } = ((await response.json()) as BrandingProgramAnswer).program
    localStorage.setItem(name(store), timezone)
    if (session.store.peek() === store) showTimesIn(timezone)
  } catch {
    // Without a network, what was kept stays.
  }
}
