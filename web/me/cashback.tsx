// Exchanges points for money, which the store's payment provider pays.
import type { JSX } from 'preact'
import { write } from '../api/client'
import type { CustomerBalance, PurchasePresentedToCustomer } from '../api/types'
import { t } from '../i18n/i18n'
import { money } from '../i18n/number'
import { Card } from '../ui/basics'
import { toast } from '../ui/dialog'
import { Form, NumberField, useForm } from '../ui/form'
import { amount, program } from './brand'

export function Cashback({
  offer,
  balance,
}: {
  offer: PurchasePresentedToCustomer
  balance: CustomerBalance | undefined
}): JSX.Element {
  const currency = balance?.currency ?? program.value?.currency ?? ''
  const form = useForm({ pointsAmount: '' }, async (values, key) => {
    const body = { pointsAmount: values.pointsAmount, cashbackId: offer.campaignId }
    const got = await write('POST', '/api/{store}/customer/campaign/cashback/redeem', { body, key })
    form.replace({ pointsAmount: '' })
    toast(t('me.cashbackDone', { money: money(got.rewardAmount, currency) }))
  })
  const worth = (Number(form.values.pointsAmount) || 0) * (offer.pointValue ?? 0)
  return (
    <Card>
      <Form form={form} save={t('me.cashbackGet')}>
        <NumberField
          form={form}
          path="pointsAmount"
          label={t('me.cashbackPoints')}
          help={
            worth > 0
              ? t('me.cashbackWorth', { money: money(worth, currency) })
              : balance && t('me.youHave', { amount: amount(balance.points) })
          }
        />
      </Form>
    </Card>
  )
}
