// The frame around the screens of the customer's app.
import type { JSX } from 'preact'
import * as session from '../api/session'
import { t } from '../i18n/i18n'
import { Menu } from '../ui/dialog'
import icon from '../ui/icon.svg'
import { Icon } from '../ui/icons'
import { href } from '../ui/router'

export function Frame({ children }: { children: JSX.Element }): JSX.Element {
  return (
    <div class="me">
      <header class="top">
        <a class="brand" href={href('/')}><img src={icon} alt="" /><span>{t('signIn.me')}</span></a>
        <span class="spacer" />
        <Menu label={t('nav.user', { name: session.claims.value?.username ?? '' })} class="button plain square" items={[
          { text: t('nav.signOut'), onClick: () => void session.signOut() },
        ]}><Icon name="user" /></Menu>
      </header>
      <main id="main" tabIndex={-1}>{children}</main>
    </div>
  )
}
