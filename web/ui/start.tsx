// Starts an app: session, texts, theme and routes, then the page.
import type { ComponentType, JSX } from 'preact'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { isReachable, online } from '../api/client'
import * as session from '../api/session'
import { underway } from '../api/underway'
import { language, startTexts, t, type TextLoaders } from '../i18n/i18n'
import { Empty, Skeleton } from './basics'
import { Toasts } from './dialog'
import { keepFocus } from './focus'
import { Icon } from './icons'
import { SecondFactor } from './second_factor'
import { match, place, startRouter, type Route, type RouteProps } from './router'
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
  const asked = new URLSearchParams(location.search).get('store')
  session.start(parts.app, asked || session.rememberedStore(parts.app) || 'DEFAULT')
  startRouter(parts.base, parts.routes)
  await startTexts(parts.texts)
  render(<Root {...parts} />, document.getElementById('app')!)
}

function Root({ frame: Frame, signIn: SignIn }: AppParts): JSX.Element {
  const isOpen = match(place.value.path)?.route.open
  const isAway = !online.value
  useServerSought(isAway) // a call may fail after the device has found the network again
  return (
    <div key={language.value}>
      {isAway && (
        <div class="offline" role="status">
          <Icon name="wifiOff" size={16} />
          {t('app.offline')}
        </div>
      )}
      {isOpen ? (
        <Screen />
      ) : session.claims.value ? (
        <Frame key={session.claims.value?.id}>
          <Screen />
        </Frame>
      ) : (
        <SignIn />
      )}
      <SecondFactor />
      <Toasts />
    </div>
  )
}

// Screen loads and shows the screen of the present place.
function Screen(): JSX.Element {
  const found = match(place.value.path)
  const route = found?.route
  const [loaded, setLoaded] = useState<{ route: Route; screen: ComponentType<RouteProps> } | null>(null)
  const [broken, setBroken] = useState<'away' | 'changed' | null>(null)
  useEffect(() => {
    if (!route) return
    let left = false
    setBroken(null)
    underway(route.screen()).then(
      (module) => {
        if (!left) setLoaded({ route, screen: module.default })
      },
      async () => {
        const why = (await isReachable()) ? 'changed' : 'away'
        if (!left) setBroken(why)
      },
    )
    return () => {
      left = true
    }
  }, [route])
  if (!route)
    return (
      <Empty
        icon="search"
        title={t('app.noScreen')}
        action={
          <a class="button" href={location.pathname.split('/').slice(0, 2).join('/')}>
            {t('app.toStart')}
          </a>
        }
      />
    )
  if (route.resource && !session.may(route.resource, route.access)) {
    return (
      <Empty icon="lock" title={t('error.forbidden')}>
        {t('app.askForPermission')}
      </Empty>
    )
  }
  if (broken === 'away') return <Away />
  if (broken === 'changed')
    return (
      <Empty
        icon="refresh"
        title={t('app.newVersion')}
        action={
          <button type="button" class="button" onClick={() => location.reload()}>
            {t('app.reload')}
          </button>
        }
      />
    )
  if (loaded?.route !== route) return <Skeleton lines={6} />
  const Shown = loaded.screen
  return <Shown params={found.params} key={JSON.stringify(found.params)} />
}

const askAgain = 3000 // milliseconds

// Away stands for a screen that could not be loaded because the server is away. The page is loaded again as soon as the
// server answers: browsers may keep it in mind that a part of it failed.
function Away(): JSX.Element {
  useServerSought(true, () => location.reload())
  return (
    <Empty icon="wifiOff" title={t('error.network')}>
      {t('app.comesBack')}
    </Empty>
  )
}

// useServerSought asks for the server while it is away, until it answers.
function useServerSought(isAway: boolean, onFound?: () => void): void {
  useEffect(() => {
    if (!isAway) return
    let timer = 0
    const ask = async (): Promise<void> => {
      clearTimeout(timer)
      if (await isReachable()) onFound?.()
      else timer = setTimeout(() => void ask(), askAgain)
    }
    addEventListener('online', ask)
    timer = setTimeout(() => void ask(), askAgain)
    return () => {
      clearTimeout(timer)
      removeEventListener('online', ask)
    }
  }, [isAway])
}
