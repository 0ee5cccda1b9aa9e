// Every screen of the customer's app, one line each.
import type { Route } from '../ui/router'

export const routes: Route[] = [
  { path: '/', screen: () => import('./rewards') },
]
