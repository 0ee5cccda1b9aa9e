// What the form of an identity provider has besides its fields: templates, a test of the issuer, and addresses to
// register.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Failure, useQuery, write } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Button, Copy, ErrorState, Facts, failureText, Notice, Skeleton } from '../../ui/basics'
import { Field, type FormState } from '../../ui/form'
import { templates, type Template, type TemplateName } from './sso_templates'

// baseOf returns where the providers of the installation are, or those of the present store.
export function baseOf(inStore: boolean): '/api/admin/identity-provider' | '/api/{store}/admin/identity-provider' {
  return inStore ? '/api/{store}/admin/identity-provider' : '/api/admin/identity-provider'
}

// Templates fills in what is known of a provider.
export function Templates({ fill }: { fill: (template: Template) => void }): JSX.Element {
  const [chosen, setChosen] = useState<TemplateName | 'other'>('other')
  const choose = (name: TemplateName | 'other'): void => {
    setChosen(name)
    fill(name === 'other' ? { name: '', issuer: '', scopes: 'profile email', groupClaim: 'groups' } : templates[name])
  }
  return (
    <Field label={t('sso.template')} help={t(`sso.templateHelp.${chosen}`)}>
      {(control) => (
        <select
          {...control}
          class="input"
          value={chosen}
          onChange={(event) => choose(event.currentTarget.value as TemplateName | 'other')}
        >
          {Object.entries(templates).map(([value, of]) => (
            <option key={value} value={value} selected={value === chosen}>
              {of.name}
            </option>
          ))}
          <option value="other" selected={chosen === 'other'}>
            {t('sso.template.other')}
          </option>
        </select>
      )}
    </Field>
  )
}

// TestIssuer reads what an issuer publishes, before or after the provider is saved.
export function TestIssuer({
  inStore,
  issuer,
  refused,
}: {
  inStore: boolean
  issuer: string
  refused: (fields: FormState<object>['errors']) => void
}): JSX.Element {
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<{ of: string; problem: string } | null>(null)
  const test = async (): Promise<void> => {
    setBusy(true)
    setResult(null)
    try {
      const { problem } = await write('POST', `${baseOf(inStore)}/test`, { body: { issuer }, key: null })
      setResult({ of: issuer, problem: problem ?? '' })
    } catch (error) {
      if (error instanceof Failure && error.fields['issuer']) refused({ issuer: error.fields['issuer'] })
      else setResult({ of: issuer, problem: error instanceof Failure ? failureText(error) : String(error) })
    }
    setBusy(false)
  }
  return (
    <div class="stack-small">
      <div>
        <Button busy={busy} onClick={busy ? undefined : () => void test()}>
          {t('sso.testIssuer')}
        </Button>
      </div>
      {result?.of === issuer &&
        (result.problem ? (
          <Notice tone="danger">{result.problem}</Notice>
        ) : (
          <Notice tone="success">{t('sso.issuerAnswers')}</Notice>
        ))}
    </div>
  )
}

// Register shows the addresses that have to be registered at a provider, also before it is saved.
export function Register({ inStore, provider }: { inStore: boolean; provider: string }): JSX.Element {
  const { data, error, reload } = useQuery(baseOf(inStore))
  if (!data) return error ? <ErrorState error={error} retry={reload} /> : <Skeleton lines={2} />
  if (!data.redirectBase) return <Notice tone="warning">{t('error.public_address_unknown')}</Notice>
  return (
    <div class="stack-small">
      <p class="label">{t('sso.register')}</p>
      <Facts
        items={[
          [t('sso.redirectUri'), <Copy text={data.redirectBase + provider} />],
          [t('sso.logoutUri'), <Copy text={data.logoutBase + provider} />],
        ]}
      />
    </div>
  )
}
