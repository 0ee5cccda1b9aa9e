import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { storedAt, useQuery, write } from '../../api/client'
import { caller, may } from '../../api/session'
import type { AdminRoleView, CreateRoleForm } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Badge, Button, Card, ErrorState, Notice, Page, Skeleton } from '../../ui/basics'
import { Confirm, Dialog, toast } from '../../ui/dialog'
import { Checkbox, Form, TextField, useForm, type FormState } from '../../ui/form'
import { navigate, type RouteProps } from '../../ui/router'
import { FactorRule } from '../factors'
import { nameOf } from './administrators'
import { granted, Matrix, type Access, type Granted, type Resources } from './matrix'

type Permission = NonNullable<CreateRoleForm['role']['permissions']>[number]

interface Values extends Granted {
  name: string
  default: boolean
}

// Role edits what administrators of a role may do, as a matrix of resources.
export default function Role({ params }: RouteProps): JSX.Element {
  const id = params['role']
  const role = useQuery('/api/admin/acl/role/{role}', { role: id })
  const resources = useQuery('/api/admin/acl/resources')
  const error = role.error ?? resources.error
  if (!resources.data || (id && !role.data)) {
    return (
      <Page title={t('roles.one')} back={{ to: '/roles', text: t('nav.roles') }}>
        {error ? (
          <ErrorState
            error={error}
            retry={() => {
              role.reload()
              resources.reload()
            }}
          />
        ) : (
          <Skeleton lines={10} />
        )}
      </Page>
    )
  }
  return <Loaded role={role.data} resources={resources.data.resources} />
}

function valuesOf(role: AdminRoleView | undefined): Values {
  return { name: role?.name ?? '', default: role?.default ?? false, permissions: granted(role?.permissions ?? []) }
}

function Loaded({ role, resources }: { role: AdminRoleView | undefined; resources: Resources }): JSX.Element {
  const [asking, setAsking] = useState(false)
  const isMaster = role?.master ?? false
  // Nobody gives what they do not have.
  const mayEdit =
    may('ACL', 'MODIFY') &&
    (isMaster
      ? caller.value?.master === true
      : (role?.permissions ?? []).every((p) => may(p.resource, p.access as Access)))
  const initial = useMemo(() => valuesOf(role), [])
  const form: FormState<Values> = useForm<Values>(
    initial,
    async (values, key, tag) => {
      const permissions = Object.entries(values.permissions)
        .filter(([, access]) => access)
        .map(([resource, access]) => ({ resource, access }) as Permission)
      const body = { role: { name: values.name, default: values.default, permissions } }
      await (role
        ? write('PUT', '/api/admin/acl/role/{role}', { params: { role: role.id }, body, key, tag })
        : write('POST', '/api/admin/acl/role', { body, key }))
      toast(t('roles.saved', { name: values.name }))
      navigate('/roles')
    },
    true,
    role && storedAt('/api/admin/acl/role/{role}', { role: role.id }, valuesOf),
  )
  const fields = (
    <Card>
      <TextField form={form} path="name" label={t('roles.name')} maxLength={255} autoFocus={!role} />
      {isMaster ? (
        <Notice>{t('roles.masterHelp')}</Notice>
      ) : (
        <>
          <Checkbox
            form={form}
            path="default"
            label={t('roles.makeDefault')}
            help={t('roles.defaultHelp')}
            disabled={role?.default}
          />
          <Matrix form={form} resources={resources} disabled={!mayEdit} />
        </>
      )}
    </Card>
  )
  return (
    <Page
      title={role?.name ?? t('roles.new')}
      back={{ to: '/roles', text: t('nav.roles') }}
      badge={role?.default && <Badge tone="accent">{t('roles.default')}</Badge>}
      actions={
        role &&
        mayEdit &&
        !isMaster &&
        !role.default && (
          <Button icon="trash" onClick={() => setAsking(true)}>
            {t('roles.delete')}
          </Button>
        )
      }
    >
      <div class="form-narrow stack">
        {!mayEdit && <Notice>{t('roles.mayNotEdit')}</Notice>}
        {mayEdit ? (
          <Form
            form={form}
            sticky={!isMaster}
            save={role ? t('action.save') : t('roles.add')}
            cancel={() => navigate('/roles')}
          >
            {fields}
          </Form>
        ) : (
          <fieldset class="stack" disabled>
            {fields}
          </fieldset>
        )}
        {role && (
          <Card title={t('factors.title')}>
            <RuleOfRole role={role.id} mayEdit={mayEdit} />
          </Card>
        )}
      </div>
      {asking && role && <Delete role={role} onClose={() => setAsking(false)} />}
    </Page>
  )
}

function RuleOfRole({ role, mayEdit }: { role: number; mayEdit: boolean }): JSX.Element {
  const path = '/api/admin/acl/role/{role}/factor-rule'
  const rule = useQuery(path, { role })
  return (
    <FactorRule
      rule={rule}
      text={t('factorRule.ofRole')}
      mayEdit={mayEdit}
      save={(factorRule) => write('PUT', path, { params: { role }, body: { factorRule } })}
    />
  )
}

// Delete names the administrators who have the role: it can be deleted when nobody has it.
function Delete({ role, onClose }: { role: AdminRoleView; onClose: () => void }): JSX.Element {
  const all = useQuery(may('ADMIN') ? '/api/admin' : null, { perPage: -1 })
  const having = (all.data?.users ?? []).filter((a) => a.roles.some((r) => r.id === role.id))
  const title = t('roles.deleteTitle', { name: role.name })
  if (may('ADMIN') && !all.data) {
    return (
      <Dialog title={title} onClose={onClose}>
        {all.error ? <ErrorState error={all.error} retry={all.reload} /> : <Skeleton />}
      </Dialog>
    )
  }
  if (having.length > 0) {
    return (
      <Dialog title={title} onClose={onClose}>
        <p>{t('roles.inUse', { n: having.length })}</p>
        <ul class="bullets">
          {having.slice(0, 10).map((a) => (
            <li key={a.id}>{nameOf(a)}</li>
          ))}
          {having.length > 10 && <li>…</li>}
        </ul>
        <footer>
          <Button onClick={onClose}>{t('action.close')}</Button>
        </footer>
      </Dialog>
    )
  }
  return (
    <Confirm
      title={title}
      action={t('roles.delete')}
      onClose={onClose}
      onConfirm={async () => {
        await write('DELETE', '/api/admin/acl/role/{role}', { params: { role: role.id } })
        toast(t('roles.deleted', { name: role.name }))
        navigate('/roles')
      }}
    >
      {t(may('ADMIN') ? 'roles.deleteHelp' : 'roles.deleteUnknown')}
    </Confirm>
  )
}
