// New contacts that wait for the customer's confirmation, with a field for the code that was sent to them.
import type { JSX } from 'preact'
import { useQuery, write } from '../api/client'
import * as session from '../api/session'
import { t } from '../i18n/i18n'
import { Card } from '../ui/basics'
import { toast } from '../ui/dialog'
import { Form, TextField, useForm } from '../ui/form'
import { SendAgain } from '../ui/outside'

export function Pending(): JSX.Element | null {
  const id = session.claims.value?.id ?? ''
  const changes =
    useQuery('/api/{store}/customer/customer/{customer}/account', { customer: id }).data?.pendingChanges ?? []
  const form = useForm(
    { code: '' },
    async (values, key) => {
      const code = values.code.replace(/\s/g, '') || '-'
      await write('POST', '/api/{store}/customer/confirm-change/{token}', { params: { token: code }, key })
      form.replace({ code: '' })
      toast(t('account.contactConfirmed'))
    },
    false,
  )
  if (changes.length === 0) return null
  return (
    <Card title={t('account.waitingContacts')}>
      <ul class="rows">
        {changes.map((c) => (
          <li key={c.field}>
            <div>{t(c.field === 'phone' ? 'account.waitingPhone' : 'account.waitingEmail', { value: c.value })}</div>
            <SendAgain
              send={() =>
                write('PUT', '/api/{store}/customer/{customer}', {
                  params: { customer: id },
                  body: { customer: c.field === 'phone' ? { phone: c.value } : { email: c.value } },
                })
              }
            />
          </li>
        ))}
      </ul>
      <Form form={form} save={t('account.confirmAction')}>
        <TextField form={form} path="code" label={t('account.code')} autoComplete="one-time-code" />
      </Form>
    </Card>
  )
}
