// Signing in, and registering as a new customer.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useQuery, write } from '../api/client'
import type { InvitationOpenView, StoreActivation } from '../api/types'
import * as session from '../api/session'
import { language, t } from '../i18n/i18n'
import { Notice, Skeleton } from '../ui/basics'
import { Checkbox, Form, TextField, useForm } from '../ui/form'
import { Outside, ToSignIn } from '../ui/outside'
import { NewPassword } from '../ui/password'
import { href, navigate, place } from '../ui/router'
import { SignIn, useStoreKnown } from '../ui/signin'
import { ByCode, LinkSent } from './activate'
import { program } from './brand'
import Join from './join'

// Start is what a visitor sees who is not signed in.
export function Start(): JSX.Element {
  const { data: activation, loading } = useQuery('/api/{store}/settings/activation')
  const isShown = useStoreKnown() && !session.signedOut.value
  const token = place.value.query.get('invitation')
  if (place.value.path === '/register') {
    if (loading && !activation) return <Waiting />
    return token ? <Invited key={token} token={token} activation={activation} /> : <Register activation={activation} />
  }
  if (place.value.path === '/' && isShown) return <Join />
  return (
    <SignIn name={activation?.method === 'sms' ? t('me.phoneOrEmail') : undefined}>
      <p class="others">
        {t('me.newHere')} <a href={href('/register')}>{t('me.register')}</a>
      </p>
      {activation?.required && (
        <p class="others">
          <a href={href('/activate')}>{t('account.activate')}</a>
        </p>
      )}
    </SignIn>
  )
}

const empty = {
  firstName: '',
  lastName: '',
  email: '',
  phone: '',
  plainPassword: '',
  agreement1: false,
  agreement2: false,
  agreement3: false,
}

function Waiting(): JSX.Element {
  return (
    <main class="sign-in" id="main" tabIndex={-1}>
      <Skeleton lines={6} />
    </main>
  )
}

// Invited is the registration of somebody who follows the link of an invitation. What the invitation knows is filled
// in.
function Invited({ token, activation }: { token: string; activation: StoreActivation | undefined }): JSX.Element {
  const { data, error } = useQuery('/api/{store}/invitation/{token}', { token })
  if (!data && !error) return <Waiting />
  return <Register activation={activation} token={data && token} invitation={data} />
}

function Register({
  activation,
  token,
  invitation,
}: {
  activation: StoreActivation | undefined
  token?: string
  invitation?: InvitationOpenView
}): JSX.Element {
  const [waiting, setWaiting] = useState(false)
  const byPhone = activation?.method === 'sms'
  const known = { email: invitation?.recipientEmail ?? '', phone: invitation?.recipientPhone ?? '' }
  const form = useForm({ ...empty, ...known }, async (values, key) => {
    await write('POST', '/api/{store}/customer/self_register', {
      params: { _locale: language.value },
      body: { customer: { ...values, invitationToken: token }, issueCard: 1 },
      key,
    })
    if (
      !activation?.required &&
      (await session.signIn('me', session.store.value, values.email || values.phone, values.plainPassword)) === 'done'
    ) {
      navigate('/')
    } else setWaiting(true)
  })
  const terms = program.value?.conditionsUrl
  if (waiting) {
    return (
      <Outside title={t('me.registerTitle')}>
        <Notice tone="success" title={t('me.registered')}>
          {activation?.required && t('me.waitForActivation')}
        </Notice>
        {!activation?.required ? (
          <ToSignIn primary />
        ) : byPhone ? (
          <ByCode phone={form.values.phone} />
        ) : (
          <LinkSent to={form.values.email} />
        )}
      </Outside>
    )
  }
  return (
    <Outside title={t('me.registerTitle')}>
      {invitation && (
        <Notice title={t('me.invitedBy', { name: invitation.referrerName })}>{t('me.invitedByHelp')}</Notice>
      )}
      {!token && place.value.query.get('invitation') && <Notice tone="warning">{t('me.invitationUsed')}</Notice>}
      {activation?.required && <Notice>{t('me.activationNeeded')}</Notice>}
      <Form form={form} save={t('me.register')}>
        <TextField form={form} path="firstName" label={t('me.firstName')} autoComplete="given-name" />
        <TextField form={form} path="lastName" label={t('me.lastName')} autoComplete="family-name" />
        <TextField
          form={form}
          path="email"
          type="email"
          label={t('signIn.email')}
          autoComplete="email"
          optional={byPhone}
        />
        <TextField form={form} path="phone" type="tel" label={t('me.phone')} autoComplete="tel" optional={!byPhone} />
        <NewPassword form={form} path="plainPassword" label={t('signIn.password')} />
        <Checkbox form={form} path="agreement1" label={t('me.agreeTerms')} />
        {terms && (
          <a href={terms} target="_blank" rel="noreferrer">
            {t('me.terms')}
          </a>
        )}
        <Checkbox form={form} path="agreement2" label={t('me.agreeMarketing')} />
        <Checkbox form={form} path="agreement3" label={t('me.agreeData')} />
      </Form>
      <p class="others">
        {t('me.haveAccount')} <a href={href('/sign-in')}>{t('signIn.submit')}</a>
      </p>
    </Outside>
  )
}
