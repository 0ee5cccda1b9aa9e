// Sets up a new installation, by the link that its start prints: the look and the numbers of the store, and the
// password of the first administrator. The token is in the fragment of the address, which no server gets.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failure, useQuery, write } from '../../api/client'
import * as session from '../../api/session'
import type { SetupView } from '../../api/types'
import { currencyNames, t } from '../../i18n/i18n'
import { failureText, Notice, Skeleton } from '../../ui/basics'
import { countryOptions, likelyCountry } from '../../ui/countries'
import { toastFailure } from '../../ui/dialog'
import { Field, Form, SelectField, TextField, useForm } from '../../ui/form'
import { Outside, ToSignIn } from '../../ui/outside'
import { NewPassword } from '../../ui/password'
import { navigate } from '../../ui/router'
import { Picker } from '../../ui/tabs'
import { ColorField } from './color'

const euroCountries = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ')
const currencies: Record<string, string> = {
  AE: 'AED',
  AR: 'ARS',
  AU: 'AUD',
  BR: 'BRL',
  CA: 'CAD',
  CH: 'CHF',
  CL: 'CLP',
  CN: 'CNY',
  CO: 'COP',
  CZ: 'CZK',
  DK: 'DKK',
  EG: 'EGP',
  GB: 'GBP',
  HK: 'HKD',
  HU: 'HUF',
  ID: 'IDR',
  IL: 'ILS',
  IN: 'INR',
  IS: 'ISK',
  JP: 'JPY',
  KR: 'KRW',
  KW: 'KWD',
  MA: 'MAD',
  MX: 'MXN',
  MY: 'MYR',
  NG: 'NGN',
  NO: 'NOK',
  NZ: 'NZD',
  PE: 'PEN',
  PH: 'PHP',
  PK: 'PKR',
  PL: 'PLN',
  QA: 'QAR',
  RO: 'RON',
  RS: 'RSD',
  SA: 'SAR',
  SE: 'SEK',
  SG: 'SGD',
  TH: 'THB',
  TN: 'TND',
  TR: 'TRY',
  TW: 'TWD',
  UA: 'UAH',
  US: 'USD',
  VN: 'VND',
  ZA: 'ZAR',
}

// currencyOf returns the currency of a country, or another one if it is not known.
function currencyOf(country: string, otherwise: string): string {
  return euroCountries.includes(country) ? 'EUR' : (currencies[country] ?? otherwise)
}

export default function SetUp(): JSX.Element {
  const [token] = useState(() => location.hash.slice(1))
  const [store, setStore] = useState<SetupView | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  useEffect(() => {
    write('POST', '/api/setup/link', { body: { setup: { token } } }).then(setStore, (e: unknown) => {
      setFailure(e instanceof Failure ? e : new Failure('failed', 0, String(e)))
    })
  }, [])
  return (
    <Outside title={t('setup.title')}>
      {failure && (
        <>
          {failure.kind === 'missing' ? (
            <Notice tone="neutral" title={t('setup.done')}>
              {t('setup.doneHelp')}
            </Notice>
          ) : (
            <Notice tone="danger" title={failure.kind === 'invalid' ? t('setup.noLink') : undefined}>
              {failureText(failure)}
            </Notice>
          )}
          <ToSignIn />
        </>
      )}
      {!store && !failure && <Skeleton lines={6} />}
      {store && <SetUpForm store={store} token={token} />}
    </Outside>
  )
}

function SetUpForm({ store, token }: { store: SetupView; token: string }): JSX.Element {
  const zones = useQuery('/api/{store}/settings/choices/{type}', { type: 'timezone' })
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || store.timezone
  const names = zones.data
    ? Object.values(zones.data.choices as Record<string, Record<string, string>>).flatMap(Object.values<string>)
    : [zone]
  const country = likelyCountry()
  const mine = store.languages.find((l) => navigator.languages.some((code) => code.split('-')[0] === l.code))
  const [logo, setLogo] = useState<File | null>(null)
  const form = useForm(
    {
      name: '',
      plainPassword: '',
      country,
      currency: currencyOf(country, store.currency),
      timezone: zone,
      language: mine?.code ?? store.language,
      accentColor: '',
    },
    async (values) => {
      await write('POST', '/api/setup', { body: { setup: { token, ...values } } })
      await session.signIn('cockpit', store.storeCode, store.username, values.plainPassword)
      if (logo) {
        await write('POST', '/api/{store}/settings/photo/{name}', {
          params: { name: 'logo' },
          body: { photo: { file: logo } },
        }).catch(toastFailure) // it can be chosen again in the settings
      }
      navigate('/')
    },
    false,
  )
  return (
    <Form form={form} save={t('setup.save')}>
      <TextField
        form={form}
        path="name"
        label={t('setup.name')}
        placeholder={t('setup.nameExample')}
        maxLength={255}
        autoFocus
      />
      <NewPassword form={form} path="plainPassword" label={t('setup.password', { name: store.username })} />
      <SelectField
        form={form}
        path="country"
        label={t('settings.country')}
        optional
        empty={t('settings.noCountry')}
        options={countryOptions(form.values.country)}
      />
      <SelectField
        form={form}
        path="currency"
        label={t('settings.currency')}
        help={t('setup.currencyHelp')}
        options={currencyNames().map(([value, name]) => ({ value, text: `${value} · ${name}` }))}
      />
      <Field form={form} path="timezone" label={t('settings.timezone')}>
        {(control) => (
          <Picker
            {...control}
            single
            options={names.map((name) => ({ value: name, text: name.replaceAll('_', ' ') }))}
            placeholder={t('form.choose')}
            chosen={form.values.timezone ? [form.values.timezone] : []}
            onChange={(values) => form.set('timezone', values[0] ?? '')}
          />
        )}
      </Field>
      <SelectField
        form={form}
        path="language"
        label={t('setup.language')}
        options={store.languages.map((l) => ({ value: l.code, text: l.name }))}
      />
      <details class="more">
        <summary>{t('setup.look')}</summary>
        <div class="stack">
          <ColorField form={form} />
          <div class="field">
            <label class="label" for="setup-logo">
              {t('settings.logo')} <span class="optional">{t('form.optional')}</span>
            </label>
            <input
              id="setup-logo"
              type="file"
              accept="image/png,image/gif,image/jpeg"
              aria-describedby="setup-logo-help"
              onChange={(event) => setLogo(event.currentTarget.files?.[0] ?? null)}
            />
            <div class="help" id="setup-logo-help">
              {t('settings.logoHelp')}
            </div>
          </div>
        </div>
      </details>
    </Form>
  )
}
