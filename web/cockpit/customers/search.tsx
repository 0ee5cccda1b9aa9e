// A field that finds one customer by name, e-mail address, phone or card.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { CustomerDetail, CustomerDetailList } from '../../api/types'
import { useQuery } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Button } from '../../ui/basics'
import { Field, type FormState } from '../../ui/form'
import { Picker } from '../../ui/tabs'
import { customerName } from './name'

export function CustomerField({ form, path, label, help, optional, chosen, onChoose }: {
  form: FormState<any>; path: string; label: string; help?: string; optional?: boolean
  chosen: CustomerDetail | null; onChoose: (customer: CustomerDetail | null) => void
}): JSX.Element {
  const [text, setText] = useState('')
  const [searched, setSearched] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearched(text.trim()), 200)
    return () => clearTimeout(timer)
  }, [text])
  const found = useQuery<CustomerDetailList>(searched && !chosen ? '/api/{store}/customer' : null, { q: searched, perPage: 10 }).data?.customers ?? []
  return (
    <Field form={form} path={path} label={label} help={help} optional={optional}>
      {(control) => chosen
        ? (
          <div class="chosen-customer">
            <span><span class="primary-line">{customerName(chosen)}</span><small class="muted">{contactOf(chosen)}</small></span>
            <Button id={control.id} small icon="close" onClick={() => onChoose(null)}>{t('customers.another')}</Button>
          </div>
        )
        : (
          <Picker {...control} single chosen={[]} placeholder={t('customers.searchHint')} onSearch={setText}
            options={found.map((c) => ({ value: c.customerId, text: customerName(c), detail: contactOf(c) }))}
            onChange={([id]) => onChoose(found.find((c) => c.customerId === id) ?? null)} />
        )}
    </Field>
  )
}

function contactOf(c: CustomerDetail): string {
  return [c.email, c.phone, c.loyaltyCardNumber].filter(Boolean).join(' · ')
}
