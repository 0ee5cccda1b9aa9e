// The frame around the cockpit's screens: sidebar, top bar and the command menu.
import { useSignal } from '@preact/signals'
import type { ComponentType, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import * as session from '../api/session'
import { underway } from '../api/underway'
import { chooseLanguage, dateTime, language, languages, t, type Language } from '../i18n/i18n'
import { Button, Empty } from '../ui/basics'
import { Menu, toastFailure } from '../ui/dialog'
import icon from '../ui/icon.svg'
import { Icon } from '../ui/icons'
import { href, navigate, place } from '../ui/router'
import { FactorsLater } from '../ui/second_factor'
import { SessionsDialog } from '../ui/sessions'
import { chooseRoomy, chooseTheme, roomy, theme, type Theme } from '../ui/theme'
import { CommandMenu } from './commands'
import { HelpDialog } from './help'
import { visibleNavigation } from './navigation'
import { PasswordDialog } from './password'
import { usePresentStore, useStoreClock, useStores, useUnknownStore } from './present_store'

export function Frame({ children }: { children: JSX.Element }): JSX.Element {
  const drawer = useSignal(false)
  const commands = useSignal(false)
  const help = useSignal(false)
  const isUnknown = useUnknownStore()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        commands.value = !commands.value
      }
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  useEffect(() => {
    drawer.value = false
  }, [place.value.path])
  return (
    <div class="frame">
      <a class="skip" href="#main">
        {t('app.skip')}
      </a>
      <header class="top">
        <span class="only-narrow">
          <Button kind="plain" icon="menu" label={t('nav.open')} onClick={() => (drawer.value = !drawer.value)} />
        </span>
        <a class="brand" href={href('/')}>
          <img src={icon} alt="" />
          <span>Punchcard</span>
        </a>
        <StoreSwitcher />
        <RoleBadge />
        <SandboxBadge />
        <span class="spacer" />
        <button type="button" class="command-button" onClick={() => (commands.value = true)}>
          <Icon name="search" size={16} />
          <span>{t('commands.title')}</span>
          <kbd>{/Mac/.test(navigator.platform) ? '⌘' : 'Ctrl'} K</kbd>
        </button>
        <Button kind="plain" icon="help" label={t('nav.help')} onClick={() => (help.value = true)} />
        <UserMenu />
      </header>
      <Sidebar open={drawer.value} close={() => (drawer.value = false)} />
      <main id="main" tabIndex={-1}>
        {isUnknown ? <UnknownStore /> : children}
      </main>
      {help.value && (
        <HelpDialog page={place.value.path.split('/')[1] || 'overview'} onClose={() => (help.value = false)} />
      )}
      {commands.value && <CommandMenu onClose={() => (commands.value = false)} />}
    </div>
  )
}

// UnknownStore stands for every screen of a store that does not exist, and leads to one that does.
function UnknownStore(): JSX.Element {
  const stores = useStores().data?.stores ?? []
  const first = stores.find((s) => s.active) ?? stores[0]!
  const open = (): void => {
    session.switchStore(first.code)
    navigate('/')
  }
  return (
    <Empty
      icon="search"
      title={t('signIn.noStore', { code: session.store.value })}
      action={<Button onClick={open}>{t('app.openStore', { name: first.name })}</Button>}
    />
  )
}

function Sidebar({ open, close }: { open: boolean; close: () => void }): JSX.Element {
  const path = place.value.path
  const isSandbox = usePresentStore()?.sandbox
  return (
    <>
      {open && <div class="curtain" onClick={close} />}
      <nav
        class={open ? 'sidebar open' : 'sidebar'}
        aria-label={t('nav.label')}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
        }}
      >
        {visibleNavigation(isSandbox).map((group) => (
          <div class="nav-group" key={group.title}>
            {group.items.length === 1 && group.items[0]!.title === group.title ? null : (
              <a class="nav-title" href={href(group.items[0]!.path)} title={t(group.title)}>
                <Icon name={group.icon} />
                <span>{t(group.title)}</span>
              </a>
            )}
            {group.items.map((item) => {
              const here = path === item.path || (item.path !== '/' && path.startsWith(item.path + '/'))
              const alone = group.items.length === 1 && item.title === group.title
              return (
                <a
                  key={item.path}
                  class={alone ? 'nav-title alone' : 'nav-item'}
                  href={href(item.path)}
                  aria-current={here ? 'page' : undefined}
                >
                  {alone && <Icon name={group.icon} />}
                  <span>{t(item.title)}</span>
                </a>
              )
            })}
          </div>
        ))}
      </nav>
    </>
  )
}

function StoreSwitcher(): JSX.Element | null {
  const stores = useStores().data?.stores ?? []
  const present = usePresentStore()
  if (!present) return null
  const name = <span class="store-name">{present.name}</span>
  if (stores.length < 2) return <div class="store only-wide">{name}</div>
  return (
    <Menu
      label={t('nav.store', { name: present.name })}
      class="button plain store"
      items={stores
        .filter((s) => s.active)
        .map((s) => ({
          text: s.name,
          checked: s.code === present.code,
          onClick: () => {
            session.switchStore(s.code)
            navigate('/')
          },
        }))}
    >
      {name}
      <Icon name="down" size={14} />
    </Menu>
  )
}

// RoleBadge names the role that counts in the store, of administrators who work in some stores only.
function RoleBadge(): JSX.Element | null {
  const here = session.roleHere()
  if (!here) return null
  const title = t('nav.roleHere', { store: here.name, role: here.role })
  return (
    <span class="badge accent only-wide" title={title} aria-label={title} role="note">
      {here.role}
    </span>
  )
}

// SandboxBadge marks a sandbox store and shows its time.
function SandboxBadge(): JSX.Element | null {
  const present = usePresentStore()
  const now = useStoreClock().data?.now
  if (!present?.sandbox) return null
  if (!now) return <span class="badge warning sandbox">{t('nav.sandbox')}</span>
  const time = dateTime(now)
  return (
    <a
      class="badge warning sandbox"
      href={href('/clock')}
      aria-label={t('nav.sandboxTime', { time })}
      title={t('nav.sandboxTime', { time })}
    >
      <Icon name="clock" size={16} />
      <span class="only-wide">
        {t('nav.sandbox')} · {time}
      </span>
    </a>
  )
}

function UserMenu(): JSX.Element {
  const password = useSignal(false)
  const sessions = useSignal(false)
  const factors = useSignal(false)
  const identities = useSignal<ComponentType<{ onClose: () => void }> | null>(null)
  const Identities = identities.value
  const { firstName, lastName, username } = { ...session.claims.value, ...session.caller.value }
  const name = [firstName, lastName].filter(Boolean).join(' ') || (username ?? '')
  const themes: [Theme, string][] = [
    ['system', t('theme.system')],
    ['light', t('theme.light')],
    ['dark', t('theme.dark')],
  ]
  return (
    <>
      <Menu
        label={t('nav.user', { name })}
        class="button plain square"
        items={[
          ...(Object.keys(languages) as Language[]).map((code) => ({
            text: languages[code],
            checked: code === language.value,
            onClick: () => void chooseLanguage(code),
          })),
          ...themes.map(([value, text]) => ({
            text,
            checked: theme.value === value,
            onClick: () => chooseTheme(value),
          })),
          { text: t('theme.roomy'), checked: roomy.value, onClick: () => chooseRoomy(!roomy.value) },
          { text: t('password.title'), onClick: () => (password.value = true) },
          { text: t('factors.title'), onClick: () => (factors.value = true) },
          { text: t('sessions.title'), onClick: () => (sessions.value = true) },
          {
            text: t('sso.own'),
            onClick: () =>
              void underway(import('../ui/identities')).then(
                (module) => (identities.value = module.default),
                toastFailure,
              ),
          },
          { text: t('nav.signOut'), onClick: () => void session.signOut() },
          { text: t('nav.signOutEverywhere'), onClick: () => void session.signOut(true) },
        ]}
      >
        <Icon name="user" />
      </Menu>
      {Identities && <Identities onClose={() => (identities.value = null)} />}
      {sessions.value && <SessionsDialog onClose={() => (sessions.value = false)} />}
      {factors.value && <FactorsLater onClose={() => (factors.value = false)} />}
      {password.value && <PasswordDialog onClose={() => (password.value = false)} />}
    </>
  )
}
