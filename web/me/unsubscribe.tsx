// Ends marketing messages by the link in one of them. A click is asked for, because programs that check mail open
// links, too.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { write } from '../api/client'
import { t } from '../i18n/i18n'
import { Notice } from '../ui/basics'
import { Form, useForm } from '../ui/form'
import { Outside, ToSignIn } from '../ui/outside'
import type { RouteProps } from '../ui/router'

export default function Unsubscribe({ params }: RouteProps): JSX.Element {
  const [done, setDone] = useState(false)
  const form = useForm(
    {},
    async (_, key) => {
      await write('POST', '/api/{store}/customer/unsubscribe/{token}', { params: { token: params['token']! }, key })
      setDone(true)
    },
    false,
  )
  return (
    <Outside title={t('account.unsubscribe')}>
      {done && (
        <Notice tone="success" title={t('account.unsubscribed')}>
          {t('account.unsubscribedText')}
        </Notice>
      )}
      {!done && <p>{t('account.unsubscribeText')}</p>}
      {!done && (
        <Form form={form} save={t('account.unsubscribeAction')}>
          {null}
        </Form>
      )}
      <ToSignIn />
    </Outside>
  )
}
