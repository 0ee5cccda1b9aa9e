import type { JSX } from 'preact'
import { url, useQuery, write } from '../../api/client'
import { t } from '../../i18n/i18n'
import { countryOptions } from '../../ui/countries'
import { Field, SelectField, TextField } from '../../ui/form'
import { Picker } from '../../ui/tabs'
import { latest, Upload } from '../../ui/upload'
import { CurrentPassword, maySecure, SecurityNotice } from '../security'
import { ColorField } from './color'
import { Lines } from './settings_rules'
import type { SectionProps } from './settings_values'

export function ProgramSection({ form, settings }: SectionProps): JSX.Element {
  const zones = useQuery('/api/{store}/settings/choices/{type}', { type: 'timezone' })
  const names = zones.data
    ? Object.values(zones.data.choices as Record<string, Record<string, string>>).flatMap(Object.values<string>)
    : [settings.timezone]
  return (
    <>
      <TextField
        form={form}
        path="programName"
        label={t('settings.programName')}
        help={t('settings.programNameHelp')}
        maxLength={255}
      />
      <div class="columns">
        <TextField form={form} path="programPointsSingular" label={t('settings.pointsSingular')} maxLength={255} />
        <TextField form={form} path="programPointsPlural" label={t('settings.pointsPlural')} maxLength={255} />
      </div>
      <div class="columns">
        <Field form={form} path="timezone" label={t('settings.timezone')} help={t('settings.timezoneHelp')}>
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
          path="country"
          label={t('settings.country')}
          help={t('settings.countryHelp')}
          optional
          empty={t('settings.noCountry')}
          options={countryOptions(form.values.country)}
        />
        <Field label={t('settings.currency')} help={t('settings.currencyHelp')}>
          {(control) => <input {...control} class="input" value={settings.currency} readOnly />}
        </Field>
      </div>
    </>
  )
}

// LookSection sets the color and pictures of the customers' app. Pictures are stored at once, the color with the form.
export function LookSection({ form, settings, mayEdit }: SectionProps): JSX.Element {
  return (
    <>
      <ColorField form={form} />
      <div class="uploads">
        {(
          [
            ['logo', t('settings.logo'), t('settings.logoHelp')],
            ['small-logo', t('settings.smallLogo'), t('settings.smallLogoHelp')],
            ['hero-image', t('settings.heroImage'), t('settings.heroImageHelp')],
          ] as const
        ).map(([name, label, help]) => (
          <Upload
            key={name}
            label={label}
            help={help}
            mayEdit={mayEdit}
            save={(file) =>
              write('POST', '/api/{store}/settings/photo/{name}', { params: { name }, body: { photo: { file } } })
            }
            remove={() => write('DELETE', '/api/{store}/settings/photo/{name}', { params: { name } })}
            stored={!!settings[name]}
            picture={settings[name] && latest(settings[name].path)}
            removeHelp={t('settings.removePictureHelp')}
          />
        ))}
      </div>
    </>
  )
}

export function LinksSection({ form, settings, mayEdit }: SectionProps): JSX.Element {
  const { publicUrl, messageLinksUrl } = form.values
  const moved = publicUrl !== (settings.publicUrl ?? '') || messageLinksUrl !== (settings.messageLinksUrl ?? '')
  return (
    <>
      <div class="columns">
        <TextField
          form={form}
          path="helpEmailAddress"
          label={t('settings.helpEmail')}
          help={t('settings.helpEmailHelp')}
          type="email"
          optional
        />
        <TextField
          form={form}
          path="programUrl"
          label={t('settings.programUrl')}
          type="url"
          placeholder="https://"
          optional
        />
      </div>
      <div class="columns">
        <TextField
          form={form}
          path="programFaqUrl"
          label={t('settings.faqUrl')}
          type="url"
          placeholder="https://"
          optional
        />
        <TextField
          form={form}
          path="programConditionsUrl"
          label={t('settings.conditionsUrl')}
          help={t('settings.conditionsUrlHelp')}
          type="url"
          placeholder="https://"
          optional
        />
      </div>
      {mayEdit && <SecurityNotice />}
      <div class="columns">
        <TextField
          form={form}
          path="publicUrl"
          label={t('settings.publicUrl')}
          help={t('settings.publicUrlHelp')}
          type="url"
          placeholder="https://"
          disabled={!maySecure()}
          optional
        />
        <TextField
          form={form}
          path="messageLinksUrl"
          label={t('settings.messageLinks')}
          help={t('settings.messageLinksHelp')}
          type="url"
          placeholder="https://"
          disabled={!maySecure()}
          optional
        />
      </div>
      {moved && <CurrentPassword form={form} />}
      <Lines form={form} path="embedOrigins" label={t('settings.embedOrigins')} help={t('settings.embedOriginsHelp')} />
      <Upload
        label={t('settings.conditionsFile')}
        help={t('settings.conditionsFileHelp')}
        stored={!!settings['conditions-file']}
        removeHelp={t('settings.removeTermsHelp')}
        mayEdit={mayEdit}
        document={url('/api/{store}/settings/conditions-file')}
        save={(file) => write('POST', '/api/{store}/settings/conditions-file', { body: { conditions: { file } } })}
        remove={() => write('DELETE', '/api/{store}/settings/conditions-file')}
      />
    </>
  )
}
