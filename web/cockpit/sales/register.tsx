import type { JSX } from 'preact'
import type { CustomerDetail, RegisterTransactionForm } from '../../api/types'
import { Failure, get, usePreview, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { number, points, t } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Button, Card, Page } from '../../ui/basics'
import { toast } from '../../ui/dialog'
import { DateTimeField, Form, NumberField, SelectField, TextField, useForm, type FormState } from '../../ui/form'
import { navigate } from '../../ui/router'
import { useCurrency, useMoneyDigits } from '../currency'
import { placeName } from '../shops/place_name'
import { customerName } from '../customers/name'
import { CustomerField } from '../customers/search'

interface Line {
  sku: { code: string }
  name: string
  category: string
  quantity: string
  grossValue: string
}

// Values are as the API takes them, but for labels, which are one text.
interface Values {
  transactionData: { documentNumber: string; purchaseDate: string; purchasePlace: string }
  items: Line[]
  pos: string
  labels: string
  customer: CustomerDetail | null
}

const noLine: Line = { sku: { code: '' }, name: '', category: '', quantity: '1', grossValue: '' }

// customerDataOf returns the data of a document by which the store finds its customer.
export function customerDataOf(c: CustomerDetail | null): RegisterTransactionForm['transaction']['customerData'] {
  if (!c) return { name: t('sales.unknownCustomer') }
  return { name: customerName(c), email: c.email, phone: c.phone, loyaltyCardNumber: c.loyaltyCardNumber }
}

// labelsOf reads labels as they are written elsewhere: name:value;name:value.
function labelsOf(text: string): { key: string; value: string }[] {
  return text
    .split(';')
    .map((pair) => pair.trim())
    .filter(Boolean)
    .map((pair) => {
      const [key = '', ...value] = pair.split(':')
      return { key: key.trim(), value: value.join(':').trim() }
    })
}

// sentLine fills in what the API wants of a line, as the till does: a receipt may be entered by its sum alone.
function sentLine(line: Line): Line {
  const [name, code, category] = [line.name.trim(), line.sku.code.trim(), line.category.trim()]
  return { ...line, sku: { code: code || name || 'SUM' }, name: name || code || 'SUM', category: category || 'other' }
}

function bodyOf({ transactionData, items, pos, labels, customer }: Values): RegisterTransactionForm {
  return {
    transaction: {
      transactionData: {
        ...transactionData,
        documentType: 'sell',
        purchaseDate: transactionData.purchaseDate || undefined,
      },
      items: items.map(sentLine),
      labels: labelsOf(labels),
      pos: pos || undefined,
      customerData: customerDataOf(customer),
    },
  }
}

export default function Register(): JSX.Element {
  const form = useForm<Values>(
    {
      transactionData: { documentNumber: '', purchaseDate: '', purchasePlace: '' },
      items: [noLine],
      pos: '',
      labels: '',
      customer: null,
    },
    async (values, key) => {
      const made = await write('POST', '/api/{store}/transaction', { body: bodyOf(values), key })
      await assignIfUnknown(made.transactionId, values, key)
      toast(t('sales.registered', { number: values.transactionData.documentNumber }))
      navigate(`/transactions/${made.transactionId}`)
    },
  )
  const { items } = form.values
  const currency = useCurrency()
  const sum = items.reduce((all, line) => all + (Number(line.grossValue) || 0), 0)
  return (
    <Page title={t('sales.new')} back={{ to: '/transactions', text: t('nav.transactions') }}>
      <div class="sale-editor">
        <Form
          form={form}
          save={t('sales.register')}
          cancel={() => navigate('/transactions')}
          sticky
          extra={<Expected values={form.values} />}
        >
          <Card title={t('sales.one')}>
            <div class="columns">
              <TextField
                form={form}
                path="transactionData.documentNumber"
                label={t('sales.number')}
                help={t('sales.numberHelp')}
                autoFocus
              />
              <DateTimeField
                form={form}
                path="transactionData.purchaseDate"
                label={t('sales.when')}
                help={t('sales.whenHelp')}
                optional
              />
            </div>
            <div class="columns">
              <PosField form={form} />
              <TextField form={form} path="transactionData.purchasePlace" label={t('sales.place')} optional />
            </div>
            {may('CUSTOMER') && (
              <CustomerField
                form={form}
                path="customerData"
                label={t('customers.one')}
                optional
                help={t('sales.customerHelp')}
                chosen={form.values.customer}
                onChoose={(c) => form.set('customer', c)}
              />
            )}
          </Card>
          <Card title={t('sales.lines')}>
            <p class="muted">{t('sales.linesHelp')}</p>
            {items.map((_, i) => (
              <LineFields key={i} form={form} at={i} />
            ))}
            <div class="sale-sum" data-path="items">
              <Button icon="plus" onClick={() => form.set('items', [...items, noLine])}>
                {t('sales.addLine')}
              </Button>
              <span class="spacer" />
              <span>
                <span class="label">{t('sales.sum')}</span>{' '}
                <strong>{currency ? money(sum, currency) : number(sum)}</strong>
              </span>
            </div>
          </Card>
          <Card title={t('editor.labels')}>
            <TextField
              form={form}
              path="labels"
              label={t('editor.labels')}
              help={t('editor.labelsHelp')}
              placeholder="channel:phone"
              optional
            />
          </Card>
        </Form>
      </div>
    </Page>
  )
}

// A customer whom the store does not find by the data of the document gets it by id.
async function assignIfUnknown(id: string, { customer, transactionData }: Values, key: string): Promise<void> {
  if (!customer) return
  const stored = await get('/api/{store}/transaction/{transaction}', { transaction: id })
  if (stored.customerId) return
  const assign = { transactionDocumentNumber: transactionData.documentNumber, customerId: customer.customerId }
  await write('POST', '/api/{store}/admin/transaction/customer/assign', { body: { assign }, key: `${key}-assign` })
}

function PosField({ form }: { form: FormState<Values> }): JSX.Element | null {
  const found = useQuery(may('POS') ? '/api/{store}/pos' : null, { perPage: 1000, sort: 'name', direction: 'ASC' })
  if (!may('POS')) return null
  const options = (found.data?.pos ?? []).map((p) => ({ value: p.posId, text: placeName(p) }))
  return <SelectField form={form} path="pos" label={t('pos.one')} options={options} empty={t('sales.noPos')} />
}

function LineFields({ form, at }: { form: FormState<Values>; at: number }): JSX.Element {
  const { items } = form.values
  const path = `items.${at}` as const
  const digits = useMoneyDigits()
  const remove = (): void =>
    form.set(
      'items',
      items.filter((_, i) => i !== at),
    )
  return (
    <fieldset class="sale-line">
      <legend class="hidden">{t('sales.line', { n: at + 1 })}</legend>
      <TextField form={form} path={`${path}.name`} label={t('sales.article')} />
      <TextField form={form} path={`${path}.sku.code`} label={t('sales.sku')} />
      <TextField form={form} path={`${path}.category`} label={t('sales.category')} />
      <NumberField form={form} path={`${path}.quantity`} label={t('sales.quantity')} digits={3} />
      <NumberField form={form} path={`${path}.grossValue`} label={t('sales.lineValue')} digits={digits} />
      {items.length > 1 && (
        <Button kind="plain" icon="trash" label={t('sales.removeLine', { n: at + 1 })} onClick={remove} />
      )}
    </fieldset>
  )
}

// Expected shows the points that purchase rules would pay, as soon as there is a customer and a complete line.
function Expected({ values }: { values: Values }): JSX.Element {
  const { customer, pos, transactionData, items } = values
  const complete = items.filter((line) => Number(line.quantity) > 0 && Number(line.grossValue) !== 0).map(sentLine)
  const draft =
    customer && complete.length > 0
      ? {
          transaction: {
            items: complete,
            customerData: customerDataOf(customer),
            pos: pos || undefined,
            purchaseDate: transactionData.purchaseDate || undefined,
          },
        }
      : null
  const shown = usePreview('/api/{store}/transaction/simulate', draft)
  const known = shown !== null && !(shown instanceof Failure) // the form shows what is wrong when it is sent
  return (
    <span class="expected" role="status">
      {known ? t('sales.expected', { n: points(shown.points) }) : ''}
    </span>
  )
}
