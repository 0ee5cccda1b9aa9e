// Sets the PIN of the seller.
import type { JSX } from 'preact'
import { write } from '../api/client'
import { t } from '../i18n/i18n'
import { Dialog, toast } from '../ui/dialog'
import { Form, TextField, useForm } from '../ui/form'

export default function PinDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const form = useForm({ pin: '', currentPassword: '' }, async (body, key) => {
    await write('PUT', '/api/{store}/seller/pin', { body, key })
    toast(t('till.pinSet'))
    onClose()
  })
  return (
    <Dialog title={t('till.setPin')} onClose={onClose}>
      <Form form={form} save={t('till.setPin')} cancel={onClose}>
        <p class="muted">{t('till.setPinText')}</p>
        <TextField
          form={form}
          path="pin"
          type="password"
          inputMode="numeric"
          label={t('till.pin')}
          autoFocus
          maxLength={8}
          autoComplete="off"
          help={t('error.pin_digits')}
        />
        <TextField
          form={form}
          path="currentPassword"
          type="password"
          label={t('till.password')}
          autoComplete="current-password"
        />
      </Form>
    </Dialog>
  )
}
