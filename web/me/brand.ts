// Shows the name, logo and colors of the store, and links what is needed to install the app under its name.
import { effect, signal } from '@preact/signals'
import type { BrandingProgram, BrandingProgramAnswer } from '../api/types'
import { url } from '../api/client'
import * as session from '../api/session'
import { underway } from '../api/underway'
import { points, showTimesIn, t } from '../i18n/i18n'
import { money } from '../i18n/number'
import { brand, logo } from '../ui/brand'

export const program = signal<BrandingProgram | null>(null)

const name = (store: string): string => `punchcard.program.${store}`

// startBrand shows the look of the present store, and follows when another is chosen. What was seen before serves
// without a network.
export function startBrand(): void {
  effect(() => {
    const store = session.store.value
    try {
      show(JSON.parse(localStorage.getItem(name(store)) ?? 'null') as BrandingProgram | null)
    } catch {
      show(null)
    }
    void load(store)
  })
}

async function load(store: string): Promise<void> {
  try {
    const response = await underway(fetch(url('/api/{store}/settings/program')))
    if (!response.ok) return
    const found = ((await response.json()) as BrandingProgramAnswer).program
    localStorage.setItem(name(store), JSON.stringify(found))
    if (session.store.peek() === store) show(found)
  } catch {
    // Without a network, what was kept stays.
  }
}

// show takes over the look of a store.
export function show(p: BrandingProgram | null): void {
  program.value = p
  brand.value = p ? p.name || p.storeName : ''
  showTimesIn(p?.timezone)
  logo.value = p?.smallLogo ?? p?.logo ?? ''
  const root = document.documentElement
  root.classList.toggle('branded', !!p?.accentColor)
  if (!p) return
  link('stylesheet', url('/api/{store}/settings/css'))
  link('manifest', url('/api/{store}/settings/manifest'))
  link('icon', url('/api/{store}/settings/icon/{size}', { size: '192x192' }))
  link('apple-touch-icon', url('/api/{store}/settings/icon/{size}', { size: '192x192' }))
}

// link sets the address of a link of the page. Only one style sheet is the store's.
function link(rel: string, address: string): void {
  const selector = rel === 'stylesheet' ? 'link[data-store]' : `link[rel="${rel}"]`
  const found = document.head.querySelector<HTMLLinkElement>(selector)
  if (found?.getAttribute('href') === address) return
  const made = found ?? document.createElement('link')
  made.rel = rel
  if (rel === 'stylesheet') made.dataset['store'] = ''
  made.href = address
  if (!found) document.head.append(made)
}

// levelGoal describes what a level is reached by: points or sales, as the store has chosen.
export function levelGoal(value: number, currency: string): string {
  if (value === 0) return t('me.levelStart')
  return t('me.levelFrom', {
    goal: program.value?.tierAssignType === 'points' ? amount(value) : money(value, currency),
  })
}

// amount names a number of points, in the store's own word for them if it chose one.
export function amount(n: number): string {
  const p = program.value
  const own = p && p.pointsPlural && p.pointsPlural !== 'points'
  return own ? `${points(n)} ${n === 1 ? p.pointsSingular : p.pointsPlural}` : t('me.amount', { n, amount: points(n) })
}
