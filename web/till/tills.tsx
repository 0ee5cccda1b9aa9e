// Enrols this device as a till, and lists the enrolled ones.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { write } from '../api/client'
import { t } from '../i18n/i18n'
import { Button } from '../ui/basics'
import { Dialog, toast } from '../ui/dialog'
import { Form, TextField, useForm } from '../ui/form'
import { TillList } from '../ui/tills'
import { setEnrolled } from './enrolled'
import { seller } from './seller'

export default function TillsDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const [enrolling, setEnrolling] = useState(false)
  return (
    <Dialog title={t('tills.title')} onClose={onClose}>
      {enrolling ? (
        <Enrolment onClose={() => setEnrolling(false)} />
      ) : (
        <div class="stack">
          <TillList mayRevoke />
          <div>
            <Button icon="plus" onClick={() => setEnrolling(true)}>
              {t('till.enrol')}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}

function Enrolment({ onClose }: { onClose: () => void }): JSX.Element {
  const form = useForm({ name: seller.value?.posName ?? '', currentPassword: '' }, async (body) => {
    await write('POST', '/api/{store}/till', { body, key: null })
    setEnrolled(true)
    toast(t('till.enrolled'))
    onClose()
  })
  return (
    <Form form={form} save={t('till.enrol')} cancel={onClose}>
      <TextField form={form} path="name" label={t('till.enrolName')} autoFocus maxLength={100} />
      <TextField
        form={form}
        path="currentPassword"
        type="password"
        label={t('till.password')}
        autoComplete="current-password"
      />
    </Form>
  )
}
