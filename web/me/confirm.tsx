// Confirms a new e-mail address or phone by the link in a message.
import type { JSX } from 'preact'
import { write } from '../api/client'
import { t } from '../i18n/i18n'
import { Card, Page } from '../ui/basics'
import { toast } from '../ui/dialog'
import { Form, useForm } from '../ui/form'
import { navigate, type RouteProps } from '../ui/router'

export default function Confirm({ params }: RouteProps): JSX.Element {
  const form = useForm(
    {},
    async (_, key) => {
      await write('POST', '/api/{store}/customer/confirm-change/{token}', { params: { token: params['token']! }, key })
      toast(t('account.contactConfirmed'))
      navigate('/account')
    },
    false,
  )
  return (
    <Page title={t('account.confirm')} back={{ to: '/account', text: t('me.me') }}>
      <Card class="narrow">
        <p>{t('account.confirmText')}</p>
        <Form form={form} cancel={() => navigate('/account')} save={t('account.confirmAction')}>
          {null}
        </Form>
      </Card>
    </Page>
  )
}
