// The dialog in which customers delete their account. They can come back for some days, by signing in.
import type { JSX } from 'preact'
import { write } from '../api/client'
import * as session from '../api/session'
import { date, t } from '../i18n/i18n'
import { Dialog, toast } from '../ui/dialog'
import { Form, TextField, useForm } from '../ui/form'

export function Leave({ id, onClose }: { id: string; onClose: () => void }): JSX.Element {
  const form = useForm(
    { currentPassword: '' },
    async (values, key) => {
      const { deletionAt } = await write('POST', '/api/{store}/customer/customer/{customer}/delete', {
        params: { customer: id },
        body: values,
        key,
      })
      toast(t('me.leave.done', { date: date(deletionAt) }))
      session.ended()
    },
    false,
  )
  return (
    <Dialog title={t('me.leave.title')} onClose={onClose}>
      <p>{t('me.leave.text')}</p>
      <Form form={form} cancel={onClose} save={t('me.leave.action')} danger>
        <TextField
          form={form}
          path="currentPassword"
          type="password"
          label={t('me.currentPassword')}
          autoComplete="current-password"
        />
      </Form>
    </Dialog>
  )
}
