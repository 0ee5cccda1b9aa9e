// Registers a receipt or a return: number and amount, or lines. What it earns is shown before it is confirmed.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { RegisterTransactionAsSellerForm } from '../api/types'
import { Failure, usePreview, type FieldError } from '../api/client'
import { points, t } from '../i18n/i18n'
import { currencyDigits } from '../i18n/number'
import { Button, Notice } from '../ui/basics'
import { Dialog } from '../ui/dialog'
import { Checkbox, Choice, Form, NumberField, TextField, useForm } from '../ui/form'
import { reason, showConfirmed, showWaiting } from './outcome'
import { submit, type Kind } from './queue'
import { resultOf } from './result'
import { seller } from './seller'

interface Line {
  name: string
  quantity: string
  grossValue: string
}

interface Values {
  transactionData: { documentNumber: string; documentType: 'sell' | 'return' }
  revisedDocument: string
  restore: boolean
  items: Line[]
}

// Buyer is a customer whom the till knows, or a card that the server will look up.
export type Buyer = { id: string; name: string } | { card: string; name: string }

const newLine = (): Line => ({ name: '', quantity: '1', grossValue: '' })

function bodyOf(values: Values, customer: Buyer): RegisterTransactionAsSellerForm {
  const isReturn = values.transactionData.documentType === 'return'
  return {
    transaction: {
      transactionData: values.transactionData,
      revisedDocument: isReturn ? values.revisedDocument.trim() : undefined,
      items: values.items.map((line) => ({
        sku: { code: line.name.trim() || 'SUM' },
        name: line.name.trim() || 'SUM',
        quantity: line.quantity || '1',
        grossValue: line.grossValue,
        category: 'till',
      })),
      ...('id' in customer ? { customerId: customer.id } : { customerData: { loyaltyCardNumber: customer.card } }),
    },
  }
}

const isAmount = (text: string): boolean => text !== '' && !Number.isNaN(Number(text))

// total is the sum of the lines; those of discounts are below 0.
const total = (lines: Line[]): number => lines.reduce((sum, line) => sum + Number(line.grossValue), 0)

// check finds what the server would refuse, so that a receipt without a network is complete.
function check(values: Values): void {
  const fields: Record<string, FieldError[]> = {}
  const blank = [{ code: 'blank', detail: '' }]
  if (!values.transactionData.documentNumber.trim()) fields['transactionData.documentNumber'] = blank
  values.items.forEach((line, i) => {
    if (!line.grossValue) fields[`items.${i}.grossValue`] = blank
    else if (!isAmount(line.grossValue)) fields[`items.${i}.grossValue`] = [{ code: 'not_a_number', detail: '' }]
  })
  if (Object.keys(fields).length === 0 && total(values.items) < 0)
    fields['items'] = [{ code: 'negative_total', detail: '' }]
  if (values.transactionData.documentType === 'return' && !values.revisedDocument.trim())
    fields['revisedDocument'] = blank
  if (Object.keys(fields).length > 0) throw new Failure('invalid', 400, '', fields, '', 'invalid_fields')
}

const isComplete = (lines: Line[]): boolean => lines.every((line) => isAmount(line.grossValue)) && total(lines) >= 0

export function ReceiptDialog({
  customer,
  currency,
  onClose,
}: {
  customer: Buyer
  currency: string
  onClose: () => void
}): JSX.Element {
  const form = useForm<Values>(
    {
      transactionData: { documentNumber: '', documentType: 'sell' },
      revisedDocument: '',
      restore: false,
      items: [newLine()],
    },
    async (values, key) => {
      check(values)
      const body = bodyOf(values, customer)
      const kind: Kind = values.transactionData.documentType === 'return' ? 'return' : 'receipt'
      const what = values.transactionData.documentNumber.trim()
      const outcome = await submit(
        {
          kind,
          what,
          customer: customer.name,
          customerId: 'id' in customer ? customer.id : undefined,
          path: '/api/{store}/seller/transaction',
          params: {},
          body,
        },
        key,
      )
      const restored = kind === 'return' && values.restore ? await restore(values.revisedDocument.trim(), customer) : ''
      if (outcome.confirmed)
        showConfirmed(
          t(`till.done.${kind}`, { what }),
          [[customer.name, resultOf(kind, outcome.response)].filter(Boolean).join(': '), restored]
            .filter(Boolean)
            .join(' · '),
        )
      else showWaiting(t(`till.kind.${kind}`, { what }))
      onClose()
    },
  )
  const { items, transactionData } = form.values
  // A scanner ends the number with Enter. It goes to the amount as long as there is none.
  const toAmount = (event: JSX.TargetedEvent<HTMLElement>): void => {
    if (items[0]!.grossValue || !document.activeElement?.closest('[data-path="transactionData.documentNumber"]')) return
    event.preventDefault()
    event.stopPropagation()
    event.currentTarget.querySelector<HTMLElement>('[data-path="items.0.grossValue"] input')?.focus()
  }
  const digits = currency ? currencyDigits(currency) : undefined
  const isReturn = transactionData.documentType === 'return'
  const lines = items.length > 1 || items[0]!.name !== ''
  const [withLines, setWithLines] = useState(lines)
  return (
    <Dialog title={t('till.receiptOf', { customer: customer.name })} onClose={onClose}>
      <div onSubmitCapture={toAmount}>
        <Form
          form={form}
          save={t(isReturn ? 'till.registerReturn' : 'till.registerReceipt')}
          cancel={onClose}
          extra={
            !withLines && (
              <Button kind="plain" icon="plus" onClick={() => setWithLines(true)}>
                {t('till.lines')}
              </Button>
            )
          }
        >
          <TextField
            form={form}
            path="transactionData.documentNumber"
            label={t('till.number')}
            autoFocus
            maxLength={255}
          />
          {!withLines && (
            <NumberField
              form={form}
              path="items.0.grossValue"
              label={t('till.amount')}
              suffix={currency || undefined}
              digits={digits}
            />
          )}
          {withLines && (
            <fieldset class="lines" data-path="items">
              <legend class="label">{t('till.linesTitle')}</legend>
              {items.map((_, i) => (
                <div class="line" key={i}>
                  <TextField form={form} path={`items.${i}.name`} label={t('till.product')} maxLength={255} />
                  <NumberField form={form} path={`items.${i}.quantity`} label={t('till.quantity')} digits={3} />
                  <NumberField form={form} path={`items.${i}.grossValue`} label={t('till.amount')} digits={digits} />
                  {items.length > 1 && (
                    <Button
                      kind="plain"
                      icon="trash"
                      label={t('till.removeLine', { n: i + 1 })}
                      onClick={() =>
                        form.set(
                          'items',
                          items.filter((__, j) => j !== i),
                        )
                      }
                    />
                  )}
                </div>
              ))}
              <div>
                <Button icon="plus" onClick={() => form.set('items', [...items, newLine()])}>
                  {t('till.addLine')}
                </Button>
              </div>
            </fieldset>
          )}
          <Choice
            form={form}
            path="transactionData.documentType"
            label={t('till.type')}
            options={[
              { value: 'sell', text: t('till.sale') },
              { value: 'return', text: t('till.return') },
            ]}
          />
          {isReturn && <TextField form={form} path="revisedDocument" label={t('till.original')} maxLength={255} />}
          {isReturn && seller.value?.allowCouponUse && seller.value.allowCouponCancel && (
            <Checkbox form={form} path="restore" label={t('till.restore')} help={t('till.restoreHelp')} />
          )}
          {'id' in customer && <Preview values={form.values} customer={customer} />}
        </Form>
      </div>
    </Dialog>
  )
}

// restore gives back the coupons and rewards of a sale after its return, and says what came of it. The return is
// registered already, so a refusal is no failure of the dialog.
async function restore(what: string, customer: Buyer): Promise<string> {
  try {
    const outcome = await submit({
      kind: 'restore',
      what,
      customer: customer.name,
      customerId: 'id' in customer ? customer.id : undefined,
      path: '/api/{store}/transaction/{transaction}/restore',
      params: { transaction: what },
      body: undefined,
    })
    return outcome.confirmed ? resultOf('restore', outcome.response) : t('till.waits', { what: t('till.restore') })
  } catch (e) {
    if (e instanceof Failure) return reason(e)
    throw e
  }
}

function Preview({ values, customer }: { values: Values; customer: Buyer }): JSX.Element | null {
  const complete =
    isComplete(values.items) && (values.transactionData.documentType === 'sell' || values.revisedDocument.trim() !== '')
  const shown = usePreview('/api/{store}/seller/transaction/preview', complete ? bodyOf(values, customer) : null)
  if (!shown) return null
  if (shown instanceof Failure) {
    return shown.kind === 'invalid' ? (
      <Notice tone="warning">{reason(shown)}</Notice>
    ) : (
      <Notice>{t('till.noPreview')}</Notice>
    )
  }
  return (
    <Notice
      tone="accent"
      title={
        shown.points < 0
          ? t('till.takes', { n: -shown.points, points: points(-shown.points) })
          : t('till.earns', { n: shown.points, points: points(shown.points) })
      }
    >
      {t('till.balanceAfter', { points: points(shown.balance) })}
      {shown.levelChanges && shown.levelName && ` ${t('till.levelAfter', { level: shown.levelName })}`}
    </Notice>
  )
}
