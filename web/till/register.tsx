// Registers a customer at the counter: a name, one way to reach them, and a card.
import type { JSX } from 'preact'
import { write } from '../api/client'
import { t } from '../i18n/i18n'
import { Dialog } from '../ui/dialog'
import { Checkbox, Form, TextField, useForm } from '../ui/form'
import { showConfirmed } from './outcome'

export function RegisterDialog({
  typed,
  onDone,
  onClose,
}: {
  typed: string
  onDone: (id: string) => void
  onClose: () => void
}): JSX.Element {
  const form = useForm({ ...valuesOf(typed), issueCard: true, agreement1: false }, async (values, key) => {
    const { issueCard, ...customer } = values
    const { customerId } = await write('POST', '/api/{store}/seller/customer/register', {
      body: { customer, issueCard: issueCard && !customer.loyaltyCardNumber.trim() },
      key,
    })
    showConfirmed(t('till.registered', { name: `${customer.firstName} ${customer.lastName}`.trim() }))
    onDone(customerId)
  })
  return (
    <Dialog title={t('till.register')} onClose={onClose}>
      <Form form={form} save={t('till.registerCustomer')} cancel={onClose}>
        <div class="columns">
          <TextField form={form} path="firstName" label={t('till.firstName')} autoFocus maxLength={255} />
          <TextField form={form} path="lastName" label={t('till.lastName')} maxLength={255} />
        </div>
        <div class="columns">
          <TextField form={form} path="email" label={t('till.email')} type="email" inputMode="email" maxLength={255} />
          <TextField form={form} path="phone" label={t('till.phone')} type="tel" inputMode="tel" maxLength={64} />
        </div>
        <TextField
          form={form}
          path="loyaltyCardNumber"
          label={t('till.card')}
          optional
          help={t('till.cardHelp')}
          maxLength={255}
        />
        <Checkbox
          form={form}
          path="issueCard"
          label={t('till.issueCard')}
          disabled={form.values.loyaltyCardNumber !== ''}
        />
        <Checkbox form={form} path="agreement1" label={t('till.agreement')} />
      </Form>
    </Dialog>
  )
}

// valuesOf puts what was scanned or typed where it belongs.
function valuesOf(typed: string): {
  firstName: string
  lastName: string
  email: string
  phone: string
  loyaltyCardNumber: string
} {
  const text = typed.trim()
  const values = { firstName: '', lastName: '', email: '', phone: '', loyaltyCardNumber: '' }
  const [first = '', ...rest] = text.split(/\s+/)
  if (text.includes('@')) values.email = text
  else if (/^\+[\d\s()-]+$/.test(text)) values.phone = text
  else if (/\d/.test(text)) values.loyaltyCardNumber = text
  else Object.assign(values, { firstName: first, lastName: rest.join(' ') })
  return values
}
