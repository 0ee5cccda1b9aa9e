// Edits an identity provider, of the whole installation or of the present store.
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { newKey, storedAt, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import type { SsoProviderView } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Button, ErrorState, fieldText, Skeleton } from '../../ui/basics'
import { Dialog, toast } from '../../ui/dialog'
import {
  Checkbox,
  Form,
  SelectField,
  TextField,
  useForm,
  type FormState,
  type Option,
  type PathOf,
} from '../../ui/form'
import { useStores } from '../present_store'
import { placeName } from '../shops/place_name'
import { baseOf, Register, Templates, TestIssuer } from './sso_new'

interface Values {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string
  groupClaim: string
  enabled: boolean
  grants: { group: string; roleId: string }[]
  storeGrants: { group: string; storeId: string; roleId: string }[]
  sellerGrants: { group: string; posId: string }[]
}

function valuesOf(p?: SsoProviderView): Values {
  return {
    name: p?.name ?? '',
    issuer: p?.issuer ?? '',
    clientId: p?.clientId ?? '',
    clientSecret: '',
    scopes: (p?.scopes ?? ['profile', 'email']).join(' '),
    groupClaim: p?.groupClaim ?? 'groups',
    enabled: p?.enabled ?? true,
    grants: p?.grants.map((g) => ({ group: g.group, roleId: String(g.roleId) })) ?? [{ group: '', roleId: '' }],
    storeGrants: p?.storeGrants?.map((g) => ({ ...g, roleId: String(g.roleId) })) ?? [],
    sellerGrants: p?.sellerGrants?.map((g) => ({ group: g.group, posId: g.posId ?? '' })) ?? [],
  }
}

export function Edit({
  inStore,
  stored,
  onClose,
}: {
  inStore: boolean
  stored: SsoProviderView | undefined
  onClose: () => void
}): JSX.Element {
  const id = useMemo(() => stored?.providerId ?? newKey().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), []) // known before it is saved, because its addresses are
  const params = { identityProvider: id }
  const base = baseOf(inStore)
  const form = useForm<Values>(
    valuesOf(stored),
    async ({ scopes, storeGrants, sellerGrants, ...values }, key, tag) => {
      const all = { ...values, scopes: scopes.split(/\s+/).filter(Boolean) }
      if (inStore) {
        const body = { identityProvider: { ...all, sellerGrants } }
        if (stored)
          await write('PUT', '/api/{store}/admin/identity-provider/{identityProvider}', { params, body, key, tag })
        else
          await write('POST', '/api/{store}/admin/identity-provider', {
            body: { identityProvider: { ...body.identityProvider, providerId: id } },
            key,
          })
      } else {
        const body = { identityProvider: { ...all, storeGrants } }
        if (stored) await write('PUT', '/api/admin/identity-provider/{identityProvider}', { params, body, key, tag })
        else
          await write('POST', '/api/admin/identity-provider', {
            body: { identityProvider: { ...body.identityProvider, providerId: id } },
            key,
          })
      }
      toast(t('sso.saved', { name: values.name }))
      onClose()
    },
    true,
    stored && storedAt(`${base}/{identityProvider}`, params, valuesOf),
  )
  return (
    <Dialog wide title={stored ? stored.name : t('sso.new')} onClose={onClose}>
      <Form form={form} cancel={onClose} save={stored ? t('action.save') : t('sso.add')}>
        {!stored && (
          <Templates
            fill={(of) =>
              (['name', 'issuer', 'scopes', 'groupClaim'] as const).forEach((field) => form.set(field, of[field]))
            }
          />
        )}
        <Register inStore={inStore} provider={id} />
        <TextField form={form} path="name" label={t('sso.name')} help={t('sso.nameHelp')} maxLength={255} autoFocus />
        <TextField
          form={form}
          path="issuer"
          type="url"
          label={t('sso.issuer')}
          help={t('sso.issuerHelp')}
          placeholder="https://"
        />
        <TestIssuer inStore={inStore} issuer={form.values.issuer} refused={form.setErrors} />
        <TextField form={form} path="clientId" label={t('sso.clientId')} maxLength={255} />
        <TextField
          form={form}
          path="clientSecret"
          type="password"
          autoComplete="off"
          label={t('sso.clientSecret')}
          placeholder={stored?.hasSecret ? t('webhooks.unchanged') : undefined}
        />
        <TextField form={form} path="scopes" label={t('sso.scopes')} help={t('sso.scopesHelp')} />
        <TextField
          form={form}
          path="groupClaim"
          label={t('sso.groupClaim')}
          help={t('sso.groupClaimHelp')}
          maxLength={255}
        />
        {inStore ? <StoreGroups form={form} /> : <AllGroups form={form} />}
        <Checkbox form={form} path="enabled" label={t(inStore ? 'sso.enabledStore' : 'sso.enabled')} />
      </Form>
    </Dialog>
  )
}

// AllGroups edits which groups give which role, in all stores or in one.
function AllGroups({ form }: { form: FormState<Values> }): JSX.Element {
  const roles = useQuery('/api/admin/acl/role', { perPage: -1 })
  const stores = useStores()
  if (!roles.data || !stores.data) {
    const failed = [roles, stores].find((query) => query.error)
    return failed?.error ? <ErrorState error={failed.error} retry={failed.reload} /> : <Skeleton />
  }
  const options = roles.data.roles.filter((r) => !r.master).map((r) => ({ value: String(r.id), text: r.name }))
  const places = stores.data.stores.map((s) => ({ value: s.storeId, text: s.name }))
  return (
    <>
      <Groups
        form={form}
        list="grants"
        title={t('sso.grants')}
        help={t('sso.grantsHelp')}
        blank={{ group: '', roleId: '' }}
        fields={[{ name: 'roleId', label: t('sso.role'), options }]}
      />
      <Groups
        form={form}
        list="storeGrants"
        title={t('sso.storeGrants')}
        help={t('sso.storeGrantsHelp')}
        blank={{ group: '', storeId: '', roleId: '' }}
        fields={[
          { name: 'storeId', label: t('signIn.store'), options: places },
          { name: 'roleId', label: t('sso.role'), options },
        ]}
      />
    </>
  )
}

// StoreGroups edits which groups give which role in the store, and which let sellers in.
function StoreGroups({ form }: { form: FormState<Values> }): JSX.Element {
  const list = useQuery('/api/{store}/admin/identity-provider')
  const places = useQuery(may('POS') ? '/api/{store}/pos' : null, { perPage: 1000, sort: 'name', direction: 'ASC' })
  if (!list.data) return list.error ? <ErrorState error={list.error} retry={list.reload} /> : <Skeleton />
  const options = withChosen(
    (list.data.roles ?? []).map((r) => ({ value: String(r.roleId), text: r.name })),
    form.values.grants.map((g) => g.roleId),
  )
  const pos = withChosen(
    (places.data?.pos ?? []).map((p) => ({ value: p.posId, text: placeName(p) })),
    form.values.sellerGrants.map((g) => g.posId),
  )
  return (
    <>
      <Groups
        form={form}
        list="grants"
        title={t('sso.grants')}
        help={t('sso.grantsHelpStore')}
        blank={{ group: '', roleId: '' }}
        fields={[{ name: 'roleId', label: t('sso.role'), options }]}
      />
      {(may('SELLER', 'MODIFY') || form.values.sellerGrants.length > 0) && (
        <Groups
          form={form}
          list="sellerGrants"
          title={t('sso.sellerGrants')}
          help={t('sso.sellerGrantsHelp')}
          blank={{ group: '', posId: '' }}
          fields={[{ name: 'posId', label: t('pos.one'), options: pos, empty: t('sso.keepPos') }]}
        />
      )}
    </>
  )
}

// withChosen adds what is chosen but not offered, so that it stays visible.
function withChosen(options: Option[], chosen: string[]): Option[] {
  return [
    ...options,
    ...[...new Set(chosen)]
      .filter((value) => value && !options.some((o) => o.value === value))
      .map((value) => ({ value, text: value })),
  ]
}

type ListName = 'grants' | 'storeGrants' | 'sellerGrants'

// Groups edits a list of groups, with what each of them gives.
function Groups<Name extends ListName>({
  form,
  list,
  title,
  help,
  blank,
  fields,
}: {
  form: FormState<Values>
  list: Name
  title: string
  help: string
  blank: Values[Name][number]
  fields: { name: string; label: string; options: Option[]; empty?: string }[]
}): JSX.Element {
  const rows: { group: string }[] = form.values[list]
  const path = (i: number, name: string): PathOf<Values> => `${list}.${i}.${name}` as PathOf<Values>
  return (
    <fieldset class="stack" data-path={list}>
      <legend class="label">{title}</legend>
      <div class="help">{help}</div>
      {rows.map((row, i) => (
        <div class={fields.length > 1 ? 'header-row three' : 'header-row'} key={i}>
          <TextField form={form} path={path(i, 'group')} label={t('sso.group')} />
          {fields.map((f) => (
            <SelectField
              key={f.name}
              form={form}
              path={path(i, f.name)}
              label={f.label}
              empty={f.empty ?? t('form.choose')}
              options={f.options}
            />
          ))}
          <Button
            kind="plain"
            icon="trash"
            label={t('sso.removeGroup', { name: row.group })}
            onClick={() => form.set(list, rows.filter((_, other) => other !== i) as Values[Name])}
          />
        </div>
      ))}
      {(form.errors[list] ?? []).map((e) => (
        <div key={e.code} class="error" role="alert">
          {fieldText(e)}
        </div>
      ))}
      <div>
        <Button
          small
          icon="plus"
          label={t('sso.addGroupTo', { list: title })}
          onClick={() => form.set(list, [...rows, blank] as Values[Name])}
        >
          {t('sso.addGroup')}
        </Button>
      </div>
    </fieldset>
  )
}
