// Dialogs that change the points of a customer.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { CustomerDetailList } from '../../api/types'
import { useQuery, write } from '../../api/client'
import { points, t } from '../../i18n/i18n'
import { Dialog, toast } from '../../ui/dialog'
import { Field, Form, NumberField, TextField, useForm } from '../../ui/form'
import { Picker, type Pick } from '../../ui/tabs'
import { customerName } from './name'

interface Props {
  customer: { customerId: string; firstName?: string; lastName?: string; email?: string }
  balance: number | undefined
  onClose: () => void
}

// PointsDialog gives, takes or blocks points.
export function PointsDialog({ kind, customer, balance, onClose }: Props & { kind: 'add' | 'spend' | 'block' }): JSX.Element {
  const form = useForm({ points: '', comment: '', validityDuration: '' }, async (values, key) => {
    const { validityDuration, ...rest } = values
    await write('POST', `/api/{store}/points/transfer/${kind}`, {
      transfer: { ...rest, customer: customer.customerId, ...(kind === 'add' && validityDuration ? { validityDuration } : {}) },
    }, key)
    toast(t(`points.done.${kind}`, { points: points(Number(values.points)), name: customerName(customer) }))
    onClose()
  })
  return (
    <Dialog title={t(`points.${kind}`)} onClose={onClose}>
      <Form form={form} cancel={onClose} save={t(`points.${kind}`)}>
        <NumberField form={form} path="points" label={t('points.amount')} suffix={t('points.unit')} autoFocus
          help={balance === undefined || kind === 'add' ? undefined : t('points.available', { points: points(balance) })} />
        <TextField form={form} path="comment" label={t('points.comment')} optional maxLength={1024} help={t('points.commentHelp')} />
        {kind === 'add' && (
          <NumberField form={form} path="validityDuration" label={t('points.validFor')} suffix={t('points.days')} whole optional
            help={t('points.validForHelp')} />
        )}
        {kind === 'block' && <p class="muted">{t('points.blockHelp')}</p>}
      </Form>
    </Dialog>
  )
}

// MoveDialog moves points to another customer, who is found by searching.
export function MoveDialog({ customer, balance, onClose }: Props): JSX.Element {
  const [text, setText] = useState('')
  const [known, setKnown] = useState<Pick[]>([])
  const [searched, setSearched] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearched(text.trim()), 200)
    return () => clearTimeout(timer)
  }, [text])
  const found = useQuery<CustomerDetailList>(searched ? '/api/{store}/customer' : null, { q: searched, perPage: 8 }).data?.customers ?? []
  const options = found.filter((c) => c.customerId !== customer.customerId).map((c) => ({
    value: c.customerId, text: customerName(c), detail: c.email ?? c.phone ?? c.loyaltyCardNumber ?? '',
  }))
  const form = useForm({ receiver: '', points: '' }, async (values, key) => {
    await write('POST', '/api/{store}/admin/p2p-points-transfer', {
      transfer: { sender: customer.customerId, receiver: values.receiver, points: values.points },
    }, key)
    const receiver = known.find((o) => o.value === values.receiver)?.text ?? ''
    toast(t('points.done.move', { points: points(Number(values.points)), name: receiver }))
    onClose()
  })
  return (
    <Dialog title={t('points.move')} onClose={onClose}>
      <Form form={form} cancel={onClose} save={t('points.move')}>
        <Field form={form} path="receiver" label={t('points.receiver')} help={t('points.receiverHelp')}>
          {(control) => (
            <Picker {...control} single options={[...options, ...known.filter((k) => !options.some((o) => o.value === k.value) && k.value === form.values.receiver)]}
              chosen={form.values.receiver ? [form.values.receiver] : []} placeholder={t('points.search')} onSearch={setText}
              onChange={(values) => { setKnown(options); form.set('receiver', values[0] ?? '') }} />
          )}
        </Field>
        <NumberField form={form} path="points" label={t('points.amount')} suffix={t('points.unit')}
          help={balance === undefined ? undefined : t('points.available', { points: points(balance) })} />
      </Form>
    </Dialog>
  )
}
