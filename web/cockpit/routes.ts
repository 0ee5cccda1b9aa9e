// Every screen of the cockpit, one line each, and the navigation that leads to them. docs/screens.md lists the screens
// with their walks and pictures; a test fails for a route without them.
import type { Key } from '../i18n/i18n'
import type { IconName } from '../ui/icons'
import type { Route } from '../ui/router'

export const routes: Route[] = [
  { path: '/', screen: () => import('./overview/overview') },
  { path: '/campaigns', screen: () => import('./campaigns/list'), resource: 'REWARD_CAMPAIGN' },
  { path: '/campaigns/new', screen: () => import('./campaigns/gallery'), resource: 'REWARD_CAMPAIGN', access: 'MODIFY' },
  { path: '/campaigns/new/:recipe', screen: () => import('./campaigns/editor'), resource: 'REWARD_CAMPAIGN', access: 'MODIFY' },
  { path: '/campaigns/:campaign', screen: () => import('./campaigns/page'), resource: 'REWARD_CAMPAIGN' },
  { path: '/campaigns/:campaign/edit', screen: () => import('./campaigns/editor'), resource: 'REWARD_CAMPAIGN', access: 'MODIFY' },
  { path: '/bought', screen: () => import('./bought/list'), resource: 'REWARD_CAMPAIGN' },
  { path: '/categories', screen: () => import('./categories/list'), resource: 'REWARD_CAMPAIGN' },
  { path: '/cashback', screen: () => import('./cashback/list'), resource: 'REWARD_CAMPAIGN' },
  { path: '/levels', screen: () => import('./levels/list'), resource: 'LEVEL' },
  { path: '/levels/new', screen: () => import('./levels/editor'), resource: 'LEVEL', access: 'MODIFY' },
  { path: '/levels/:level', screen: () => import('./levels/page'), resource: 'LEVEL' },
  { path: '/levels/:level/edit', screen: () => import('./levels/editor'), resource: 'LEVEL', access: 'MODIFY' },
  { path: '/segments', screen: () => import('./segments/list'), resource: 'SEGMENT' },
  { path: '/segments/new', screen: () => import('./segments/editor'), resource: 'SEGMENT', access: 'MODIFY' },
  { path: '/segments/:segment', screen: () => import('./segments/page'), resource: 'SEGMENT' },
  { path: '/segments/:segment/edit', screen: () => import('./segments/editor'), resource: 'SEGMENT', access: 'MODIFY' },
  { path: '/transfers', screen: () => import('./points/list'), resource: 'POINT_TRANSFER' },
  { path: '/transfers/:transfer', screen: () => import('./points/page'), resource: 'POINT_TRANSFER' },
  { path: '/rules', screen: () => import('./rules/list'), resource: 'EARNING_RULE' },
  { path: '/rules/new', screen: () => import('./rules/gallery'), resource: 'EARNING_RULE', access: 'MODIFY' },
  { path: '/rules/new/:type', screen: () => import('./rules/editor'), resource: 'EARNING_RULE', access: 'MODIFY' },
  { path: '/rules/:rule', screen: () => import('./rules/page'), resource: 'EARNING_RULE' },
  { path: '/rules/:rule/edit', screen: () => import('./rules/editor'), resource: 'EARNING_RULE', access: 'MODIFY' },
  { path: '/customers', screen: () => import('./customers/list'), resource: 'CUSTOMER' },
  { path: '/customers/new', screen: () => import('./customers/form'), resource: 'CUSTOMER', access: 'MODIFY' },
  { path: '/customers/:customer/edit', screen: () => import('./customers/form'), resource: 'CUSTOMER', access: 'MODIFY' },
  { path: '/customers/:customer', screen: () => import('./customers/profile'), resource: 'CUSTOMER' },
  { path: '/invitations', screen: () => import('./customers/invitations'), resource: 'CUSTOMER' },
  { path: '/transactions', screen: () => import('./sales/list'), resource: 'TRANSACTION' },
  { path: '/transactions/new', screen: () => import('./sales/register'), resource: 'TRANSACTION', access: 'MODIFY' },
  { path: '/transactions/:transaction', screen: () => import('./sales/page'), resource: 'TRANSACTION' },
  { path: '/imports', screen: () => import('./imports/list') },
  { path: '/imports/new', screen: () => import('./imports/new') },
  { path: '/imports/:import', screen: () => import('./imports/page') },
  { path: '/points-of-sale', screen: () => import('./shops/pos_list'), resource: 'POS' },
  { path: '/points-of-sale/new', screen: () => import('./shops/pos_editor'), resource: 'POS', access: 'MODIFY' },
  { path: '/points-of-sale/:pos', screen: () => import('./shops/pos_editor'), resource: 'POS', access: 'MODIFY' },
  { path: '/sellers', screen: () => import('./shops/sellers'), resource: 'SELLER' },
  { path: '/sellers/new', screen: () => import('./shops/seller_editor'), resource: 'SELLER', access: 'MODIFY' },
  { path: '/sellers/:seller', screen: () => import('./shops/seller_editor'), resource: 'SELLER', access: 'MODIFY' },
  { path: '/settings', screen: () => import('./system/settings'), resource: 'SETTINGS' },
  { path: '/administrators', screen: () => import('./system/administrators'), resource: 'ADMIN' },
  { path: '/administrators/new', screen: () => import('./system/administrator'), resource: 'ADMIN', access: 'MODIFY' },
  { path: '/administrators/:admin', screen: () => import('./system/administrator'), resource: 'ADMIN' },
  { path: '/roles', screen: () => import('./system/roles'), resource: 'ACL' },
  { path: '/roles/new', screen: () => import('./system/role'), resource: 'ACL', access: 'MODIFY' },
  { path: '/roles/:role', screen: () => import('./system/role'), resource: 'ACL' },
  { path: '/stores', screen: () => import('./system/stores'), resource: 'STORE' },
  { path: '/clock', screen: () => import('./system/clock'), resource: 'STORE' },
  { path: '/languages', screen: () => import('./system/languages'), resource: 'SETTINGS' },
  { path: '/notifications', screen: () => import('./notifications/notifications') },
  { path: '/messages', screen: () => import('./messages/messages'), resource: 'SETTINGS' },
  { path: '/messages/:event', screen: () => import('./messages/editor'), resource: 'SETTINGS' },
  { path: '/webhooks', screen: () => import('./webhooks/list'), resource: 'SETTINGS' },
  { path: '/webhooks/new', screen: () => import('./webhooks/editor'), resource: 'SETTINGS', access: 'MODIFY' },
  { path: '/webhooks/:webhook', screen: () => import('./webhooks/page'), resource: 'SETTINGS' },
  { path: '/webhooks/:webhook/edit', screen: () => import('./webhooks/editor'), resource: 'SETTINGS', access: 'MODIFY' },
  { path: '/events', screen: () => import('./operations/events'), resource: 'EVENT' },
  { path: '/audit', screen: () => import('./audit/list'), resource: 'AUDIT' },
  { path: '/jobs', screen: () => import('./operations/jobs'), resource: 'SETTINGS' },
  { path: '/limits', screen: () => import('./operations/limits'), resource: 'SETTINGS' },
  { path: '/forgotten', screen: () => import('./system/forgotten'), open: true },
  { path: '/reset/:token', screen: () => import('./system/reset'), open: true },
]

export interface NavGroup {
  title: Key
  icon: IconName
  // anyOf are permissions that the route does not ask for, of which one is enough; sandbox items are for sandbox stores.
  items: { path: string; title: Key; anyOf?: string[]; sandbox?: boolean }[]
}

// navigation is the sidebar. An item is shown to those who may see the screen at its path.
export const navigation: NavGroup[] = [
  { title: 'nav.overview', icon: 'overview', items: [{ path: '/', title: 'nav.overview', anyOf: ['ANALYTICS'] }] },
  {
    title: 'nav.rewards', icon: 'rewards', items: [
      { path: '/campaigns', title: 'nav.campaigns' },
      { path: '/categories', title: 'nav.categories' },
      { path: '/bought', title: 'nav.bought' },
      { path: '/cashback', title: 'nav.cashback' },
    ],
  },
  {
    title: 'nav.customers', icon: 'customers', items: [
      { path: '/customers', title: 'nav.allCustomers' },
      { path: '/segments', title: 'nav.segments' },
      { path: '/levels', title: 'nav.levels' },
      { path: '/invitations', title: 'nav.invitations' },
    ],
  },
  {
    title: 'nav.points', icon: 'points', items: [
      { path: '/transfers', title: 'nav.transfers' },
      { path: '/rules', title: 'nav.rules' },
    ],
  },
  {
    title: 'nav.sales', icon: 'sales', items: [
      { path: '/transactions', title: 'nav.transactions' },
      { path: '/imports', title: 'nav.imports', anyOf: ['CUSTOMER', 'POINT_TRANSFER', 'TRANSACTION'] },
    ],
  },
  {
    title: 'nav.channels', icon: 'channels', items: [
      { path: '/notifications', title: 'nav.notifications', anyOf: ['REWARD_CAMPAIGN', 'SETTINGS'] },
      { path: '/messages', title: 'nav.messages' },
      { path: '/webhooks', title: 'nav.webhooks' },
      { path: '/events', title: 'nav.events' },
    ],
  },
  {
    title: 'nav.shops', icon: 'shops', items: [
      { path: '/points-of-sale', title: 'nav.pointsOfSale' },
      { path: '/sellers', title: 'nav.sellers' },
    ],
  },
  {
    title: 'nav.system', icon: 'system', items: [
      { path: '/settings', title: 'nav.settings' },
      { path: '/languages', title: 'nav.languages' },
      { path: '/stores', title: 'nav.stores' },
      { path: '/administrators', title: 'nav.administrators' },
      { path: '/roles', title: 'nav.roles' },
      { path: '/jobs', title: 'nav.jobs' },
      { path: '/audit', title: 'nav.audit' },
      { path: '/limits', title: 'nav.limits' },
      { path: '/clock', title: 'nav.clock', sandbox: true },
    ],
  },
]
