import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { storedAt, useQuery, write } from '../../api/client'
import { caller, may } from '../../api/session'
import type { ApikeyKeyView, CreateKeyForm } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Button, Card, Copy, ErrorState, Facts, Notice, Page, Skeleton, Time } from '../../ui/basics'
import { Confirm, Dialog, toast } from '../../ui/dialog'
import { DateTimeField, Field, Form, NumberField, TextArea, TextField, useForm, type FormState } from '../../ui/form'
import { leave, navigate, type RouteProps } from '../../ui/router'
import { Picker } from '../../ui/tabs'
import { History } from '../audit/history'
import { State } from './keys'
import { granted, Matrix, type Access, type Granted } from './matrix'

type Permission = NonNullable<CreateKeyForm['key']['permissions']>[number]

interface Values extends Granted {
  name: string
  stores: string[]
  addresses: string // one in a line
  requestsPerMinute: string
  expiresAt: string // the last day, of UTC; empty for never
}

function valuesOf(k: ApikeyKeyView | undefined): Values {
  return {
    name: k?.name ?? '',
    stores: k?.stores ?? [],
    addresses: (k?.addresses ?? []).join('\n'),
    requestsPerMinute: k?.requestsPerMinute ? String(k.requestsPerMinute) : '',
    expiresAt: k?.expiresAt?.slice(0, 10) ?? '',
    permissions: granted(k?.permissions ?? []),
  }
}

// KeyPage edits what a key for programs may do, or makes a new one and shows its secret once.
export default function KeyPage({ params }: RouteProps): JSX.Element {
  const id = params['key']
  const { data, error, reload } = useQuery('/api/admin/key/{key}', { key: id })
  if (id && !data) {
    return (
      <Page title={t('keys.one')} back={{ to: '/keys', text: t('nav.keys') }}>
        {error ? <ErrorState error={error} retry={reload} /> : <Skeleton lines={8} />}
      </Page>
    )
  }
  return <Loaded stored={data} />
}

function Loaded({ stored: k }: { stored: ApikeyKeyView | undefined }): JSX.Element {
  const [secret, setSecret] = useState('')
  const initial = useMemo(() => valuesOf(k), [])
  const own = !k || k.makerId === caller.value?.id
  const mayEdit =
    may('API_KEY', 'MODIFY') &&
    (own || (may('ADMIN', 'MODIFY') && k.permissions.every((p) => may(p.resource, p.access as Access))))
  const form: FormState<Values> = useForm<Values>(
    initial,
    async (values, key, tag) => {
      const permissions = Object.entries(values.permissions)
        .filter(([, access]) => access)
        .map(([resource, access]) => ({ resource, access }) as Permission)
      const body = {
        key: {
          name: values.name,
          permissions,
          stores: values.stores,
          addresses: values.addresses.split(/[\s,]+/).filter(Boolean),
          requestsPerMinute: values.requestsPerMinute || 0,
          expiresAt:
            values.expiresAt === initial.expiresAt ? k?.expiresAt : values.expiresAt && `${values.expiresAt} 23:59:59Z`,
        },
      } as CreateKeyForm
      if (k) {
        await write('PUT', '/api/admin/key/{key}', { params: { key: k.keyId }, body, key, tag })
        toast(t('keys.saved', { name: values.name }))
        navigate('/keys')
      } else {
        setSecret((await write('POST', '/api/admin/key', { body, key: null })).secret)
      }
    },
    true,
    k && storedAt('/api/admin/key/{key}', { key: k.keyId }, valuesOf),
  )
  return (
    <Page
      title={k?.name ?? t('keys.new')}
      back={{ to: '/keys', text: t('nav.keys') }}
      badge={k && <State of={k} />}
      actions={
        k && (
          <>
            <History of={k.keyId} />
            <Actions
              of={k}
              mayRotate={mayEdit}
              mayRevoke={may('API_KEY', 'MODIFY') && (own || may('ADMIN', 'MODIFY'))}
            />
          </>
        )
      }
    >
      <div class="form-narrow stack">
        {k && (
          <Card>
            <Use of={k} />
          </Card>
        )}
        {!mayEdit && <Notice>{t('keys.mayNotEdit')}</Notice>}
        {mayEdit ? (
          <Form form={form} sticky save={k ? t('action.save') : t('keys.create')} cancel={() => navigate('/keys')}>
            <Fields form={form} stored={k} />
          </Form>
        ) : (
          <fieldset class="stack" disabled>
            <Fields form={form} stored={k} />
          </fieldset>
        )}
      </div>
      {secret && <Secret secret={secret} onClose={() => leave('/keys')} />}
    </Page>
  )
}

// Use shows what became of a key, and what of it is not in force.
function Use({ of: k }: { of: ApikeyKeyView }): JSX.Element {
  return (
    <div class="stack">
      {k.permissions.some((p) => !p.inForce) && <Notice tone="warning">{t('keys.notInForce')}</Notice>}
      <Facts
        items={[
          [t('keys.prefix'), <code>{k.prefix}…</code>],
          [t('keys.clientId'), <Copy text={k.keyId} />],
          [t('keys.maker'), k.makerName],
          [t('keys.made'), <Time at={k.createdAt} />],
          [
            t('keys.lastUsed'),
            k.lastUsedAt ? (
              <>
                <Time at={k.lastUsedAt} /> · {k.lastUsedFrom}
              </>
            ) : (
              t('keys.never')
            ),
          ],
          [t('keys.oldSecret'), k.oldSecretUntil && <Time at={k.oldSecretUntil} />],
        ]}
      />
    </div>
  )
}

function Fields({ form, stored }: { form: FormState<Values>; stored: ApikeyKeyView | undefined }): JSX.Element {
  const stores = useQuery('/api/store', { perPage: -1 })
  const held = (resource: string, access: Access): boolean =>
    stored?.permissions.some((p) => p.resource === resource && p.access === access) ?? false
  const mayGrant = (resource: string, access: Access): boolean =>
    (may(resource, access) || held(resource, access)) &&
    (access === 'VIEW' || (resource !== 'ACL' && resource !== 'ADMIN'))
  const codes = new Set([
    ...Object.keys(caller.value?.permissions ?? {}),
    ...(stored?.permissions ?? []).map((p) => p.resource),
  ])
  const resources = [...codes]
    .filter((code) => code !== 'API_KEY' && code !== 'SECURITY')
    .sort()
    .map((code) => ({ code, name: code }))
  return (
    <>
      <Card>
        <TextField
          form={form}
          path="name"
          label={t('keys.name')}
          help={t('keys.nameHelp')}
          maxLength={100}
          autoFocus={!stored}
        />
        <Matrix form={form} resources={resources} mayGrant={mayGrant} />
        <Field form={form} path="stores" label={t('keys.stores')} help={t('keys.storesHelp')} deep optional>
          {(control) => (
            <Picker
              {...control}
              options={(stores.data?.stores ?? []).map((s) => ({ value: s.code, text: s.name, detail: s.code }))}
              chosen={form.values.stores}
              placeholder={t('keys.allStores')}
              onChange={(chosen) => form.set('stores', chosen)}
            />
          )}
        </Field>
      </Card>
      <Card title={t('keys.bounds')}>
        <DateTimeField
          form={form}
          path="expiresAt"
          label={t('keys.lastDay')}
          help={t('keys.lastDayHelp')}
          dateOnly
          optional
        />
        <TextArea
          form={form}
          path="addresses"
          label={t('keys.addresses')}
          help={t('keys.addressesHelp')}
          rows={3}
          optional
        />
        <NumberField
          form={form}
          path="requestsPerMinute"
          label={t('keys.perMinute')}
          help={t('keys.perMinuteHelp')}
          whole
          optional
        />
      </Card>
    </>
  )
}

function Actions({
  of: k,
  mayRotate,
  mayRevoke,
}: {
  of: ApikeyKeyView
  mayRotate: boolean
  mayRevoke: boolean
}): JSX.Element {
  const [asking, setAsking] = useState<'rotate' | 'revoke' | null>(null)
  const [secret, setSecret] = useState('')
  const close = (): void => setAsking(null)
  const params = { key: k.keyId }
  return (
    <>
      {mayRotate && (
        <Button icon="refresh" onClick={() => setAsking('rotate')}>
          {t('keys.rotate')}
        </Button>
      )}
      {mayRevoke && (
        <Button icon="trash" onClick={() => setAsking('revoke')}>
          {t('keys.revoke')}
        </Button>
      )}
      {asking === 'rotate' && (
        <Rotate
          of={k}
          onClose={close}
          onRotated={(made) => {
            close()
            setSecret(made)
          }}
        />
      )}
      {asking === 'revoke' && (
        <Confirm
          title={t('keys.revokeTitle', { name: k.name })}
          action={t('keys.revokeNow')}
          onClose={close}
          onConfirm={async () => {
            await write('DELETE', '/api/admin/key/{key}', { params })
            toast(t('keys.revoked', { name: k.name }))
            navigate('/keys')
          }}
        >
          {t('keys.revokeHelp')}
        </Confirm>
      )}
      {secret && <Secret secret={secret} onClose={() => setSecret('')} />}
    </>
  )
}

function Rotate({
  of: k,
  onClose,
  onRotated,
}: {
  of: ApikeyKeyView
  onClose: () => void
  onRotated: (secret: string) => void
}): JSX.Element {
  const form = useForm({ overlapHours: '24' }, async (body) =>
    onRotated(
      (await write('POST', '/api/admin/key/{key}/rotate', { params: { key: k.keyId }, body, key: null })).secret,
    ),
  )
  return (
    <Dialog title={t('keys.rotateTitle', { name: k.name })} onClose={onClose}>
      <Form form={form} save={t('keys.rotateNow')} cancel={onClose}>
        <NumberField
          form={form}
          path="overlapHours"
          label={t('keys.overlap')}
          help={t('keys.overlapHelp')}
          whole
          autoFocus
        />
      </Form>
    </Dialog>
  )
}

// Secret shows a secret, which the server never shows again.
function Secret({ secret, onClose }: { secret: string; onClose: () => void }): JSX.Element {
  return (
    <Dialog title={t('keys.secret')} onClose={onClose} once>
      <div class="stack">
        <Notice tone="warning" title={t('keys.secretOnce')}>
          {t('keys.secretOnceHelp')}
        </Notice>
        <div class="key">
          <Copy text={secret} />
        </div>
        <p>{t('keys.secretUse')}</p>
        <pre class="json" tabIndex={0} aria-label={t('keys.secretUse')}>
          <code>{'Authorization: Bearer pck_live_…'}</code>
        </pre>
        <footer>
          <Button kind="primary" onClick={onClose}>
            {t('keys.secretKept')}
          </Button>
        </footer>
      </div>
    </Dialog>
  )
}
