// Changing one's own password.
import type { JSX } from 'preact'
import { Failure, write } from '../api/client'
import * as session from '../api/session'
import { t } from '../i18n/i18n'
import { Dialog, toast } from '../ui/dialog'
import { Form, TextField, useForm } from '../ui/form'
import { NewPassword } from '../ui/password'

export function PasswordDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const form = useForm({ currentPassword: '', plainPassword: '', repeated: '' }, async (values, key) => {
    if (values.plainPassword !== values.repeated) {
      throw new Failure(
        'invalid',
        0,
        '',
        { repeated: [{ code: 'password_differs', detail: '' }] },
        '',
        'invalid_fields',
      )
    }
    const { currentPassword, plainPassword } = values
    await write('POST', '/api/admin/password/change', { body: { currentPassword, plainPassword }, key })
    // The change ends all other sessions, and this one when its access token expires: begin another.
    const { username } = session.claims.value ?? {}
    if (username) await session.signIn('cockpit', session.store.value, username, plainPassword)
    toast(t('password.changed'))
    onClose()
  })
  return (
    <Dialog title={t('password.title')} onClose={onClose}>
      <Form form={form} save={t('password.title')} cancel={onClose}>
        <TextField
          form={form}
          path="currentPassword"
          label={t('password.current')}
          type="password"
          autoComplete="current-password"
          autoFocus
        />
        <NewPassword form={form} path="plainPassword" label={t('password.new')} />
        <TextField
          form={form}
          path="repeated"
          label={t('password.repeat')}
          type="password"
          autoComplete="new-password"
          help={t('password.ends')}
        />
      </Form>
    </Dialog>
  )
}
