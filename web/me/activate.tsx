// Activates the account: by the code of an SMS, or by the link in an e-mail, which can be sent again here.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useQuery, write } from '../api/client'
import { t } from '../i18n/i18n'
import { Notice } from '../ui/basics'
import { Form, TextField, useForm } from '../ui/form'
import { Outside, SendAgain, ToSignIn } from '../ui/outside'

export default function Activate(): JSX.Element {
  const activation = useQuery('/api/{store}/settings/activation').data
  return <Outside title={t('account.activate')}>{activation?.method === 'sms' ? <ByCode /> : <ByLink />}</Outside>
}

const sendCode = '/api/{store}/customer/customer-phone/send-sms-code'
const sendLink = '/api/{store}/customer/activation/request'

// ByCode asks for the code that was sent to a phone.
export function ByCode({ phone = '' }: { phone?: string }): JSX.Element {
  const [done, setDone] = useState(false)
  const form = useForm(
    { phone, code: '' },
    async (values, key) => {
      const code = values.code.replace(/\s/g, '') || '-'
      await write('POST', '/api/{store}/customer/activate-sms/{token}', {
        params: { token: code },
        body: { phone: values.phone.trim() },
        key,
      })
      setDone(true)
    },
    false,
  )
  if (done) return <Activated />
  return (
    <>
      <p>{t('account.codeText')}</p>
      <Form form={form} save={t('account.activateAction')}>
        <TextField form={form} path="phone" type="tel" label={t('me.phone')} autoComplete="tel" />
        <TextField form={form} path="code" label={t('account.code')} autoComplete="one-time-code" />
      </Form>
      {form.values.phone.trim() && (
        <SendAgain send={() => write('POST', sendCode, { body: { phone: form.values.phone.trim() } })} />
      )}
      <ToSignIn />
    </>
  )
}

// ByLink sends the link again.
function ByLink(): JSX.Element {
  const [sentTo, setSentTo] = useState('')
  const form = useForm(
    { username: '' },
    async (values, key) => {
      await write('POST', sendLink, { body: { username: values.username.trim() }, key })
      setSentTo(values.username.trim())
    },
    false,
  )
  if (sentTo) return <LinkSent to={sentTo} />
  return (
    <>
      <p>{t('account.activateText')}</p>
      <Form form={form} save={t('account.sendLink')}>
        <TextField form={form} path="username" type="email" label={t('signIn.email')} autoComplete="email" />
      </Form>
      <ToSignIn />
    </>
  )
}

export function LinkSent({ to }: { to: string }): JSX.Element {
  return (
    <>
      <Notice tone="success" title={t('account.linkSent')}>
        {t('account.activationSentText', { name: to })}
      </Notice>
      <SendAgain send={() => write('POST', sendLink, { body: { username: to } })} />
      <ToSignIn />
    </>
  )
}

export function Activated(): JSX.Element {
  return (
    <>
      <Notice tone="success" title={t('account.activated')}>
        {t('account.activatedText')}
      </Notice>
      <ToSignIn primary />
    </>
  )
}
