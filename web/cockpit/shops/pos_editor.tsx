import type { JSX } from 'preact'
import type { PosView } from '../../api/types'
import { storedAt, useQuery, write } from '../../api/client'
import { number, t } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Card, ErrorState, Facts, Page, Skeleton } from '../../ui/basics'
import { countryOptions, likelyCountry } from '../../ui/countries'
import { toast } from '../../ui/dialog'
import { Form, NumberField, SelectField, TextArea, TextField, useForm } from '../../ui/form'
import { navigate, type RouteProps } from '../../ui/router'
import { History } from '../audit/history'

interface Values {
  name: string
  identifier: string
  description: string
  location: {
    street: string
    address1: string
    address2: string
    postal: string
    city: string
    province: string
    country: string
    lat: string
    long: string
  }
}

function valuesOf(p: PosView | undefined): Values {
  const l = p?.location
  return {
    name: p?.name ?? '',
    identifier: p?.identifier ?? '',
    description: p?.description ?? '',
    location: {
      street: l?.street ?? '',
      address1: l?.address1 ?? '',
      address2: l?.address2 ?? '',
      postal: l?.postal ?? '',
      city: l?.city ?? '',
      province: l?.province ?? '',
      country: l?.country ?? likelyCountry(),
      lat: l?.geoPoint?.lat ?? '',
      long: l?.geoPoint?.long ?? '',
    },
  }
}

// PosEditor edits a point of sale, or a new one. A point of sale is never deleted, because receipts refer to it.
export default function PosEditor({ params }: RouteProps): JSX.Element {
  const id = params['pos']
  const { data: pos, error, reload } = useQuery('/api/{store}/pos/{pos}', { pos: id })
  const back = { to: '/points-of-sale', text: t('nav.pointsOfSale') }
  const title = id ? (pos?.name ?? t('pos.one')) : t('pos.new')
  if (error && !pos)
    return (
      <Page title={title} back={back}>
        <ErrorState error={error} retry={reload} />
      </Page>
    )
  if (id && !pos)
    return (
      <Page title={title} back={back}>
        <Skeleton lines={8} />
      </Page>
    )
  return (
    <Page title={title} back={back} actions={pos && <History of={pos.posId} />}>
      <Loaded key={id ?? ''} pos={pos} />
    </Page>
  )
}

function Loaded({ pos }: { pos: PosView | undefined }): JSX.Element {
  const form = useForm<Values>(
    valuesOf(pos),
    async (values, key, tag) => {
      await (pos
        ? write('PUT', '/api/{store}/pos/{pos}', { params: { pos: pos.posId }, body: { pos: values }, key, tag })
        : write('POST', '/api/{store}/pos', { body: { pos: values }, key }))
      toast(t('pos.saved', { name: values.name }))
      navigate('/points-of-sale')
    },
    true,
    pos && storedAt('/api/{store}/pos/{pos}', { pos: pos.posId }, valuesOf),
  )
  return (
    <div class="shop-editor">
      {pos && (
        <Card title={t('pos.figures')}>
          <Facts
            items={[
              [t('pos.sales'), number(pos.transactionsCount)],
              [t('pos.amount'), money(pos.transactionsAmount, pos.currency)],
            ]}
          />
        </Card>
      )}
      <Form form={form} cancel={() => navigate('/points-of-sale')} save={pos ? t('action.save') : t('pos.add')} sticky>
        <Card title={t('pos.what')}>
          <TextField form={form} path="name" label={t('pos.name')} help={t('pos.nameHelp')} autoFocus={!pos} />
          <TextField
            form={form}
            path="identifier"
            label={t('pos.identifier')}
            help={t('pos.identifierHelp')}
            optional
          />
          <TextArea form={form} path="description" label={t('pos.description')} rows={2} optional />
        </Card>
        <Card title={t('pos.address')}>
          <div class="address">
            <TextField form={form} path="location.street" label={t('pos.street')} optional />
            <TextField form={form} path="location.address1" label={t('pos.house')} optional />
            <TextField form={form} path="location.address2" label={t('pos.floor')} optional />
            <TextField form={form} path="location.postal" label={t('pos.postal')} optional />
            <TextField form={form} path="location.city" label={t('pos.city')} optional />
            <TextField form={form} path="location.province" label={t('pos.province')} optional />
            <SelectField
              form={form}
              path="location.country"
              label={t('pos.country')}
              optional
              empty={t('form.choose')}
              options={countryOptions(form.values.location.country)}
            />
          </div>
          <details open={!!form.values.location.lat || !!form.errors['location.lat'] || !!form.errors['location.long']}>
            <summary>{t('pos.place')}</summary>
            <div class="stack">
              <p class="help">{t('pos.placeHelp')}</p>
              <div class="columns">
                <NumberField form={form} path="location.lat" label={t('pos.lat')} optional placeholder="59.9139" />
                <NumberField form={form} path="location.long" label={t('pos.long')} optional placeholder="10.7522" />
              </div>
            </div>
          </details>
        </Card>
      </Form>
    </div>
  )
}
