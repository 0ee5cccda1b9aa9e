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
  { path: '/confirm/:token', screen: () => import('./confirm') },
  { path: '/join', screen: () => import('./join'), open: true },
  { path: '/activate', screen: () => import('./activate'), open: true },
  { path: '/activate/:token', screen: () => import('./activate-link'), open: true },
  { path: '/forgotten', screen: () => import('./forgotten'), open: true },
  { path: '/reset/:token', screen: () => import('./reset'), open: true },
  { path: '/unsubscribe/:token', screen: () => import('./unsubscribe'), open: true },
]
