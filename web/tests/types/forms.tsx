// Fields that the compiler must refuse. It reports a line below that it would accept.
import type { JSX } from 'preact'
import { NumberField, TextField, type FormState } from '../../ui/form'

interface Values {
  name: string
  items: { quantity: string }[]
  texts: Record<string, { title: string }>
}

export function Fields({ form, at }: { form: FormState<Values>; at: number }): JSX.Element {
  return (
    <>
      <TextField form={form} path="name" label="" />
      <NumberField form={form} path={`items.${at}.quantity`} label="" />
      <TextField form={form} path={`texts.${form.values.name}.title`} label="" />
      {/* @ts-expect-error a value that the form does not have */}
      <TextField form={form} path="titel" label="" />
      {/* @ts-expect-error such a value in a list */}
      <NumberField form={form} path={`items.${at}.number`} label="" />
    </>
  )
}
