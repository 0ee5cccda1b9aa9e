// The identity providers that administrators sign in with, and who may still use a password.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { storedAt, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import type { PutAdminPasswordLoginForm, SsoPasswordView, SsoProviderView } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Badge, Button, Card, Copy, Empty, ErrorState, Facts, Notice, Page, Skeleton } from '../../ui/basics'
import { Confirm, Dialog, toast, toastFailure } from '../../ui/dialog'
import { Checkbox, Choice, Form, SelectField, TextField, useForm, type FormState } from '../../ui/form'
import { List, type Column } from '../../ui/table'
import { Preview } from './sso_preview'

type Asked = { kind: 'edit'; provider?: SsoProviderView } | { kind: 'remove' | 'preview'; provider: SsoProviderView }

const path = '/api/admin/identity-provider/{identityProvider}'

const mayEdit = (): boolean => may('SECURITY', 'MODIFY')

export default function SingleSignOn(): JSX.Element {
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  const create = mayEdit() && <Button kind="primary" icon="plus" onClick={() => setAsked({ kind: 'edit' })}>{t('sso.new')}</Button>
  const columns: Column<SsoProviderView>[] = [
    { name: 'name', title: t('sso.name'), cell: (p) => <><span class="primary-line">{p.name}</span><span class="second-line">{p.issuer}</span></> },
    {
      name: 'state', title: t('stores.state'), cell: (p) => <Badge tone={p.enabled ? 'success' : 'neutral'}>{t(p.enabled ? 'stores.on' : 'stores.off')}</Badge>,
    },
    {
      name: 'actions', title: t('stores.actions'), cell: (p) => mayEdit() && (
        <span class="row">
          <Button small onClick={() => void test(p)}>{t('sso.test')}<span class="hidden"> {p.name}</span></Button>
          <Button small onClick={() => setAsked({ kind: 'preview', provider: p })}>{t('sso.preview')}<span class="hidden"> {p.name}</span></Button>
          <Button small kind="plain" onClick={() => setAsked({ kind: 'remove', provider: p })}>{t('sso.remove')}<span class="hidden"> {p.name}</span></Button>
        </span>
      ),
    },
  ]
  return (
    <Page title={t('nav.singleSignOn')} lead={t('sso.lead')} actions={create}>
      <div class="stack">
        <List label={t('nav.singleSignOn')} path="/api/admin/identity-provider" columns={columns}
          read={(r) => ({ rows: r.providers, total: r.providers.length })} rowKey={(p) => p.providerId}
          onPick={mayEdit() ? (p) => setAsked({ kind: 'edit', provider: p }) : undefined}
          empty={<Empty icon="lock" title={t('sso.empty')} action={create}>{t('sso.emptyHelp')}</Empty>} />
        <Passwords />
      </div>
      {asked?.kind === 'edit' && <Edit stored={asked.provider} onClose={close} />}
      {asked?.kind === 'preview' && <Preview provider={asked.provider} onClose={close} />}
      {asked?.kind === 'remove' && <Remove provider={asked.provider} onClose={close} />}
    </Page>
  )
}

async function test(p: SsoProviderView): Promise<void> {
  try {
    const result = await write('POST', `${path}/test`, { params: { identityProvider: p.providerId }, key: null })
    if (result.ok) toast(t('sso.answers', { name: p.name }))
    else toast(result.problem ?? '', 'danger')
  } catch (failure) {
    toastFailure(failure)
  }
}

interface Values {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string
  groupClaim: string
  enabled: boolean
  grants: { group: string; roleId: string }[]
}

function valuesOf(p?: SsoProviderView): Values {
  return {
    name: p?.name ?? '', issuer: p?.issuer ?? '', clientId: p?.clientId ?? '', clientSecret: '', scopes: (p?.scopes ?? ['profile', 'email']).join(' '),
    groupClaim: p?.groupClaim ?? 'groups', enabled: p?.enabled ?? true,
    grants: p?.grants.map((g) => ({ group: g.group, roleId: String(g.roleId) })) ?? [{ group: '', roleId: '' }],
  }
}

function Edit({ stored, onClose }: { stored: SsoProviderView | undefined; onClose: () => void }): JSX.Element {
  const params = { identityProvider: stored?.providerId ?? '' }
  const form = useForm<Values>(valuesOf(stored), async ({ scopes, ...values }, key, tag) => {
    const body = { identityProvider: { ...values, scopes: scopes.split(/\s+/).filter(Boolean) } }
    if (stored) await write('PUT', path, { params, body, key, tag })
    else await write('POST', '/api/admin/identity-provider', { body, key })
    toast(t('sso.saved', { name: values.name }))
    onClose()
  }, true, stored && storedAt(path, params, valuesOf))
  return (
    <Dialog wide title={stored ? stored.name : t('sso.new')} onClose={onClose}>
      <Form form={form} cancel={onClose} save={stored ? t('action.save') : t('sso.add')}>
        <TextField form={form} path="name" label={t('sso.name')} help={t('sso.nameHelp')} maxLength={255} autoFocus />
        <TextField form={form} path="issuer" type="url" label={t('sso.issuer')} help={t('sso.issuerHelp')} placeholder="https://" />
        <TextField form={form} path="clientId" label={t('sso.clientId')} maxLength={255} />
        <TextField form={form} path="clientSecret" type="password" autoComplete="off" label={t('sso.clientSecret')}
          placeholder={stored?.hasSecret ? t('webhooks.unchanged') : undefined} />
        <TextField form={form} path="scopes" label={t('sso.scopes')} help={t('sso.scopesHelp')} />
        <TextField form={form} path="groupClaim" label={t('sso.groupClaim')} help={t('sso.groupClaimHelp')} maxLength={255} />
        <Grants form={form} />
        <Checkbox form={form} path="enabled" label={t('sso.enabled')} />
        {stored && (stored.redirectUri
          ? <Facts items={[[t('sso.redirectUri'), <Copy text={stored.redirectUri} />], [t('sso.logoutUri'), <Copy text={stored.logoutUri} />]]} />
          : <Notice tone="warning">{t('error.public_address_unknown')}</Notice>)}
      </Form>
    </Dialog>
  )
}

// Grants edits which groups give which role. The first group that a user is in counts.
function Grants({ form }: { form: FormState<Values> }): JSX.Element {
  const roles = useQuery('/api/admin/acl/role', { perPage: -1 })
  const { grants } = form.values
  if (!roles.data) return roles.error ? <ErrorState error={roles.error} retry={roles.reload} /> : <Skeleton />
  const options = roles.data.roles.filter((r) => !r.master).map((r) => ({ value: String(r.id), text: r.name }))
  return (
    <fieldset class="stack" data-path="grants">
      <legend class="label">{t('sso.grants')}</legend>
      <div class="help">{t('sso.grantsHelp')}</div>
      {grants.map((g, i) => (
        <div class="header-row" key={i}>
          <TextField form={form} path={`grants.${i}.group`} label={t('sso.group')} />
          <SelectField form={form} path={`grants.${i}.roleId`} label={t('sso.role')} empty={t('form.choose')} options={options} />
          <Button kind="plain" icon="trash" label={t('sso.removeGroup', { name: g.group })}
            onClick={() => form.set('grants', grants.filter((_, other) => other !== i))} />
        </div>
      ))}
      <div><Button small icon="plus" onClick={() => form.set('grants', [...grants, { group: '', roleId: '' }])}>{t('sso.addGroup')}</Button></div>
    </fieldset>
  )
}

function Remove({ provider: p, onClose }: { provider: SsoProviderView; onClose: () => void }): JSX.Element {
  return (
    <Confirm title={t('sso.removeTitle', { name: p.name })} action={t('sso.remove')} onClose={onClose} onConfirm={async () => {
      await write('DELETE', path, { params: { identityProvider: p.providerId } })
      toast(t('sso.removed', { name: p.name }))
    }}>{t('sso.removeHelp')}</Confirm>
  )
}

// Passwords chooses who may still sign in with a password.
function Passwords(): JSX.Element {
  const { data, error, reload } = useQuery('/api/admin/password-login')
  return (
    <Card title={t('sso.passwords')}>
      {error && !data && <ErrorState error={error} retry={reload} />}
      {!data && !error && <Skeleton />}
      {data && <PasswordForm stored={data} key={data.allowed} />}
    </Card>
  )
}

const allowedOf = (stored: SsoPasswordView): PutAdminPasswordLoginForm => ({ allowed: stored.allowed as PutAdminPasswordLoginForm['allowed'] })

function PasswordForm({ stored }: { stored: SsoPasswordView }): JSX.Element {
  const form = useForm(allowedOf(stored), async (values, key, tag) => {
    await write('PUT', '/api/admin/password-login', { body: values, key, tag })
    toast(t('sso.passwordsSaved'))
  }, true, storedAt('/api/admin/password-login', {}, allowedOf))
  const choice = (
    <Choice form={form} path="allowed" label={t('sso.mayUsePassword')} disabled={!mayEdit()} options={(['everybody', 'unlinked', 'nobody'] as const).map((value) => (
      { value, text: t(`sso.password.${value}`) }
    ))} help={t('sso.passwordsHelp')} />
  )
  return mayEdit() ? <Form form={form}>{choice}</Form> : choice
}
