// Edits the customer's own data and consents.
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { storedAt, write } from '../api/client'
import type { CustomerDetail } from '../api/types'
import * as session from '../api/session'
import { t } from '../i18n/i18n'
import { useAvatar } from '../ui/avatar'
import { Card, Empty, ErrorState, Page, Skeleton } from '../ui/basics'
import { countryOptions } from '../ui/countries'
import { toast } from '../ui/dialog'
import { Checkbox, DateTimeField, Form, SelectField, TextField, useForm } from '../ui/form'
import { navigate } from '../ui/router'
import { Upload } from '../ui/upload'
import { useCustomer, useMayEdit } from './data'

const address = ['street', 'address1', 'address2', 'postal', 'city', 'province', 'country'] as const

function valuesOf(c?: CustomerDetail) {
  return {
    firstName: c?.firstName ?? '',
    lastName: c?.lastName ?? '',
    email: c?.email ?? '',
    phone: c?.phone ?? '',
    gender: (c?.gender ?? 'not_disclosed') as 'female' | 'male' | 'not_disclosed',
    birthDate: c?.birthDate ?? '',
    address: Object.fromEntries(address.map((name) => [name, c?.address?.[name] ?? ''])) as Record<
      (typeof address)[number],
      string
    >,
    company: { name: c?.company?.name ?? '', nip: c?.company?.nip ?? '' },
    agreement2: c?.agreement2 ?? false,
    agreement3: c?.agreement3 ?? false,
  }
}

export default function Profile(): JSX.Element {
  const { data: c, error, reload, at } = useCustomer()
  const mayEdit = useMayEdit()
  const id = session.claims.value?.id ?? ''
  const form = useForm(
    valuesOf(c),
    async (values, key, tag) => {
      await write('PUT', '/api/{store}/customer/{customer}', {
        params: { customer: id },
        body: { customer: values },
        key,
        tag,
      })
      toast(t('me.saved'))
      navigate('/account')
    },
    true,
    storedAt('/api/{store}/customer/{customer}', { customer: id }, valuesOf),
  )
  useEffect(() => {
    if (c && !form.dirty) form.replace(valuesOf(c))
  }, [c])
  const back = { to: '/account', text: t('me.me') }
  if (!c || at) {
    return (
      <Page title={t('me.profile')} back={back}>
        {error ? <ErrorState error={error} retry={reload} /> : <Skeleton lines={8} />}
      </Page>
    )
  }
  if (!mayEdit) {
    return (
      <Page title={t('me.profile')} back={back}>
        <Empty icon="lock" title={t('me.noEdits')}>
          {t('me.noEditsHelp')}
        </Empty>
      </Page>
    )
  }
  return (
    <Page title={t('me.profile')} back={back}>
      <Picture customer={c} />
      <Card class="narrow">
        <Form form={form} cancel={() => navigate('/account')} sticky>
          <div class="columns">
            <TextField form={form} path="firstName" label={t('me.firstName')} autoComplete="given-name" />
            <TextField form={form} path="lastName" label={t('me.lastName')} autoComplete="family-name" />
          </div>
          <TextField form={form} path="email" type="email" label={t('signIn.email')} autoComplete="email" />
          <TextField form={form} path="phone" type="tel" label={t('me.phone')} autoComplete="tel" optional />
          <div class="columns">
            <DateTimeField form={form} path="birthDate" label={t('me.birthDate')} dateOnly optional />
            <SelectField
              form={form}
              path="gender"
              label={t('me.gender')}
              options={[
                { value: 'not_disclosed', text: t('me.notDisclosed') },
                { value: 'female', text: t('me.female') },
                { value: 'male', text: t('me.male') },
              ]}
            />
          </div>
          <h2>{t('me.address')}</h2>
          <div class="columns">
            <TextField form={form} path="address.street" label={t('me.street')} optional />
            <TextField form={form} path="address.address1" label={t('me.house')} optional />
          </div>
          <div class="columns">
            <TextField form={form} path="address.postal" label={t('me.postal')} autoComplete="postal-code" optional />
            <TextField form={form} path="address.city" label={t('me.city')} autoComplete="address-level2" optional />
          </div>
          <div class="columns">
            <TextField
              form={form}
              path="address.province"
              label={t('me.province')}
              autoComplete="address-level1"
              optional
            />
            <SelectField
              form={form}
              path="address.country"
              label={t('customers.country')}
              options={countryOptions(c.address?.country)}
              empty="–"
            />
          </div>
          <h2>{t('customers.company')}</h2>
          <div class="columns">
            <TextField
              form={form}
              path="company.name"
              label={t('customers.company')}
              autoComplete="organization"
              optional
            />
            <TextField
              form={form}
              path="company.nip"
              label={t('customers.taxNumber')}
              optional
              help={t('customers.companyHelp')}
            />
          </div>
          <h2>{t('me.consents')}</h2>
          <Checkbox form={form} path="agreement2" label={t('me.agreeMarketing')} />
          <Checkbox form={form} path="agreement3" label={t('me.agreeData')} />
        </Form>
      </Card>
    </Page>
  )
}

// Picture stores the avatar at once, beside the form.
function Picture({ customer: c }: { customer: CustomerDetail }): JSX.Element {
  return (
    <div class="narrow">
      <Upload
        label={t('me.avatar')}
        help={t('me.avatarHelp')}
        mayEdit
        save={(file) =>
          write('POST', '/api/{store}/customer/{customer}/avatar', {
            params: { customer: c.customerId },
            body: { avatar: { file } },
          })
        }
        remove={() =>
          write('DELETE', '/api/{store}/customer/{customer}/avatar', { params: { customer: c.customerId } })
        }
        stored={!!c.avatarPath}
        picture={useAvatar(c.avatarPath, c.version)}
        removeHelp={t('me.avatarRemove')}
      />
    </div>
  )
}
