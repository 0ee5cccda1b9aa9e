// Adds points to a customer by hand, or spends some.
import type { JSX } from 'preact'
import { points, t } from '../i18n/i18n'
import { Dialog } from '../ui/dialog'
import { Choice, Form, NumberField, TextField, useForm } from '../ui/form'
import type { Known } from './known'
import { showConfirmed, showWaiting } from './outcome'
import { submit } from './queue'

interface Values {
  kind: 'add' | 'spend'
  points: string
  comment: string
}

export function PointsDialog({ customer, onClose }: { customer: Known; onClose: () => void }): JSX.Element {
  const form = useForm<Values>({ kind: 'add', points: '', comment: '' }, async (values, key) => {
    const { kind } = values
    const what = points(Number(values.points))
    const outcome = await submit(
      {
        kind,
        what,
        customer: customer.name,
        customerId: customer.id,
        path: `/api/{store}/pos/points/transfer/${kind}`,
        params: {},
        body: { transfer: { customer: customer.id, points: values.points, comment: values.comment } },
      },
      key,
    )
    if (outcome.confirmed) showConfirmed(t(`till.done.${kind}`, { what }), customer.name)
    else showWaiting(t(`till.kind.${kind}`, { what }))
    onClose()
  })
  return (
    <Dialog title={t('till.pointsOf', { customer: customer.name })} onClose={onClose}>
      <Form form={form} save={t(form.values.kind === 'add' ? 'till.addPoints' : 'till.spendPoints')} cancel={onClose}>
        <Choice
          form={form}
          path="kind"
          label={t('till.type')}
          options={[
            { value: 'add', text: t('till.add') },
            { value: 'spend', text: t('till.spend') },
          ]}
        />
        <NumberField
          form={form}
          path="points"
          label={t('till.pointsField')}
          autoFocus
          help={t('till.balanceNow', { points: points(customer.points) })}
        />
        <TextField form={form} path="comment" label={t('till.comment')} optional maxLength={1024} />
      </Form>
    </Dialog>
  )
}
