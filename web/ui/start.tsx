// Starts an app: session, texts, theme and routes, then the page.
import type { ComponentType, JSX } from 'preact'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { online } from '../api/client'
import * as session from '../api/session'
import { language, startTexts, t, type TextLoaders } from '../i18n/i18n'
import { Empty, Skeleton } from './basics'
import { Toasts } from './dialog'
import { keepFocus } from './focus'
import { Icon } from './icons'
import { match, place, startRouter, storeOfAddress, type Route, type RouteProps } from './router'
import { startTheme } from './theme'

export interface AppParts {
  app: session.App
  base: string // path of the app, such as /till
  texts: TextLoaders
  routes: Route[]
  frame: ComponentType<{ children: JSX.Element }> // navigation around the screens
  signIn: ComponentType
}

export async function startApp(parts: AppParts): Promise<void> {
  startTheme()
  keepFocus()
  const asked = storeOfAddress(parts.base) || new URLSearchParams(location.search).get('store')
  session.start(parts.app, asked || localStorage.getItem(`punchcard.store.${parts.app}`) || 'DEFAULT')
  startRouter(parts.base, parts.routes)
  await startTexts(parts.texts)
  render(<Root {...parts} />, document.getElementById('app')!)
}

function Root({ app, frame: Frame, signIn: SignIn }: AppParts): JSX.Element {
  const shown = session.store.value
  const isOpen = match(place.value.path)?.route.open
  useEffect(() => localStorage.setItem(`punchcard.store.${app}`, shown), [shown])
  return (
    <div key={language.value}>
      {!online.value && <div class="offline" role="status"><Icon name="wifiOff" size={16} />{t('app.offline')}</div>}
      {isOpen ? <Screen /> : session.tokens.value ? <Frame><Screen /></Frame> : <SignIn />}
      <Toasts />
    </div>
  )
}

// Screen loads and shows the screen of the present place.
function Screen(): JSX.Element {
  const found = match(place.value.path)
  const route = found?.route
  const [loaded, setLoaded] = useState<{ route: Route; screen: ComponentType<RouteProps> } | null>(null)
  const [broken, setBroken] = useState(false)
  useEffect(() => {
    if (!route) return
    let left = false
    setBroken(false)
    route.screen().then(
      (module) => { if (!left) setLoaded({ route, screen: module.default }) },
      () => { if (!left) setBroken(true) },
    )
    return () => { left = true }
  }, [route])
  if (!route) return <Empty icon="search" title={t('app.noScreen')} action={<a class="button" href={location.pathname.split('/').slice(0, 2).join('/')}>{t('app.toStart')}</a>} />
  if (route.resource && !session.may(route.resource, route.access)) {
    return <Empty icon="lock" title={t('error.forbidden')}>{t('app.askForPermission')}</Empty>
  }
  if (broken) return <Empty icon="refresh" title={t('app.newVersion')} action={<button type="button" class="button" onClick={() => location.reload()}>{t('app.reload')}</button>} />
  if (loaded?.route !== route) return <Skeleton lines={6} />
  const Shown = loaded.screen
  return <Shown params={found.params} key={JSON.stringify(found.params)} />
}
