// Sets up a new installation, by the link that its start prints: the look and the numbers of the store, and the
// password of the first administrator. The token is in the fragment of the address, which no server gets.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failure, useQuery, write } from '../../api/client'
import * as session from '../../api/session'
import type { SetupView } from '../../api/types'
import { currencyNames, language, languages, t, textsIn, type Language } from '../../i18n/i18n'
import { failureText, Notice, Skeleton } from '../../ui/basics'
import { countryOptions, likelyCountry } from '../../ui/countries'
import { toastFailure } from '../../ui/dialog'
import { Field, Form, SelectField, TextField, useForm } from '../../ui/form'
import { Outside, ToSignIn } from '../../ui/outside'
import { NewPassword } from '../../ui/password'
import { navigate } from '../../ui/router'
import { Picker } from '../../ui/tabs'
import { addLevel, addRule } from '../overview/starters'
import { ColorField } from './color'
import { currencyOf, languageOfCountry, zoneOfCountry } from './country'

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

// proposals are what a country proposes. All of it can be changed in the form.
function proposals(country: string): { currency: string; timezone: string; language: string } {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
  return {
    currency: currencyOf(country, 'EUR'),
    timezone: zoneOfCountry(country, zone),
    language: languageOfCountry(country, language.value),
  }
}

function SetUpForm({ store, token }: { store: SetupView; token: string }): JSX.Element {
  const zones = useQuery('/api/{store}/settings/choices/{type}', { type: 'timezone' })
  const country = likelyCountry()
  const [logo, setLogo] = useState<File | null>(null)
  const form = useForm(
    { name: '', plainPassword: '', country, ...proposals(country), accentColor: '' },
    async (values) => {
      const chosen = values.language as Language
      const text = await textsIn(chosen)
      await write('POST', '/api/setup', {
        body: {
          setup: {
            token,
            ...values,
            languageName: languages[chosen],
            onlyLanguage: true,
            programName: values.name,
            programPointsSingular: text('setup.onePoint'),
            programPointsPlural: text('setup.manyPoints'),
            pointsRounding: 'half_up',
            pointsDaysExpiryAfter: 'all_time_active',
          },
        },
      })
      await session.signIn('cockpit', store.storeCode, store.username, values.plainPassword)
      // What fails from here on is a first step in the overview, or can be chosen again in the settings.
      await addLevel(chosen, text('overview.step.levelName')).catch(toastFailure)
      await addRule(text('overview.step.ruleDo', { currency: values.currency })).catch(toastFailure)
      if (logo) {
        await write('POST', '/api/{store}/settings/photo/{name}', {
          params: { name: 'logo' },
          body: { photo: { file: logo } },
        }).catch(toastFailure)
      }
      navigate('/')
    },
    false,
  )
  const names = zones.data
    ? Object.values(zones.data.choices as Record<string, Record<string, string>>).flatMap(Object.values<string>)
    : [form.values.timezone]
  const { set } = form
  const chosen = form.values.country
  useEffect(() => {
    for (const [path, value] of Object.entries(proposals(chosen))) set(path, value)
  }, [chosen])
  return (
    <Form form={form} save={t('setup.save')}>
      <SelectField
        form={form}
        path="country"
        label={t('settings.country')}
        help={t('setup.countryHelp')}
        optional
        empty={t('settings.noCountry')}
        options={countryOptions(form.values.country)}
      />
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
        options={Object.entries(languages).map(([value, text]) => ({ value, text }))}
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
