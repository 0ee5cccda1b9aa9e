import type { JSX } from 'preact'
import type { CustomerDetail, RedeemCashbackForm } from '../../api/types'
import { Failure, usePreview, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { points, t } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { failureText } from '../../ui/basics'
import { Dialog, toast } from '../../ui/dialog'
import { Form, NumberField, useForm } from '../../ui/form'
import { customerName } from '../customers/name'
import { CustomerField } from '../customers/search'

interface Values {
  customer: CustomerDetail | null
  pointsAmount: string
}

const bodyOf = ({ customer, pointsAmount }: Values): RedeemCashbackForm => ({
  customerId: customer?.customerId ?? '',
  pointsAmount,
})

// RedeemDialog exchanges points of a customer for money, and says before what they are worth.
export function RedeemDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const currency = useQuery(may('SETTINGS') ? '/api/{store}/settings' : null).data?.settings.currency ?? ''
  const form = useForm<Values>({ customer: null, pointsAmount: '' }, async (values, key) => {
    const got = await write('POST', '/api/{store}/admin/campaign/cashback/redeem', { body: bodyOf(values), key })
    toast(
      t('cashback.redeemed', {
        n: got.pointsAmount,
        points: points(got.pointsAmount),
        amount: money(got.rewardAmount, currency),
        name: customerName(values.customer!),
      }),
    )
    onClose()
  })
  const { customer } = form.values
  return (
    <Dialog title={t('cashback.redeem')} onClose={onClose}>
      <Form form={form} cancel={onClose} save={t('cashback.exchange')}>
        <CustomerField
          form={form}
          path="customerId"
          label={t('customers.one')}
          chosen={customer}
          onChoose={(c) => form.set('customer', c)}
        />
        <NumberField
          form={form}
          path="pointsAmount"
          label={t('cashback.points')}
          help={<Worth values={form.values} currency={currency} />}
        />
      </Form>
    </Dialog>
  )
}

// Worth says what the points are worth, or why they cannot be exchanged.
function Worth({ values, currency }: { values: Values; currency: string }): JSX.Element {
  const isComplete = values.customer !== null && Number(values.pointsAmount) > 0
  const shown = usePreview('/api/{store}/admin/campaign/cashback/simulate', isComplete ? bodyOf(values) : null)
  if (!isComplete) return <span role="status">{t('cashback.worthHelp')}</span>
  const text =
    shown instanceof Failure
      ? failureText(shown)
      : shown && t('cashback.worth', { amount: money(shown.rewardAmount, currency) })
  return <span role="status">{text}</span>
}
