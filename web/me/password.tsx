// Changes the customer's password, and signs them in with it: the change takes the refresh token of this session, too.
import type { JSX } from 'preact'
import { write } from '../api/client'
import * as session from '../api/session'
import { t } from '../i18n/i18n'
import { Card, Notice, Page } from '../ui/basics'
import { toast } from '../ui/dialog'
import { Form, TextField, useForm } from '../ui/form'
import { NewPassword } from '../ui/password'
import { navigate } from '../ui/router'

export default function Password(): JSX.Element {
  const form = useForm({ currentPassword: '', plainPassword: '' }, async (values, key) => {
    await write('POST', '/api/{store}/customer/password/change', { body: values, key })
    await session.signIn('me', session.store.value, session.claims.value?.username ?? '', values.plainPassword)
    toast(t('me.passwordChanged'))
    navigate('/account')
  })
  return (
    <Page title={t('me.changePassword')} back={{ to: '/account', text: t('me.me') }}>
      {session.isTemporary.value && (
        <Notice tone="warning" title={t('account.temporary')}>
          {t('account.temporaryText')}
        </Notice>
      )}
      <Card class="narrow">
        <Form form={form} cancel={() => navigate('/account')} save={t('me.changePassword')}>
          <TextField
            form={form}
            path="currentPassword"
            type="password"
            label={t('me.currentPassword')}
            autoComplete="current-password"
          />
          <NewPassword form={form} path="plainPassword" label={t('me.newPassword')} />
        </Form>
      </Card>
    </Page>
  )
}
