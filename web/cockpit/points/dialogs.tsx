// Dialogs that change the points of a customer.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CustomerDetail } from '../../api/types'
import { useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { points, t } from '../../i18n/i18n'
import { Dialog, toast } from '../../ui/dialog'
import { Form, NumberField, TextField, useForm } from '../../ui/form'
import { customerName } from '../customers/name'
import { CustomerField } from '../customers/search'

// useBalance returns the points that a customer can spend, undefined until they are known.
export function useBalance(customer: string | undefined): number | undefined {
  return useQuery(may('CUSTOMER') ? '/api/{store}/admin/customer/{customer}/status' : null, { customer }).data?.points
}

// PointsDialog gives, takes or blocks points, of a customer whom the user finds by searching if none is given.
export function PointsDialog({
  kind,
  customer,
  onClose,
}: {
  kind: 'add' | 'spend' | 'block'
  customer?: CustomerDetail
  onClose: () => void
}): JSX.Element {
  const [found, setFound] = useState<CustomerDetail | null>(null)
  const who = customer ?? found
  const balance = useBalance(who?.customerId)
  const initial = { customer: customer?.customerId ?? '', points: '', comment: '', validityDuration: '' }
  const form = useForm(initial, async ({ validityDuration, ...transfer }, key) => {
    await (kind === 'add'
      ? write('POST', '/api/{store}/points/transfer/add', {
          body: { transfer: { ...transfer, validityDuration: validityDuration || undefined } },
          key,
        })
      : write('POST', `/api/{store}/points/transfer/${kind}`, { body: { transfer }, key }))
    toast(t(`points.done.${kind}`, { points: points(Number(transfer.points)), name: who ? customerName(who) : '' }))
    onClose()
  })
  const choose = (c: CustomerDetail | null): void => {
    setFound(c)
    form.set('customer', c?.customerId ?? '')
  }
  return (
    <Dialog title={t(`points.${kind}`)} onClose={onClose}>
      <Form form={form} cancel={onClose} save={t(`points.${kind}`)}>
        {!customer && (
          <CustomerField form={form} path="customer" label={t('customers.one')} chosen={found} onChoose={choose} />
        )}
        <NumberField
          form={form}
          path="points"
          label={t('points.amount')}
          suffix={t('points.unit')}
          autoFocus={!!customer}
          help={
            balance === undefined || kind === 'add' ? undefined : t('points.available', { points: points(balance) })
          }
        />
        <TextField
          form={form}
          path="comment"
          label={t('points.comment')}
          optional
          maxLength={1024}
          help={t('points.commentHelp')}
        />
        {kind === 'add' && (
          <NumberField
            form={form}
            path="validityDuration"
            label={t('points.validFor')}
            suffix={t('points.days')}
            whole
            optional
            help={t('points.validForHelp')}
          />
        )}
        {kind === 'block' && <p class="muted">{t('points.blockHelp')}</p>}
      </Form>
    </Dialog>
  )
}

// MoveDialog moves points to another customer, whom the user finds by searching.
export function MoveDialog({ customer, onClose }: { customer: CustomerDetail; onClose: () => void }): JSX.Element {
  const [receiver, setReceiver] = useState<CustomerDetail | null>(null)
  const balance = useBalance(customer.customerId)
  const form = useForm({ sender: customer.customerId, receiver: '', points: '' }, async (transfer, key) => {
    await write('POST', '/api/{store}/admin/p2p-points-transfer', { body: { transfer }, key })
    toast(
      t('points.done.move', { points: points(Number(transfer.points)), name: receiver ? customerName(receiver) : '' }),
    )
    onClose()
  })
  const choose = (c: CustomerDetail | null): void => {
    setReceiver(c)
    form.set('receiver', c?.customerId ?? '')
  }
  return (
    <Dialog title={t('points.move')} onClose={onClose}>
      <Form form={form} cancel={onClose} save={t('points.move')}>
        <CustomerField
          form={form}
          path="receiver"
          label={t('points.receiver')}
          help={t('points.receiverHelp')}
          chosen={receiver}
          onChoose={choose}
          except={customer.customerId}
        />
        <NumberField
          form={form}
          path="points"
          label={t('points.amount')}
          suffix={t('points.unit')}
          help={balance === undefined ? undefined : t('points.available', { points: points(balance) })}
        />
      </Form>
    </Dialog>
  )
}
