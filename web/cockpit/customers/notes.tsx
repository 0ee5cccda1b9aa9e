import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Button, ErrorState, Skeleton, Time } from '../../ui/basics'
import { toast, toastFailure } from '../../ui/dialog'
import { Form, TextArea, useForm } from '../../ui/form'

// Notes shows what administrators noted about a customer, the newest first.
export function Notes({ customer }: { customer: string }): JSX.Element {
  const { data, error, reload } = useQuery('/api/{store}/admin/customer/{customer}/note', { customer })
  const [busy, setBusy] = useState('')
  const edits = may('CUSTOMER', 'MODIFY')
  const remove = async (note: string): Promise<void> => {
    setBusy(note)
    await write('DELETE', '/api/{store}/admin/customer/{customer}/note/{note}', { params: { customer, note } }).catch(
      toastFailure,
    )
    setBusy('')
  }
  if (!data) return error ? <ErrorState error={error} retry={reload} /> : <Skeleton lines={4} />
  return (
    <div class="stack">
      <p class="muted">{t('customers.notesHelp')}</p>
      {edits && <AddNote customer={customer} />}
      {data.notes.length === 0 ? (
        <p class="muted">{t('customers.noNotes')}</p>
      ) : (
        <ul class="notes">
          {data.notes.map((n) => (
            <li key={n.noteId}>
              <p dir="auto">{n.text}</p>
              <div class="row">
                <small class="muted">
                  {n.createdBy}, <Time at={n.createdAt} />
                </small>
                {edits && (
                  <Button
                    small
                    kind="plain"
                    icon="trash"
                    label={t('customers.deleteNote')}
                    busy={busy === n.noteId}
                    onClick={() => void remove(n.noteId)}
                  />
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function AddNote({ customer }: { customer: string }): JSX.Element {
  const form = useForm({ text: '' }, async (values, key) => {
    await write('POST', '/api/{store}/admin/customer/{customer}/note', {
      params: { customer },
      body: { note: values },
      key,
    })
    form.replace({ text: '' })
    toast(t('customers.noteAdded'))
  })
  return (
    <Form form={form} save={t('customers.addNote')}>
      <TextArea form={form} path="text" label={t('customers.noteText')} rows={3} maxLength={5000} />
    </Form>
  )
}
