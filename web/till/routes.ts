// Every screen of the till, one line each.
import type { Route } from '../ui/router'

export const routes: Route[] = [
  { path: '/', screen: () => import('./counter') },
  { path: '/forgotten', screen: () => import('./forgotten'), open: true },
  { path: '/sso/:provider', screen: () => import('../ui/sso_return'), open: true },
  { path: '/reset/:token', screen: () => import('./reset'), open: true },
]
