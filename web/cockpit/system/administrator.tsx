import type { JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { Failure, rewrite, storedAt, useQuery, write } from '../../api/client'
import { claims, may, readCaller } from '../../api/session'
import type { AdminRoleView, AdminView, UpdateAdministratorForm, VerificationInvited } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Button, Card, Copy, ErrorState, Notice, Page, Skeleton } from '../../ui/basics'
import { Confirm, Dialog, toast } from '../../ui/dialog'
import { Checkbox, Choice, Form, SelectField, TextField, useForm, type FormState } from '../../ui/form'
import { leave, navigate, type RouteProps } from '../../ui/router'
import { ResetFactors } from '../factors'
import { Offboard } from '../offboard'
import { useStores } from '../present_store'
import { nameOf, State } from './administrators'
import { Invitation, LinkDialog } from './invitation'
import { rolesOf, StoreRoles, type WithStoreRoles } from './store_roles'

interface Values extends WithStoreRoles {
  kind: 'person' | 'integration'
  how: 'link' | 'email' | 'password' // a new person gets in
  firstName: string
  lastName: string
  email: string
  phone: string
  plainPassword: string
  roles: string
  newKey: boolean
}

// Administrator adds an administrator, or changes one.
export default function Administrator({ params }: RouteProps): JSX.Element {
  const id = params['admin']
  const found = useQuery('/api/admin/data/{admin}', { admin: id })
  const roles = useQuery(may('ACL') ? '/api/admin/acl/role' : null, { perPage: 1000 })
  const back = { to: '/administrators', text: t('nav.administrators') }
  const waits = (id && !found.data) || (may('ACL') && !roles.data)
  const error = found.error ?? roles.error
  if (waits && error) {
    return (
      <Page title={t('admins.one')} back={back}>
        <ErrorState
          error={error}
          retry={() => {
            found.reload()
            roles.reload()
          }}
        />
      </Page>
    )
  }
  if (waits)
    return (
      <Page title={t('admins.one')} back={back}>
        <Skeleton lines={8} />
      </Page>
    )
  return <Loaded admin={found.data} roles={roles.data?.roles ?? []} reload={found.reload} />
}

// within reports whether a role can do nothing that the caller cannot.
function within(role: AdminRoleView): boolean {
  return role.master
    ? claims.value?.superAdmin === true
    : role.permissions.every((p) => may(p.resource, p.access as 'VIEW' | 'MODIFY'))
}

// bodyOf returns the whole record, because the API replaces it.
function bodyOf(values: Values, admin: AdminView | undefined, isActive: boolean): UpdateAdministratorForm['admin'] {
  const { firstName, lastName, email, phone, plainPassword } = values
  return {
    firstName,
    lastName,
    email,
    phone,
    isActive,
    notificationsEnabled: admin?.notificationsEnabled ?? false,
    ...(admin?.id === claims.value?.id ? {} : rolesIn(values)), // nobody changes their own
    ...(values.kind === 'integration' ? {} : { plainPassword }),
  }
}

function rolesIn({ scope, roles, storeRoles }: Values): Pick<UpdateAdministratorForm['admin'], 'roles' | 'storeRoles'> {
  if (scope === 'all') return roles ? { roles: [Number(roles)], storeRoles: [] } : {}
  const chosen = Object.entries(storeRoles)
    .filter(([, role]) => role)
    .map(([store, role]) => ({ store, role: Number(role) }))
  if (chosen.length === 0)
    throw new Failure('invalid', 0, '', { storeRoles: [{ code: 'blank', detail: '' }] }, '', 'invalid_fields')
  return { storeRoles: chosen }
}

function valuesOf(admin: AdminView | undefined, roles: AdminRoleView[]): Values {
  return {
    kind: admin?.external ? 'integration' : 'person',
    firstName: admin?.firstName ?? '',
    lastName: admin?.lastName ?? '',
    email: admin?.email ?? '',
    phone: admin?.phone ?? '',
    plainPassword: '',
    newKey: false,
    how: 'link',
    scope: admin?.storeRoles ? 'stores' : 'all',
    storeRoles: Object.fromEntries((admin?.storeRoles ?? []).map((r) => [r.store, String(r.role)])),
    roles: String(admin?.roles[0]?.id ?? roles.find((r) => r.default)?.id ?? ''),
  }
}

function Loaded({
  admin,
  roles,
  reload,
}: {
  admin: AdminView | undefined
  roles: AdminRoleView[]
  reload: () => void
}): JSX.Element {
  const [key, setKey] = useState<string | null>(null)
  const [link, setLink] = useState<VerificationInvited | null>(null)
  const [asking, setAsking] = useState(false)
  const [resetting, setResetting] = useState(false)
  const isSelf = admin?.id === claims.value?.id
  const held = [...(admin?.roles ?? []).map((r) => r.id), ...(admin?.storeRoles ?? []).map((r) => r.role)]
  const mayEdit = isSelf || (may('ADMIN', 'MODIFY') && roles.every((r) => !held.includes(r.id) || within(r)))
  const initial = useMemo(() => valuesOf(admin, roles), [])
  const latest = useRef(admin) // what the form does not show is sent as it is
  const form: FormState<Values> = useForm<Values>(
    initial,
    async (values, intent, tag) => {
      if (!admin && invites(values)) {
        const { link: made, email } = await invite(values)
        if (made) {
          setLink(made)
          return
        }
        toast(t('admins.inviteSent', { email }))
        navigate('/administrators')
        return
      }
      const made = await save(values, latest.current, intent, tag)
      toast(t('admins.saved', { name: [values.firstName, values.lastName].filter(Boolean).join(' ') || values.email }))
      if (isSelf) void readCaller()
      if (made) setKey(made)
      else navigate('/administrators')
    },
    true,
    admin && storedAt('/api/admin/data/{admin}', { admin: admin.id }, (now) => valuesOf((latest.current = now), roles)),
  )
  const change = async (isActive: boolean): Promise<void> => {
    await rewrite('/api/admin/data/{admin}', { admin: admin!.id }, (now) => ({
      admin: bodyOf(valuesOf(now, roles), now, isActive),
    }))
    toast(t(isActive ? 'admins.switchedOn' : 'admins.switchedOff', { name: nameOf(admin!) }))
    navigate('/administrators')
  }
  const name = admin ? nameOf(admin) : ''
  const badge = admin && <State admin={admin} />
  const ends = useQuery(asking && admin?.isActive ? '/api/admin/data/{admin}/access' : null, { admin: admin?.id })
  return (
    <Page
      title={admin ? name : t('admins.new')}
      back={{ to: '/administrators', text: t('nav.administrators') }}
      badge={badge}
      actions={
        admin &&
        mayEdit &&
        !isSelf && (
          <>
            {!admin.external && <Button onClick={() => setResetting(true)}>{t('factorReset.do')}</Button>}
            <Button onClick={() => setAsking(true)}>{t(admin.isActive ? 'offboard.do' : 'admins.switchOn')}</Button>
          </>
        )
      }
    >
      <div class="form-narrow stack">
        {admin?.invitation && mayEdit && <Invitation admin={admin} changed={reload} />}
        {!mayEdit && <Notice tone="neutral">{t('admins.mayNotEdit')}</Notice>}
        {mayEdit ? (
          <Form
            form={form}
            cancel={() => navigate('/administrators')}
            save={t(admin ? 'action.save' : invites(form.values) ? 'admins.invite' : 'admins.add')}
          >
            <Fields form={form} admin={admin} roles={roles} isSelf={isSelf} />
          </Form>
        ) : (
          <fieldset class="stack" disabled>
            <Fields form={form} admin={admin} roles={roles} isSelf={isSelf} />
          </fieldset>
        )}
      </div>
      {key && (
        <Dialog title={t('admins.keyTitle')} onClose={() => leave('/administrators')} once>
          <p>{t('admins.keyHelp')}</p>
          <div class="key">
            <Copy text={key} />
          </div>
          <footer>
            <Button kind="primary" onClick={() => leave('/administrators')}>
              {t('admins.keyDone')}
            </Button>
          </footer>
        </Dialog>
      )}
      {link && (
        <LinkDialog
          link={link}
          name={form.values.firstName || form.values.email}
          email={form.values.email}
          onClose={() => leave('/administrators')}
        />
      )}
      {resetting && admin && (
        <ResetFactors
          name={name}
          onClose={() => setResetting(false)}
          reset={() => write('DELETE', '/api/admin/data/{admin}/factors', { params: { admin: admin.id } })}
        />
      )}
      {asking &&
        admin &&
        (admin.isActive ? (
          <Offboard name={name} access={ends} onClose={() => setAsking(false)} onConfirm={() => change(false)} />
        ) : (
          <Confirm
            title={t('admins.switchOnTitle', { name })}
            danger={false}
            action={t('admins.switchOn')}
            onClose={() => setAsking(false)}
            onConfirm={() => change(true)}
          >
            {t('admins.switchOnHelp')}
          </Confirm>
        ))}
    </Page>
  )
}

// invites reports whether saving a new administrator invites them.
const invites = (values: Values): boolean => values.kind === 'person' && values.how !== 'password'

// invite returns the link of an invitation, unless the server sends it.
async function invite(values: Values): Promise<{ link: VerificationInvited | null; email: string }> {
  const { firstName, lastName, email, phone } = values
  const byEmail = values.how === 'email'
  // This call takes no Idempotency-Key, because its response may hold a secret: it is never repeated by itself.
  const made = await write('POST', '/api/admin/invitation', {
    body: { admin: { firstName, lastName, email, phone, ...rolesIn(values), byEmail } },
    key: null,
  })
  return { link: byEmail ? null : made, email }
}

// save returns the key of an integration that was made, which is shown this once.
async function save(
  values: Values,
  admin: AdminView | undefined,
  intent: string,
  tag?: string,
): Promise<string | undefined> {
  const body = bodyOf(values, admin, admin?.isActive ?? true)
  if (!admin) {
    // This call takes no Idempotency-Key, because its response may hold a secret: it is never repeated by itself.
    return (
      await write('POST', '/api/admin/data', {
        body: { admin: { ...body, external: values.kind === 'integration' } },
        key: null,
      })
    ).apiKey
  }
  const key = values.newKey ? newKey() : undefined
  await write('PUT', '/api/admin/data/{admin}', {
    params: { admin: admin.id },
    body: { admin: { ...body, apiKey: key } },
    key: intent,
    tag,
  })
  return key
}

// newKey makes a key of 32 random bytes.
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (b) => b.toString(16).padStart(2, '0')).join('')
}

function Fields({
  form,
  admin,
  roles,
  isSelf,
}: {
  form: FormState<Values>
  admin: AdminView | undefined
  roles: AdminRoleView[]
  isSelf: boolean
}): JSX.Element {
  const isIntegration = form.values.kind === 'integration'
  const offered = roles.filter((r) => within(r) || String(r.id) === form.values.roles)
  const hasStores = (useStores().data?.total ?? 0) > 1 || form.values.scope === 'stores'
  return (
    <Card>
      {!admin && (
        <Choice
          form={form}
          path="kind"
          label={t('admins.kind')}
          options={[
            { value: 'person', text: t('admins.person'), help: t('admins.personHelp') },
            { value: 'integration', text: t('admins.integration'), help: t('admins.integrationHelp') },
          ]}
        />
      )}
      <div class="columns">
        <TextField
          form={form}
          path="firstName"
          label={t(isIntegration ? 'admins.integrationName' : 'admins.firstName')}
          optional
          maxLength={255}
        />
        {!isIntegration && (
          <TextField form={form} path="lastName" label={t('admins.lastName')} optional maxLength={255} />
        )}
      </div>
      <div class="columns">
        <TextField
          form={form}
          path="email"
          label={t('admins.email')}
          type="email"
          help={t(isIntegration ? 'admins.emailOfIntegration' : 'admins.emailHelp')}
          maxLength={255}
        />
        <TextField form={form} path="phone" label={t('admins.phone')} type="tel" optional />
      </div>
      {!isIntegration && !admin && (
        <Choice
          form={form}
          path="how"
          label={t('admins.how')}
          options={[
            { value: 'link', text: t('admins.howLink'), help: t('admins.howLinkHelp') },
            { value: 'email', text: t('admins.howEmail'), help: t('admins.howEmailHelp') },
            { value: 'password', text: t('admins.howPassword'), help: t('admins.howPasswordHelp') },
          ]}
        />
      )}
      {!isIntegration && (admin || form.values.how === 'password') && (
        <TextField
          form={form}
          path="plainPassword"
          label={t(admin ? 'password.new' : 'admins.password')}
          type="password"
          autoComplete="new-password"
          optional={!!admin}
          help={t(admin ? 'admins.passwordKept' : 'password.rule')}
        />
      )}
      {isIntegration && admin && (
        <Checkbox
          form={form}
          path="newKey"
          label={t('admins.newKey')}
          help={t('admins.newKeyHelp', { end: admin.apiKey?.slice(-4) ?? '' })}
        />
      )}
      {isSelf || offered.length === 0 ? (
        admin && <p class="muted">{t('admins.ownRole', { role: rolesOf(admin) })}</p>
      ) : (
        <>
          {hasStores && (
            <Choice
              form={form}
              path="scope"
              label={t('admins.scope')}
              options={[
                { value: 'all', text: t('admins.scopeAll'), help: t('admins.scopeAllHelp') },
                { value: 'stores', text: t('admins.scopeStores'), help: t('admins.scopeStoresHelp') },
              ]}
            />
          )}
          {form.values.scope === 'all' ? (
            <SelectField
              form={form}
              path="roles"
              label={t('admins.role')}
              help={t('admins.roleHelp')}
              options={offered.map((r) => ({ value: String(r.id), text: r.name }))}
            />
          ) : (
            <StoreRoles form={form} roles={offered} />
          )}
        </>
      )}
    </Card>
  )
}
