// Everything about the customer: profile, look, installation, their data, and signing out.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { download, write } from '../api/client'
import * as session from '../api/session'
import { chooseLanguage, date, language, languages, t, type Language } from '../i18n/i18n'
import { Avatar } from '../ui/avatar'
import { Button, ButtonLink, Card, ErrorState, Facts, Page, Skeleton } from '../ui/basics'
import { Confirm, toastFailure } from '../ui/dialog'
import { FactorsLater } from '../ui/second_factor'
import { SessionsDialog } from '../ui/sessions'
import { chooseTheme, theme, type Theme } from '../ui/theme'
import { program } from './brand'
import { useCustomer, useMayEdit } from './data'
import { Install } from './install'
import { Leave } from './leave'
import { AsOf } from './parts'
import { Pending } from './pending'
import { Push } from './push'

export default function Account(): JSX.Element {
  const { data: c, error, reload, at } = useCustomer()
  const mayEdit = useMayEdit()
  const [leaving, setLeaving] = useState(false)
  const [showing, setShowing] = useState(false)
  const [proving, setProving] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const [busy, setBusy] = useState(false)
  const id = session.claims.value?.id ?? ''
  const save = async (): Promise<void> => {
    setBusy(true)
    await download('/api/{store}/customer/customer/{customer}/export', { customer: id }, 'my-data.json').catch(
      toastFailure,
    )
    setBusy(false)
  }
  const yesNo = (on: boolean): string => (on ? t('me.yes') : t('me.no'))
  return (
    <Page
      title={c ? `${c.firstName} ${c.lastName}` : t('me.me')}
      picture={c && <Avatar large path={c.avatarPath} version={c.version} name={`${c.firstName} ${c.lastName}`} />}
    >
      <AsOf at={at} />
      {error && !c && <ErrorState error={error} retry={reload} />}
      {!c && !error ? (
        <Skeleton lines={6} />
      ) : (
        <div class="columns two">
          {c && (
            <Card
              title={t('me.profile')}
              actions={
                mayEdit && (
                  <ButtonLink to="/account/profile" icon="edit" small>
                    {t('me.edit')}
                  </ButtonLink>
                )
              }
            >
              <Facts
                items={[
                  [t('signIn.email'), c.email],
                  [t('me.phone'), c.phone],
                  [t('me.cardNumber'), c.loyaltyCardNumber],
                  [t('me.birthDate'), date(c.birthDate)],
                  [t('me.marketing'), yesNo(c.agreement2)],
                  [t('me.dataProcessing'), yesNo(c.agreement3)],
                  [t('me.since'), date(c.createdAt)],
                ]}
              />
            </Card>
          )}
          <Pending />
          <Card title={t('me.invite')}>
            <p class="muted">{t('me.inviteLead')}</p>
            <ButtonLink to="/invite" icon="customers">
              {t('me.invite')}
            </ButtonLink>
          </Card>
          <Look
            onLanguage={(code) => {
              if (mayEdit)
                void write('PUT', '/api/{store}/customer/{customer}', {
                  params: { customer: id },
                  body: { customer: { locale: code } },
                }).catch(() => undefined)
            }}
          />
          <Push />
          <Install />
          <Card title={t('me.security')}>
            <div class="actions-list">
              <ButtonLink to="/account/password" icon="lock">
                {t('me.changePassword')}
              </ButtonLink>
              <Button icon="download" busy={busy} onClick={busy ? undefined : save}>
                {t('me.export')}
              </Button>
              <Button icon="lock" onClick={() => setProving(true)}>
                {t('factors.title')}
              </Button>
              <Button icon="card" onClick={() => setShowing(true)}>
                {t('sessions.title')}
              </Button>
              <Button icon="signOut" onClick={() => void session.signOut()}>
                {t('nav.signOut')}
              </Button>
              <Button kind="plain" onClick={() => setLeaving(true)}>
                {t('nav.signOutEverywhere')}
              </Button>
              <Button kind="plain" onClick={() => setDeleting(true)}>
                {t('me.leave.button')}
              </Button>
            </div>
          </Card>
          <Help />
        </div>
      )}
      {deleting && <Leave id={id} onClose={() => setDeleting(false)} />}
      {proving && <FactorsLater onClose={() => setProving(false)} />}
      {showing && <SessionsDialog onClose={() => setShowing(false)} />}
      {leaving && (
        <Confirm
          title={t('nav.signOutEverywhere')}
          action={t('nav.signOutEverywhere')}
          onConfirm={() => session.signOut(true)}
          onClose={() => setLeaving(false)}
        >
          {t('me.signOutEverywhereText')}
        </Confirm>
      )}
    </Page>
  )
}

// onLanguage stores the language for messages, too. It may fail, because the program can lack a language of the app.
function Look({ onLanguage }: { onLanguage: (code: Language) => void }): JSX.Element {
  const themes: [Theme, string][] = [
    ['system', t('theme.system')],
    ['light', t('theme.light')],
    ['dark', t('theme.dark')],
  ]
  return (
    <Card title={t('me.look')}>
      <div class="chips" role="group" aria-label={t('me.language')}>
        {(Object.keys(languages) as Language[]).map((code) => (
          <Button
            key={code}
            small
            pressed={code === language.value}
            onClick={() => {
              void chooseLanguage(code)
              onLanguage(code)
            }}
          >
            {languages[code]}
          </Button>
        ))}
      </div>
      <div class="chips" role="group" aria-label={t('me.look')}>
        {themes.map(([value, text]) => (
          <Button key={value} small pressed={theme.value === value} onClick={() => chooseTheme(value)}>
            {text}
          </Button>
        ))}
      </div>
    </Card>
  )
}

function Help(): JSX.Element | null {
  const p = program.value
  if (!p || (!p.faqUrl && !p.conditionsUrl && !p.helpEmailAddress && !p.url)) return null
  return (
    <Card title={t('me.help')}>
      <ul class="rows">
        {p.url && (
          <li>
            <a href={p.url} target="_blank" rel="noreferrer">
              {t('me.website')}
            </a>
          </li>
        )}
        {p.faqUrl && (
          <li>
            <a href={p.faqUrl} target="_blank" rel="noreferrer">
              {t('me.faq')}
            </a>
          </li>
        )}
        {p.conditionsUrl && (
          <li>
            <a href={p.conditionsUrl} target="_blank" rel="noreferrer">
              {t('me.terms')}
            </a>
          </li>
        )}
        {p.helpEmailAddress && (
          <li>
            <a href={`mailto:${p.helpEmailAddress}`}>{p.helpEmailAddress}</a>
          </li>
        )}
      </ul>
    </Card>
  )
}
