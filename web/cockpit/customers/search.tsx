// A field and a filter that find one customer by name, e-mail address, phone or card.
import type { JSX } from 'preact'
import type { CustomerDetail } from '../../api/types'
import { useQuery } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Button } from '../../ui/basics'
import { Field, type WithErrors } from '../../ui/form'
import { useTyped } from '../../ui/search'
import { Picker, type Pick } from '../../ui/tabs'
import { customerName } from './name'

// useSearch finds customers, a moment after the last key.
function useSearch(): { found: CustomerDetail[]; busy: boolean; search: (text: string) => void } {
  const { words, waiting, type } = useTyped()
  const answer = useQuery(words ? '/api/{store}/customer' : null, { q: words, perPage: 10 })
  return { found: answer.data?.customers ?? [], busy: waiting || answer.loading, search: type }
}

// CustomerField chooses a customer in a form. One can be left out, such as the sender of points.
export function CustomerField({
  form,
  path,
  label,
  help,
  optional,
  chosen,
  onChoose,
  except,
}: {
  form: WithErrors
  path: string
  label: string
  help?: string
  optional?: boolean
  except?: string
  chosen: CustomerDetail | null
  onChoose: (customer: CustomerDetail | null) => void
}): JSX.Element {
  const { found, busy, search } = useSearch()
  const offered = found.filter((c) => c.customerId !== except)
  return (
    <Field form={form} path={path} label={label} help={help} optional={optional}>
      {(control) =>
        chosen ? (
          <div class="chosen-customer">
            <span>
              <span class="primary-line">{customerName(chosen)}</span>
              <small class="muted">{contactOf(chosen)}</small>
            </span>
            <Button id={control.id} small icon="close" onClick={() => onChoose(null)}>
              {t('customers.another')}
            </Button>
          </div>
        ) : (
          <Picker
            {...control}
            single
            chosen={[]}
            placeholder={t('customers.searchHint')}
            busy={busy}
            onSearch={search}
            options={offered.map(optionOf)}
            onChange={([id]) => onChoose(offered.find((c) => c.customerId === id) ?? null)}
          />
        )
      }
    </Field>
  )
}

// CustomerFilter chooses the customer whose rows a list shows.
export function CustomerFilter({
  value,
  onChange,
  label,
}: {
  value: string
  onChange: (id: string) => void
  label?: string
}): JSX.Element {
  const { found, busy, search } = useSearch()
  const known = useQuery('/api/{store}/customer/{customer}', { customer: value }).data
  const options = found.map(optionOf)
  if (value && !found.some((c) => c.customerId === value))
    options.push({ value, text: known ? customerName(known) : '…' })
  return (
    <div class={value ? 'picker-filter on' : 'picker-filter'}>
      <Picker
        single
        options={options}
        chosen={value ? [value] : []}
        placeholder={label ?? t('customers.anyCustomer')}
        aria-label={label ?? t('customers.anyCustomer')}
        busy={busy}
        onSearch={search}
        onChange={([id]) => onChange(id ?? '')}
      />
    </div>
  )
}

function optionOf(c: CustomerDetail): Pick {
  return { value: c.customerId, text: customerName(c), detail: contactOf(c) }
}

function contactOf(c: CustomerDetail): string {
  return [c.email, c.phone, c.loyaltyCardNumber].filter(Boolean).join(' · ')
}
