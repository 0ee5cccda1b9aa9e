import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { MessageTestView, SendTestMessageForm } from '../../api/types'
import { Failure } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Button, Notice } from '../../ui/basics'
import { Dialog } from '../../ui/dialog'
import { Form, SelectField, TextField, useForm } from '../../ui/form'
import { channelName, reasonText } from './names'

export type TestChannel = SendTestMessageForm['channel']

// SendTest sends a message at once and says whether it was delivered.
export function SendTest({
  channels,
  send,
  onClose,
}: {
  channels: TestChannel[]
  send: (values: { channel: TestChannel; address: string }, key: string) => Promise<MessageTestView>
  onClose: () => void
}): JSX.Element {
  const [result, setResult] = useState<MessageTestView | null>(null)
  const form = useForm({ channel: channels[0]!, address: '' }, async (values, key) => {
    setResult(null)
    setResult(
      await send(values, key).catch((e: unknown) => {
        // A text is tried with another name of the address.
        if (e instanceof Failure && e.fields['to'])
          throw new Failure(e.kind, e.status, e.message, { address: e.fields['to'] }, e.request, e.code)
        throw e
      }),
    )
  })
  const mail = form.values.channel === 'email'
  return (
    <Dialog title={t('messages.test')} onClose={onClose}>
      <Form form={form} cancel={onClose} save={t('messages.testSend')}>
        {channels.length > 1 && (
          <SelectField
            form={form}
            path="channel"
            label={t('messages.channel')}
            options={channels.map((value) => ({ value, text: channelName(value) }))}
          />
        )}
        <TextField
          form={form}
          path="address"
          type={mail ? 'email' : 'text'}
          autoFocus
          label={t(mail ? 'signIn.email' : form.values.channel === 'sms' ? 'customers.phone' : 'messages.customerId')}
        />
        {result && (
          <Notice
            tone={result.delivered ? 'success' : 'danger'}
            title={t(result.delivered ? 'messages.testDone' : 'messages.testFailed')}
          >
            {!result.delivered && reasonText(result.status, result.error)}
          </Notice>
        )}
        {result && (
          <div>
            <Button onClick={onClose}>{t('action.done')}</Button>
          </div>
        )}
      </Form>
    </Dialog>
  )
}
