// The frame around the till's screens.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import * as session from '../api/session'
import { chooseLanguage, language, languages, t, type Language } from '../i18n/i18n'
import { Badge } from '../ui/basics'
import { Confirm, Menu } from '../ui/dialog'
import icon from '../ui/icon.svg'
import { Icon } from '../ui/icons'
import { href } from '../ui/router'
import { FactorsLater, Later } from '../ui/second_factor'
import { SessionsDialog } from '../ui/sessions'
import { chooseTheme, theme, type Theme } from '../ui/theme'
import { entries, waiting } from './queue'
import { isEnrolled } from './enrolled'
import { seller } from './seller'

export function Frame({ children }: { children: JSX.Element }): JSX.Element {
  useEffect(lockWhenIdle, [])
  return (
    <div class="till">
      <header class="top">
        <a class="brand" href={href('/')}>
          <img src={icon} alt="" />
          <span>{seller.value?.posName ?? t('signIn.till')}</span>
        </a>
        <span class="spacer" />
        {entries.value.length > 0 && (
          <Badge tone="warning">{t('till.notConfirmed', { n: entries.value.length })}</Badge>
        )}
        <UserMenu />
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

// lockWhenIdle locks a session with a PIN that nobody uses, at the time at which the server ends it.
function lockWhenIdle(): (() => void) | undefined {
  const idle = session.claims.value?.pinIdle
  if (!idle) return
  let timer = 0
  const begin = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void session.lock(), idle * 1000)
  }
  begin()
  addEventListener('pointerdown', begin)
  addEventListener('keydown', begin)
  return () => {
    clearTimeout(timer)
    removeEventListener('pointerdown', begin)
    removeEventListener('keydown', begin)
  }
}

function UserMenu(): JSX.Element {
  const [leaving, setLeaving] = useState(false)
  const [showing, setShowing] = useState(false)
  const [proving, setProving] = useState(false)
  const [dialog, setDialog] = useState<'pin' | 'tills' | 'identities' | null>(null)
  const byPin = session.byPin()
  const name = seller.value?.name ?? session.claims.value?.username ?? ''
  const themes: [Theme, string][] = [
    ['system', t('theme.system')],
    ['light', t('theme.light')],
    ['dark', t('theme.dark')],
  ]
  const signOut = (): void => {
    if (waiting() > 0) setLeaving(true)
    else void session.signOut()
  }
  return (
    <>
      <Menu
        label={t('nav.user', { name })}
        class="button plain account"
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
          !byPin && { text: t('till.setPin'), onClick: () => setDialog('pin') },
          !byPin && { text: t('tills.title'), onClick: () => setDialog('tills') },
          !byPin && { text: t('factors.title'), onClick: () => setProving(true) },
          !byPin && { text: t('sso.own'), onClick: () => setDialog('identities') },
          !byPin && { text: t('sessions.title'), onClick: () => setShowing(true) },
          isEnrolled() && { text: t('till.lock'), onClick: () => void session.lock() },
          !byPin && { text: t('nav.signOut'), onClick: signOut },
        ]}
      >
        <Icon name="user" />
        <span>{name}</span>
      </Menu>
      {showing && <SessionsDialog onClose={() => setShowing(false)} />}
      {dialog === 'pin' && <Later load={() => import('./pin')} props={{ onClose: () => setDialog(null) }} />}
      {dialog === 'tills' && <Later load={() => import('./tills')} props={{ onClose: () => setDialog(null) }} />}
      {dialog === 'identities' && (
        <Later load={() => import('../ui/identities')} props={{ onClose: () => setDialog(null) }} />
      )}
      {proving && <FactorsLater onClose={() => setProving(false)} />}
      {leaving && (
        <Confirm
          title={t('till.leaveTitle', { n: waiting() })}
          action={t('nav.signOut')}
          onClose={() => setLeaving(false)}
          onConfirm={() => session.signOut()}
        >
          {t('till.leaveText')}
        </Confirm>
      )}
    </>
  )
}
