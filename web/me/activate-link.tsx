// Activates the account by the link in a message. A click is asked for, because programs that check mail open links,
// too.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { write } from '../api/client'
import { t } from '../i18n/i18n'
import { ButtonLink } from '../ui/basics'
import { Form, useForm } from '../ui/form'
import { Outside, ToSignIn } from '../ui/outside'
import type { RouteProps } from '../ui/router'
import { Activated } from './activate'

export default function ActivateByLink({ params }: RouteProps): JSX.Element {
  const [done, setDone] = useState(false)
  const form = useForm(
    {},
    async (_, key) => {
      await write('POST', '/api/{store}/customer/activate/{token}', { params: { token: params['token']! }, key })
      setDone(true)
    },
    false,
  )
  return (
    <Outside title={t('account.activate')}>
      {done ? (
        <Activated />
      ) : (
        <>
          <p>{t('account.activateByLink')}</p>
          <Form form={form} save={t('account.activateAction')}>
            {null}
          </Form>
          {form.failure?.kind === 'missing' && <ButtonLink to="/activate">{t('account.askForLink')}</ButtonLink>}
          <ToSignIn />
        </>
      )}
    </Outside>
  )
}
