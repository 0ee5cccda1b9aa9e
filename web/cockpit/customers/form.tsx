import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { CustomerDetail } from '../../api/types'
import { storedAt, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Card, ErrorState, Page, Skeleton } from '../../ui/basics'
import { countryOptions } from '../../ui/countries'
import { toast } from '../../ui/dialog'
import { Checkbox, DateTimeField, Form, SelectField, TextField, useForm, type FormState } from '../../ui/form'
import { navigate, type RouteProps } from '../../ui/router'
import { useLanguages } from '../languages'
import { useLevels, usePointsOfSale } from '../lookups'
import { customerName } from './name'
import { bodyOf, valuesOf, type Values } from './types'

// CustomerForm registers a customer, or changes one.
export default function CustomerForm({ params }: RouteProps): JSX.Element {
  const id = params['customer']
  const { data: c, error, reload } = useQuery('/api/{store}/customer/{customer}', { customer: id })
  const title = id ? t('customers.edit') : t('customers.add')
  const back =
    id && c ? { to: `/customers/${id}`, text: customerName(c) } : { to: '/customers', text: t('nav.allCustomers') }
  if (error && !c)
    return (
      <Page title={title} back={back}>
        <ErrorState error={error} retry={reload} />
      </Page>
    )
  if (id && !c)
    return (
      <Page title={title} back={back}>
        <Skeleton lines={8} />
      </Page>
    )
  return (
    <Page title={title} back={back}>
      <Loaded id={id} customer={c} />
    </Page>
  )
}

function Loaded({ id, customer }: { id: string | undefined; customer: CustomerDetail | undefined }): JSX.Element {
  const initial = useMemo(() => valuesOf(customer), [])
  const before = useMemo(() => customer, [])
  const form = useForm<Values>(
    initial,
    async (values, key, tag) => {
      const customer = bodyOf(values, before)
      const issueCard = values.issueCard && !values.loyaltyCardNumber
      const saved = id
        ? await write('PUT', '/api/{store}/customer/{customer}', {
            params: { customer: id },
            body: { customer },
            key,
            tag,
          })
        : await write('POST', '/api/{store}/admin/customer/register', { body: { customer, issueCard }, key })
      toast(t(id ? 'customers.saved' : 'customers.added', { name: customerName(values) }))
      navigate(`/customers/${saved.customerId}`)
    },
    true,
    id ? storedAt('/api/{store}/customer/{customer}', { customer: id }, valuesOf) : undefined,
  )
  return (
    <div class="customer-form">
      <Form
        form={form}
        save={id ? t('action.save') : t('customers.register')}
        sticky
        cancel={() => navigate(id ? `/customers/${id}` : '/customers')}
      >
        <Card title={t('customers.person')}>
          <div class="columns">
            <TextField form={form} path="firstName" label={t('customers.firstName')} autoFocus={!id} />
            <TextField form={form} path="lastName" label={t('customers.lastName')} />
          </div>
          <div class="columns">
            <TextField form={form} path="email" type="email" label={t('customers.email')} />
            <TextField
              form={form}
              path="phone"
              type="tel"
              label={t('customers.phone')}
              optional
              help={t('customers.phoneHelp')}
            />
          </div>
          <div class="columns">
            <DateTimeField form={form} path="birthDate" dateOnly label={t('customers.birthDate')} optional />
            <SelectField
              form={form}
              path="gender"
              label={t('customers.gender')}
              options={[
                { value: 'not_disclosed', text: t('customers.gender.not_disclosed') },
                { value: 'female', text: t('customers.gender.female') },
                { value: 'male', text: t('customers.gender.male') },
              ]}
            />
            <LanguageField form={form} />
          </div>
        </Card>
        <ProgramCard form={form} isNew={!id} />
        <Card title={t('customers.agreements')}>
          <Checkbox
            form={form}
            path="agreement1"
            label={t('customers.agreement1')}
            help={t('customers.agreement1Help')}
          />
          <Checkbox form={form} path="agreement2" label={t('customers.agreement2')} />
          <Checkbox form={form} path="agreement3" label={t('customers.agreement3')} />
        </Card>
        <AddressCard form={form} />
      </Form>
    </div>
  )
}

// LanguageField offers the languages of the store, and one that the customer has had before.
function LanguageField({ form }: { form: FormState<Values> }): JSX.Element {
  const languages = useLanguages().map((l) => ({ value: l.code, text: l.name }))
  const { locale } = form.values
  if (locale && !languages.some((l) => l.value === locale)) languages.push({ value: locale, text: locale })
  return (
    <SelectField
      form={form}
      path="locale"
      label={t('customers.language')}
      help={t('customers.languageHelp')}
      empty={t('customers.languageOfStore')}
      options={languages}
    />
  )
}

function ProgramCard({ form, isNew }: { form: FormState<Values>; isNew: boolean }): JSX.Element {
  const levels = useLevels()
  const shops = usePointsOfSale()
  return (
    <Card title={t('customers.program')}>
      <div class="columns">
        <TextField form={form} path="loyaltyCardNumber" label={t('customers.cardNumber')} optional />
        {isNew && !form.values.loyaltyCardNumber && (
          <Checkbox form={form} path="issueCard" label={t('customers.issueCard')} help={t('customers.issueCardHelp')} />
        )}
      </div>
      <div class="columns">
        {may('LEVEL') && (
          <SelectField
            form={form}
            path="levelId"
            label={t('customers.level')}
            empty={isNew ? t('customers.levelByItself') : undefined}
            help={t('customers.levelHelp')}
            options={levels
              .filter((l) => l.active || l.levelId === form.values.levelId)
              .map((l) => ({ value: l.levelId, text: l.name ?? l.levelId }))}
          />
        )}
        {may('POS') && (
          <SelectField
            form={form}
            path="posId"
            label={t('customers.shop')}
            empty={t('customers.noShop')}
            options={shops.map((s) => ({ value: s.posId, text: s.name }))}
          />
        )}
      </div>
      <TextField form={form} path="labels" label={t('customers.labels')} optional help={t('customers.labelsHelp')} />
    </Card>
  )
}

function AddressCard({ form }: { form: FormState<Values> }): JSX.Element {
  return (
    <Card title={t('customers.addressAndCompany')}>
      <div class="columns">
        <TextField form={form} path="address.street" label={t('customers.street')} optional />
        <TextField form={form} path="address.address1" label={t('customers.house')} optional />
        <TextField form={form} path="address.postal" label={t('customers.postal')} optional />
      </div>
      <div class="columns">
        <TextField form={form} path="address.city" label={t('customers.city')} optional />
        <TextField form={form} path="address.province" label={t('customers.province')} optional />
        <SelectField
          form={form}
          path="address.country"
          label={t('customers.country')}
          optional
          empty={t('form.choose')}
          options={countryOptions(form.values.address.country)}
        />
      </div>
      <div class="columns">
        <TextField form={form} path="company.name" label={t('customers.company')} optional />
        <TextField
          form={form}
          path="company.nip"
          label={t('customers.taxNumber')}
          optional
          help={t('customers.companyHelp')}
        />
      </div>
    </Card>
  )
}
