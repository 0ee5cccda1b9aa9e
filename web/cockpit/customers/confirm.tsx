// Questions before changes of a customer that need no form, and the dialog of the level.
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import type { CustomerDetail } from '../../api/types'
import { newKey, write } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Confirm, Dialog, toast } from '../../ui/dialog'
import { Form, SelectField, useForm } from '../../ui/form'
import { useLevels } from '../lookups'
import { customerName } from './name'

const paths = {
  activate: '/api/{store}/admin/customer/{customer}/activate',
  deactivate: '/api/{store}/admin/customer/{customer}/deactivate',
  anonymize: '/api/{store}/admin/customer/{customer}/anonymize',
  issueCard: '/api/{store}/admin/customer/{customer}/card',
  removeLevel: '/api/{store}/customer/{customer}/remove-manually-level',
} as const

export type Question = keyof typeof paths

// Ask names what happens, and does it once however often the user tries.
export function Ask({
  question,
  customer,
  onClose,
}: {
  question: Question
  customer: CustomerDetail
  onClose: () => void
}): JSX.Element {
  const key = useRef(newKey())
  const name = customerName(customer)
  return (
    <Confirm
      title={t(`ask.${question}.title`, { name })}
      action={t(`ask.${question}.action`)}
      onClose={onClose}
      danger={question === 'deactivate' || question === 'anonymize'}
      onConfirm={async () => {
        await write('POST', paths[question], { params: { customer: customer.customerId }, key: key.current })
        toast(t(`ask.${question}.done`, { name }))
      }}
    >
      {t(`ask.${question}.text`, { name, level: customer.level?.name ?? '' })}
    </Confirm>
  )
}

// LevelDialog sets the level by hand.
export function LevelDialog({ customer, onClose }: { customer: CustomerDetail; onClose: () => void }): JSX.Element {
  const levels = useLevels()
  const form = useForm({ levelId: customer.levelId ?? '' }, async (values, key) => {
    await write('POST', '/api/{store}/customer/{customer}/level', {
      params: { customer: customer.customerId },
      body: values,
      key,
    })
    const level = levels.find((l) => l.levelId === values.levelId)?.name ?? ''
    toast(t('level.set', { name: customerName(customer), level }))
    onClose()
  })
  return (
    <Dialog title={t('level.title')} onClose={onClose}>
      <Form form={form} cancel={onClose} save={t('level.save')}>
        <SelectField
          form={form}
          path="levelId"
          label={t('customers.level')}
          help={t('customers.levelHelp')}
          options={levels.filter((l) => l.active).map((l) => ({ value: l.levelId, text: l.name ?? l.levelId }))}
        />
      </Form>
    </Dialog>
  )
}
