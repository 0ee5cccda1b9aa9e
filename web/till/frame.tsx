// The frame around the till's screens.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as session from '../api/session'
import { chooseLanguage, language, languages, t, type Language } from '../i18n/i18n'
import { Badge } from '../ui/basics'
import { Confirm, Menu } from '../ui/dialog'
import icon from '../ui/icon.svg'
import { Icon } from '../ui/icons'
import { href } from '../ui/router'
import { FactorsLater } from '../ui/second_factor'
import { SessionsDialog } from '../ui/sessions'
import { chooseTheme, theme, type Theme } from '../ui/theme'
import { entries, waiting } from './queue'
import { seller } from './seller'

export function Frame({ children }: { children: JSX.Element }): JSX.Element {
  return (
    <div class="till">
      <header class="top">
        <a class="brand" href={href('/')}><img src={icon} alt="" /><span>{seller.value?.posName ?? t('signIn.till')}</span></a>
        <span class="spacer" />
        {entries.value.length > 0 && <Badge tone="warning">{t('till.notConfirmed', { n: entries.value.length })}</Badge>}
        <UserMenu />
      </header>
      <main id="main" tabIndex={-1}>{children}</main>
    </div>
  )
}

function UserMenu(): JSX.Element {
  const [leaving, setLeaving] = useState(false)
  const [showing, setShowing] = useState(false)
  const [proving, setProving] = useState(false)
  const name = seller.value?.name ?? session.claims.value?.username ?? ''
  const themes: [Theme, string][] = [['system', t('theme.system')], ['light', t('theme.light')], ['dark', t('theme.dark')]]
  const signOut = (): void => {
    if (waiting() > 0) setLeaving(true)
    else void session.signOut()
  }
  return (
    <>
      <Menu label={t('nav.user', { name })} class="button plain account" items={[
        ...(Object.keys(languages) as Language[]).map((code) => ({
          text: languages[code], checked: code === language.value, onClick: () => void chooseLanguage(code),
        })),
        ...themes.map(([value, text]) => ({ text, checked: theme.value === value, onClick: () => chooseTheme(value) })),
        { text: t('factors.title'), onClick: () => setProving(true) },
        { text: t('sessions.title'), onClick: () => setShowing(true) },
        { text: t('nav.signOut'), onClick: signOut },
      ]}><Icon name="user" /><span>{name}</span></Menu>
      {showing && <SessionsDialog onClose={() => setShowing(false)} />}
      {proving && <FactorsLater onClose={() => setProving(false)} />}
      {leaving && (
        <Confirm title={t('till.leaveTitle', { n: waiting() })} action={t('nav.signOut')} onClose={() => setLeaving(false)}
          onConfirm={() => session.signOut()}>
          {t('till.leaveText')}
        </Confirm>
      )}
    </>
  )
}
