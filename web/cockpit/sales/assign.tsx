import type { JSX } from 'preact'
import type { CustomerDetail, TransactionView } from '../../api/types'
import { Failure, write } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Dialog, toast } from '../../ui/dialog'
import { Form, useForm } from '../../ui/form'
import { customerName } from '../customers/name'
import { CustomerField } from '../customers/search'

// AssignDialog gives a receipt without a customer to one.
export function AssignDialog({
  document: d,
  onClose,
}: {
  document: TransactionView
  onClose: () => void
}): JSX.Element {
  const form = useForm<{ customer: CustomerDetail | null }>({ customer: null }, async ({ customer }, key) => {
    if (!customer)
      throw new Failure('invalid', 400, '', { customerId: [{ code: 'blank', detail: '' }] }, '', 'invalid_fields')
    const assign = { transactionDocumentNumber: d.documentNumber, customerId: customer.customerId }
    await write('POST', '/api/{store}/admin/transaction/customer/assign', { body: { assign }, key })
    toast(t('sales.assigned', { name: customerName(customer), number: d.documentNumber }))
    onClose()
  })
  return (
    <Dialog title={t('sales.assign')} onClose={onClose}>
      <Form form={form} save={t('sales.assignNow')} cancel={onClose}>
        <CustomerField
          form={form}
          path="customerId"
          label={t('customers.one')}
          help={t('sales.assignHelp')}
          chosen={form.values.customer}
          onChoose={(c) => {
            form.setErrors({})
            form.set('customer', c)
          }}
        />
      </Form>
    </Dialog>
  )
}
