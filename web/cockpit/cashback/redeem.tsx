import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { CashbackResult, CustomerDetail } from '../../api/types'
import { call, Failure, url, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { money, points, t } from '../../i18n/i18n'
import { failureText } from '../../ui/basics'
import { Dialog, toast } from '../../ui/dialog'
import { Form, NumberField, useForm } from '../../ui/form'
import { customerName } from '../customers/name'
import { CustomerField } from '../customers/search'

interface Values {
  customer: CustomerDetail | null
  pointsAmount: string
}

// bodyOf leaves out what is empty, so that the server says what is missing.
const bodyOf = ({ customer, pointsAmount }: Values): Record<string, string> => ({
  ...(customer ? { customerId: customer.customerId } : {}), ...(pointsAmount ? { pointsAmount } : {}),
})

// RedeemDialog exchanges points of a customer for money, and says before what they are worth.
export function RedeemDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const currency = useQuery<{ settings: { currency: string } }>(may('SETTINGS') ? '/api/{store}/settings' : null).data?.settings.currency ?? ''
  const form = useForm<Values>({ customer: null, pointsAmount: '' }, async (values, key) => {
    const got = await write<CashbackResult>('POST', '/api/{store}/admin/campaign/cashback/redeem', bodyOf(values), key)
    toast(t('cashback.redeemed', {
      n: got.pointsAmount, points: points(got.pointsAmount), amount: money(got.rewardAmount, currency), name: customerName(values.customer!),
    }))
    onClose()
  })
  const { customer, pointsAmount } = form.values
  return (
    <Dialog title={t('cashback.redeem')} onClose={onClose}>
      <Form form={form} cancel={onClose} save={t('cashback.exchange')}>
        <CustomerField form={form} path="customerId" label={t('customers.one')} chosen={customer} onChoose={(c) => form.set('customer', c)} />
        <NumberField form={form} path="pointsAmount" label={t('cashback.points')} help={<Worth values={form.values} currency={currency} key={`${customer?.customerId} ${pointsAmount}`} />} />
      </Form>
    </Dialog>
  )
}

// Worth says what the points are worth, or why they cannot be exchanged.
function Worth({ values, currency }: { values: Values; currency: string }): JSX.Element {
  const [text, setText] = useState('')
  const isComplete = values.customer !== null && Number(values.pointsAmount) > 0
  useEffect(() => {
    if (!isComplete) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      call(url('/api/{store}/admin/campaign/cashback/simulate'), { method: 'POST', body: bodyOf(values), signal: stop.signal })
        .then(async (response) => setText(t('cashback.worth', { amount: money(((await response.json()) as CashbackResult).rewardAmount, currency) })))
        .catch((error: unknown) => { if (error instanceof Failure) setText(failureText(error)) })
    }, 400)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [])
  return <span role="status">{isComplete ? text : t('cashback.worthHelp')}</span>
}
