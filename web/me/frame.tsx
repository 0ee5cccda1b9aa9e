// The frame around the screens of the customer's app. A card or coupon that is shown at the counter has none.
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { stale, useQuery } from '../api/client'
import { number, t } from '../i18n/i18n'
import { brand, logo } from '../ui/brand'
import icon from '../ui/icon.svg'
import { Icon, type IconName } from '../ui/icons'
import { href, navigate, place } from '../ui/router'
import { lastTab } from './parts'

export function Frame({ children }: { children: JSX.Element }): JSX.Element {
  const path = place.value.path
  useEffect(() => {
    if (['/register', '/sign-in'].includes(place.peek().path)) navigate('/')
  }, [path])
  const unread = useQuery('/api/{store}/customer/notification', { unread: 1, perPage: 1 }).data?.unread ?? 0
  useEffect(() => {
    // an installed app is opened again hours later, and networks come back
    const refresh = (): void => {
      if (!document.hidden) stale()
    }
    document.addEventListener('visibilitychange', refresh)
    addEventListener('online', refresh)
    return () => {
      document.removeEventListener('visibilitychange', refresh)
      removeEventListener('online', refresh)
    }
  }, [])
  const counter = path === '/card' || /^\/coupons\/./.test(path)
  const content = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!counter) lastTab.value = path
    content.current?.scrollTo(0, 0)
  }, [path])
  if (counter) {
    return (
      <main id="main" class="counter" tabIndex={-1}>
        {children}
      </main>
    )
  }
  return (
    <div class="me">
      <a class="skip" href="#main">
        {t('app.skip')}
      </a>
      <header class="top">
        <a class="brand" href={href('/')}>
          <img src={logo.value || icon} alt="" />
          <span>{brand.value || t('signIn.me')}</span>
        </a>
        <span class="spacer" />
        <a
          class="button plain bell"
          href={href('/inbox')}
          aria-label={t('me.inboxOf', { n: unread })}
          aria-current={path === '/inbox' ? 'page' : undefined}
        >
          <Icon name="bell" />
          {unread > 0 && (
            <span class="count" aria-hidden="true">
              {unread > 99 ? '99+' : number(unread)}
            </span>
          )}
        </a>
      </header>
      <nav class="bar" aria-label={t('nav.label')}>
        <Tab to="/" icon="rewards" text={t('me.rewards')} here={path === '/' || path.startsWith('/rewards/')} />
        <Tab to="/coupons" icon="coupon" text={t('me.coupons')} here={path === '/coupons'} />
        <Tab to="/card" icon="card" text={t('me.card')} here={false} middle />
        <Tab to="/points" icon="points" text={t('me.points')} here={path === '/points'} />
        <Tab to="/account" icon="user" text={t('me.me')} here={path.startsWith('/account') || path === '/invite'} />
      </nav>
      <main id="main" tabIndex={0} ref={content}>
        {children}
      </main>
    </div>
  )
}

function Tab({
  to,
  icon: name,
  text,
  here,
  middle,
}: {
  to: string
  icon: IconName
  text: string
  here: boolean
  middle?: boolean
}): JSX.Element {
  return (
    <a class={middle ? 'middle' : ''} href={href(to)} aria-current={here ? 'page' : undefined}>
      <span class="pill">
        <Icon name={name} size={22} />
      </span>
      <span>{text}</span>
    </a>
  )
}
