// Tries what a checkout would answer, for any customer, basket and time.
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { CheckoutView } from '../../api/types'
import { Failure, usePreview, useQuery } from '../../api/client'
import { may } from '../../api/session'
import { language, t } from '../../i18n/i18n'
import { Button, Card, Empty, failureText, fieldText, Notice, Page, writeClipboard } from '../../ui/basics'
import { toast } from '../../ui/dialog'
import { DateTimeField, Field, NumberField, TextField, useForm, type FormState } from '../../ui/form'
import { place, setQuery } from '../../ui/router'
import { Picker } from '../../ui/tabs'
import { useCurrency, useMoneyDigits } from '../currency'
import { CustomerField } from '../customers/search'
import { useNames } from '../fields'
import { After, Bill, Points } from './bill'
import { Offers } from './offers'
import { bodyOf, noLine, queryOf, valuesOf, type Values } from './values'

export default function TryIt(): JSX.Element {
  const form = useForm<Values>(valuesOf(place.value.query), () => Promise.resolve(), false)
  const body = bodyOf(form.values)
  const shown = usePreview('/api/{store}/checkout', body, { _locale: language.value })
  const last = useRef<CheckoutView>()
  if (shown && !(shown instanceof Failure)) last.current = shown
  const failure = shown instanceof Failure ? shown : null
  const view = !body || failure ? undefined : last.current
  useEffect(() => setQuery(queryOf(form.values)), [form.values])
  useEffect(() => form.setErrors(failure?.fields ?? {}), [failure])
  const copy = async (): Promise<void> => {
    await writeClipboard(location.href)
    toast(t('tryIt.copied'))
  }
  return (
    <Page
      title={t('nav.tryIt')}
      lead={t('tryIt.lead')}
      actions={
        <Button icon="link" onClick={() => void copy()}>
          {t('tryIt.copy')}
        </Button>
      }
    >
      <div class="try-it">
        <form class="form" noValidate onSubmit={(event) => event.preventDefault()}>
          <Who form={form} />
          <Basket form={form} />
          <Wanted form={form} />
        </form>
        <div
          class={body && !shown ? 'try-result waits' : 'try-result'}
          role="status"
          aria-busy={body && !shown ? 'true' : undefined}
          aria-label={t('tryIt.result')}
        >
          {failure && (
            <Notice tone="danger" title={failureText(failure)}>
              {Object.values(failure.fields)
                .flat()
                .map((e) => (
                  <p key={e.code}>{fieldText(e)}</p>
                ))}
            </Notice>
          )}
          {!body && (
            <Empty icon="sales" title={t('tryIt.empty')}>
              {t('tryIt.emptyHelp')}
            </Empty>
          )}
          {view && (
            <>
              <Bill of={view} />
              <Offers of={view} />
              <Points of={view} />
              <After of={view} />
            </>
          )}
        </div>
      </div>
    </Page>
  )
}

function Who({ form }: { form: FormState<Values> }): JSX.Element {
  const { customer } = form.values
  const mayChoose = may('CUSTOMER')
  const chosen = useQuery(mayChoose ? '/api/{store}/customer/{customer}' : null, { customer }).data
  return (
    <Card title={t('tryIt.who')}>
      {mayChoose ? (
        <CustomerField
          form={form}
          path="customer"
          label={t('customers.one')}
          optional
          help={t('tryIt.nobodyHelp')}
          chosen={customer && chosen ? chosen : null}
          onChoose={(c) => form.set('customer', c?.customerId ?? '')}
        />
      ) : (
        <p class="muted">{t('tryIt.noCustomers')}</p>
      )}
      <DateTimeField form={form} path="at" label={t('tryIt.at')} help={t('sales.whenHelp')} optional />
    </Card>
  )
}

function Basket({ form }: { form: FormState<Values> }): JSX.Element {
  const { items } = form.values
  const digits = useMoneyDigits()
  const currency = useCurrency()
  const isPlain = items.length === 1 && !items[0]!.sku && !items[0]!.category && !items[0]!.labels
  const [lines, setLines] = useState(!isPlain)
  const plain = (): void => {
    const sum = items.reduce((all, line) => all + (Number(line.grossValue) || 0), 0)
    form.set('items', [{ ...noLine, grossValue: sum ? String(Math.round(sum * 10_000) / 10_000) : '' }])
    setLines(false)
  }
  const addLine = (): void => {
    form.set('items', [...items, noLine])
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-path="items.${items.length}.sku"] input`)?.focus(),
    )
  }
  return (
    <Card
      title={t('tryIt.basket')}
      actions={
        <Button small kind="plain" onClick={() => (lines ? plain() : setLines(true))}>
          {t(lines ? 'tryIt.amountOnly' : 'tryIt.withLines')}
        </Button>
      }
    >
      {!lines && (
        <NumberField
          form={form}
          path="items.0.grossValue"
          label={t('tryIt.amount')}
          suffix={currency || undefined}
          digits={digits}
        />
      )}
      {lines &&
        items.map((_, i) => (
          <fieldset class="try-line" key={i}>
            <legend class="hidden">{t('sales.line', { n: i + 1 })}</legend>
            <TextField form={form} path={`items.${i}.sku`} label={t('sales.sku')} maxLength={255} />
            <TextField form={form} path={`items.${i}.category`} label={t('sales.category')} maxLength={255} />
            <TextField form={form} path={`items.${i}.labels`} label={t('editor.labels')} placeholder="colour:red" />
            <div class="try-numbers">
              <NumberField form={form} path={`items.${i}.quantity`} label={t('sales.quantity')} digits={3} />
              <NumberField form={form} path={`items.${i}.grossValue`} label={t('sales.lineValue')} digits={digits} />
              {items.length > 1 && (
                <Button
                  kind="plain"
                  icon="trash"
                  label={t('sales.removeLine', { n: i + 1 })}
                  onClick={() =>
                    form.set(
                      'items',
                      items.filter((_line, j) => j !== i),
                    )
                  }
                />
              )}
            </div>
          </fieldset>
        ))}
      {lines && (
        <div>
          <Button icon="plus" onClick={addLine}>
            {t('sales.addLine')}
          </Button>
        </div>
      )}
    </Card>
  )
}

// Wanted takes codes of coupons, and rewards that the customer wants to buy.
function Wanted({ form }: { form: FormState<Values> }): JSX.Element {
  const { coupons, rewards, customer } = form.values
  const campaigns = useNames('campaigns')
  const [typed, setTyped] = useState('')
  const add = (): void => {
    const code = typed.trim()
    if (code && !coupons.includes(code)) form.set('coupons', [...coupons, code])
    setTyped('')
  }
  return (
    <Card title={t('tryIt.offers')}>
      {may('CUSTOMER') && (
        <Field form={form} path="coupons" label={t('tryIt.coupons')} optional deep>
          {(control) => (
            <div class="try-codes">
              <div class="row nowrap">
                <input
                  {...control}
                  class="input"
                  value={typed}
                  maxLength={255}
                  autoComplete="off"
                  dir="auto"
                  onInput={(event) => setTyped(event.currentTarget.value)}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter') return
                    event.preventDefault()
                    add()
                  }}
                />
                <Button icon="plus" onClick={add}>
                  {t('tryIt.addCode')}
                </Button>
              </div>
              {coupons.length > 0 && (
                <ul class="row">
                  {coupons.map((code) => (
                    <li class="token" key={code}>
                      <code>{code}</code>
                      <Button
                        small
                        kind="plain"
                        icon="close"
                        label={t('action.removeValue', { value: code })}
                        onClick={() =>
                          form.set(
                            'coupons',
                            coupons.filter((one) => one !== code),
                          )
                        }
                      />
                    </li>
                  ))}
                </ul>
              )}
            </div>
          )}
        </Field>
      )}
      <Field
        form={form}
        path="rewards"
        label={t('tryIt.rewards')}
        optional
        deep
        help={customer ? undefined : t('tryIt.rewardsHelp')}
      >
        {(control) => (
          <Picker
            {...control}
            options={campaigns}
            chosen={rewards}
            placeholder={t('form.choose')}
            onChange={(ids) => form.set('rewards', ids)}
          />
        )}
      </Field>
    </Card>
  )
}
