import * as session from '../api/session'
import type { Key } from '../i18n/i18n'
import type { IconName } from '../ui/icons'
import { match } from '../ui/router'

export interface NavGroup {
  title: Key
  icon: IconName
  // anyOf are permissions that the route does not ask for, of which one is enough; sandbox items are for sandbox
  // stores.
  items: { path: string; title: Key; anyOf?: string[]; sandbox?: boolean }[]
}

// navigation is the sidebar, and the pages of the command menu. An item is shown to those who may see the screen at its
// path.
const navigation: NavGroup[] = [
  { title: 'nav.overview', icon: 'overview', items: [{ path: '/', title: 'nav.overview', anyOf: ['ANALYTICS'] }] },
  { title: 'nav.reports', icon: 'chart', items: [{ path: '/reports', title: 'nav.reports' }] },
  {
    title: 'nav.rewards',
    icon: 'rewards',
    items: [
      { path: '/campaigns', title: 'nav.campaigns' },
      { path: '/try-it', title: 'nav.tryIt' },
      { path: '/categories', title: 'nav.categories' },
      { path: '/bought', title: 'nav.bought' },
      { path: '/cashback', title: 'nav.cashback' },
    ],
  },
  {
    title: 'nav.customers',
    icon: 'customers',
    items: [
      { path: '/customers', title: 'nav.allCustomers' },
      { path: '/segments', title: 'nav.segments' },
      { path: '/bulk-actions', title: 'nav.bulkActions' },
      { path: '/levels', title: 'nav.levels' },
      { path: '/joining', title: 'nav.joining' },
      { path: '/invitations', title: 'nav.invitations' },
    ],
  },
  {
    title: 'nav.points',
    icon: 'points',
    items: [
      { path: '/transfers', title: 'nav.transfers' },
      { path: '/owed', title: 'nav.owed' },
      { path: '/rules', title: 'nav.rules' },
    ],
  },
  {
    title: 'nav.sales',
    icon: 'sales',
    items: [
      { path: '/transactions', title: 'nav.transactions' },
      { path: '/imports', title: 'nav.imports', anyOf: ['CUSTOMER', 'POINT_TRANSFER', 'TRANSACTION'] },
    ],
  },
  {
    title: 'nav.channels',
    icon: 'channels',
    items: [
      { path: '/mailings', title: 'nav.mailings' },
      { path: '/journeys', title: 'nav.journeys' },
      { path: '/notifications', title: 'nav.notifications' },
      { path: '/messages', title: 'nav.messages' },
      { path: '/webhooks', title: 'nav.webhooks' },
      { path: '/events', title: 'nav.events' },
    ],
  },
  {
    title: 'nav.shops',
    icon: 'shops',
    items: [
      { path: '/points-of-sale', title: 'nav.pointsOfSale' },
      { path: '/sellers', title: 'nav.sellers' },
    ],
  },
  {
    title: 'nav.system',
    icon: 'system',
    items: [
      { path: '/settings', title: 'nav.settings' },
      { path: '/languages', title: 'nav.languages' },
      { path: '/stores', title: 'nav.stores' },
      { path: '/administrators', title: 'nav.administrators' },
      { path: '/roles', title: 'nav.roles' },
      { path: '/keys', title: 'nav.keys' },
      { path: '/single-sign-on', title: 'nav.singleSignOn' },
      { path: '/jobs', title: 'nav.jobs' },
      { path: '/audit', title: 'nav.audit' },
      { path: '/limits', title: 'nav.limits' },
      { path: '/clock', title: 'nav.clock', sandbox: true },
    ],
  },
]

// visibleNavigation leaves out what the administrator may not see, and what only a sandbox store has.
export function visibleNavigation(isSandbox = false): NavGroup[] {
  return navigation
    .map((group) => ({
      ...group,
      items: group.items.filter((item) => {
        const route = match(item.path)?.route
        if ((item.sandbox && !isSandbox) || (item.anyOf && !item.anyOf.some((resource) => session.may(resource))))
          return false
        return route && (!route.resource || session.may(route.resource, route.access))
      }),
    }))
    .filter((group) => group.items.length > 0)
}
