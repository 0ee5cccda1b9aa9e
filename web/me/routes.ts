// Every screen of the customer's app, one line each.
import type { Route } from '../ui/router'

export const routes: Route[] = [
  { path: '/', screen: () => import('./rewards') },
  { path: '/rewards/:campaign', screen: () => import('./reward') },
  { path: '/coupons', screen: () => import('./coupons') },
  { path: '/coupons/:coupon', screen: () => import('./coupon') },
  { path: '/card', screen: () => import('./card') },
  { path: '/points', screen: () => import('./points') },
  { path: '/inbox', screen: () => import('./inbox') },
  { path: '/invite', screen: () => import('./invite') },
  { path: '/account', screen: () => import('./account') },
  { path: '/account/profile', screen: () => import('./profile') },
  { path: '/account/password', screen: () => import('./password') },
]
