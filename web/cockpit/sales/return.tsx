import type { JSX } from 'preact'
import type { TransactionView } from '../../api/types'
import { Failure, write } from '../../api/client'
import { points, t } from '../../i18n/i18n'
import { currencyDigits, money } from '../../i18n/number'
import { Notice } from '../../ui/basics'
import { Dialog, toast } from '../../ui/dialog'
import { Checkbox, Form, NumberField, TextField, useForm } from '../../ui/form'

interface Values {
  transactionData: { documentNumber: string }
  lines: { back: boolean; quantity: string; grossValue: string }[]
}

// ReturnDialog takes goods of a sale back, all of them or some.
export function ReturnDialog({ sale: d, onClose }: { sale: TransactionView; onClose: () => void }): JSX.Element {
  const form = useForm<Values>(
    {
      transactionData: { documentNumber: `${d.documentNumber}-R` },
      lines: d.items.map((i) => ({
        back: true,
        quantity: String(i.quantity),
        grossValue: i.grossValue.toFixed(currencyDigits(d.currency)),
      })),
    },
    async (values, key) => {
      const items = d.items.flatMap((item, i) => {
        const line = values.lines[i]!
        return line.back ? [{ ...item, quantity: line.quantity, grossValue: line.grossValue }] : []
      })
      if (items.length === 0)
        throw new Failure('invalid', 400, '', { '': [{ code: 'nothing_filled_in', detail: '' }] }, '', 'invalid_fields')
      try {
        await write('POST', '/api/{store}/transaction', {
          body: {
            transaction: {
              transactionData: { documentType: 'return', documentNumber: values.transactionData.documentNumber },
              revisedDocument: d.documentNumber,
              items,
              customerData: d.customerData,
              pos: d.posId,
            },
          },
          key,
        })
      } catch (error) {
        throw atLines(error, values)
      }
      toast(t('sales.returned', { number: d.documentNumber }))
      onClose()
    },
  )
  const { lines } = form.values
  const value = Math.min(
    lines.reduce((all, line) => all + (line.back ? Number(line.grossValue) || 0 : 0), 0),
    d.grossValue,
  )
  const part = d.grossValue > 0 ? value / d.grossValue : 1
  return (
    <Dialog title={t('sales.takeBackOf', { number: d.documentNumber })} onClose={onClose} wide>
      <Form form={form} save={t('sales.takeBackNow', { value: money(value, d.currency) })} cancel={onClose}>
        <TextField
          form={form}
          path="transactionData.documentNumber"
          label={t('sales.returnNumber')}
          help={t('sales.returnNumberHelp')}
        />
        <ul class="return-lines">
          {d.items.map((item, i) => (
            <li key={i}>
              <Checkbox
                form={form}
                path={`lines.${i}.back`}
                label={item.name}
                help={money(item.grossValue, d.currency)}
              />
              {lines[i]!.back && (
                <NumberField form={form} path={`lines.${i}.quantity`} label={t('sales.quantity')} digits={3} />
              )}
              {lines[i]!.back && (
                <NumberField
                  form={form}
                  path={`lines.${i}.grossValue`}
                  label={t('sales.lineValue')}
                  digits={currencyDigits(d.currency)}
                />
              )}
            </li>
          ))}
        </ul>
        <Notice tone="warning" title={t('sales.undoes')}>
          <ul>
            <li>{t('sales.undoesValue', { value: money(value, d.currency) })}</li>
            {d.customerId && d.pointsEarned > 0 && (
              <li>
                {t('sales.undoesPoints', {
                  points: points(Math.round(d.pointsEarned * part * 100) / 100),
                  of: points(d.pointsEarned),
                })}
              </li>
            )}
            {d.customerId && <li>{t('sales.undoesCoupons')}</li>}
          </ul>
        </Notice>
      </Form>
    </Dialog>
  )
}

// atLines moves errors of the items that were sent to the lines of the form.
function atLines(error: unknown, values: Values): unknown {
  if (!(error instanceof Failure)) return error
  const sent = values.lines.flatMap((line, i) => (line.back ? [i] : []))
  const fields = Object.entries(error.fields).map(([path, list]) => [
    path.replace(/^items\.(\d+)/, (_, at: string) => `lines.${sent[Number(at)]}`),
    list,
  ])
  return new Failure(error.kind, error.status, error.message, Object.fromEntries(fields), error.request, error.code)
}
