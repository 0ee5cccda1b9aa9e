// The identity providers that people sign in with, and who may still use a password: for the whole installation, and
// for the present store.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { storedAt, useQuery, write } from '../../api/client'
import { caller, may } from '../../api/session'
import type { UpdatePasswordLogInRuleForm, SsoPasswordView, SsoProviderView } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Badge, Button, Card, Empty, ErrorState, Page, Skeleton } from '../../ui/basics'
import { Confirm, toast, toastFailure } from '../../ui/dialog'
import { Choice, Form, useForm } from '../../ui/form'
import { List, type Column } from '../../ui/table'
import { Tabs } from '../../ui/tabs'
import { usePresentStore } from '../present_store'
import { Preview } from './sso_preview'
import { baseOf } from './sso_new'
import { Edit } from './sso_provider'

type Asked = { kind: 'edit'; provider?: SsoProviderView } | { kind: 'remove' | 'preview'; provider: SsoProviderView }

const mayEdit = (): boolean => may('SECURITY', 'MODIFY')

export default function SingleSignOn(): JSX.Element {
  const here = usePresentStore()?.name ?? ''
  const isEverywhere = !caller.value?.stores
  return (
    <Page title={t('nav.singleSignOn')} lead={t(isEverywhere ? 'sso.lead' : 'sso.leadStore')}>
      {isEverywhere ? (
        <Tabs
          label={t('sso.where')}
          tabs={[
            { name: 'all', title: t('sso.allStores'), body: () => <Providers inStore={false} /> },
            { name: 'store', title: here, body: () => <Providers inStore /> },
          ]}
        />
      ) : (
        <Providers inStore />
      )}
    </Page>
  )
}

function Providers({ inStore }: { inStore: boolean }): JSX.Element {
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  const create = mayEdit() && (
    <Button kind="primary" icon="plus" onClick={() => setAsked({ kind: 'edit' })}>
      {t('sso.new')}
    </Button>
  )
  const columns: Column<SsoProviderView>[] = [
    {
      name: 'name',
      title: t('sso.name'),
      cell: (p) => (
        <>
          <span class="primary-line">{p.name}</span>
          <span class="second-line">{p.issuer}</span>
        </>
      ),
    },
    {
      name: 'state',
      title: t('stores.state'),
      cell: (p) => <Badge tone={p.enabled ? 'success' : 'neutral'}>{t(p.enabled ? 'stores.on' : 'stores.off')}</Badge>,
    },
    {
      name: 'actions',
      title: t('stores.actions'),
      cell: (p) =>
        mayEdit() && (
          <span class="row">
            <Button small onClick={() => void test(inStore, p)}>
              {t('sso.test')}
              <span class="hidden"> {p.name}</span>
            </Button>
            <Button small onClick={() => setAsked({ kind: 'preview', provider: p })}>
              {t('sso.preview')}
              <span class="hidden"> {p.name}</span>
            </Button>
            <Button small kind="plain" onClick={() => setAsked({ kind: 'remove', provider: p })}>
              {t('sso.remove')}
              <span class="hidden"> {p.name}</span>
            </Button>
          </span>
        ),
    },
  ]
  return (
    <div class="stack">
      <p class="muted">{t(inStore ? 'sso.leadStore' : 'sso.leadAll')}</p>
      <List
        label={t('sso.providers')}
        path={baseOf(inStore)}
        columns={columns}
        actions={create}
        read={(r) => ({ rows: r.providers, total: r.providers.length })}
        rowKey={(p) => p.providerId}
        onPick={mayEdit() ? (p) => setAsked({ kind: 'edit', provider: p }) : undefined}
        empty={
          <Empty icon="lock" title={t('sso.empty')}>
            {t('sso.emptyHelp')}
          </Empty>
        }
      />
      <Passwords inStore={inStore} />
      {asked?.kind === 'edit' && <Edit inStore={inStore} stored={asked.provider} onClose={close} />}
      {asked?.kind === 'preview' && <Preview inStore={inStore} provider={asked.provider} onClose={close} />}
      {asked?.kind === 'remove' && <Remove inStore={inStore} provider={asked.provider} onClose={close} />}
    </div>
  )
}

async function test(inStore: boolean, p: SsoProviderView): Promise<void> {
  try {
    const result = await write('POST', `${baseOf(inStore)}/{identityProvider}/test`, {
      params: { identityProvider: p.providerId },
      key: null,
    })
    if (result.ok) toast(t('sso.answers', { name: p.name }))
    else toast(result.problem ?? '', 'danger')
  } catch (failure) {
    toastFailure(failure)
  }
}

function Remove({
  inStore,
  provider: p,
  onClose,
}: {
  inStore: boolean
  provider: SsoProviderView
  onClose: () => void
}): JSX.Element {
  return (
    <Confirm
      title={t('sso.removeTitle', { name: p.name })}
      action={t('sso.remove')}
      onClose={onClose}
      onConfirm={async () => {
        await write('DELETE', `${baseOf(inStore)}/{identityProvider}`, { params: { identityProvider: p.providerId } })
        toast(t('sso.removed', { name: p.name }))
      }}
    >
      {t('sso.removeHelp')}
    </Confirm>
  )
}

// passwordsOf returns where it is set who may use a password: the administrators, or the sellers of the store.
const passwordsOf = (inStore: boolean) =>
  inStore ? ('/api/{store}/admin/password-login' as const) : ('/api/admin/password-login' as const)

// Passwords chooses who may still sign in with a password.
function Passwords({ inStore }: { inStore: boolean }): JSX.Element {
  const { data, error, reload } = useQuery(passwordsOf(inStore))
  return (
    <Card title={t(inStore ? 'sso.sellerPasswords' : 'sso.passwords')}>
      {error && !data && <ErrorState error={error} retry={reload} />}
      {!data && !error && <Skeleton />}
      {data && <PasswordForm inStore={inStore} stored={data} key={data.allowed} />}
    </Card>
  )
}

const allowedOf = (stored: SsoPasswordView): UpdatePasswordLogInRuleForm => ({
  allowed: stored.allowed as UpdatePasswordLogInRuleForm['allowed'],
})

function PasswordForm({ inStore, stored }: { inStore: boolean; stored: SsoPasswordView }): JSX.Element {
  const form = useForm(
    allowedOf(stored),
    async (values, key, tag) => {
      await write('PUT', passwordsOf(inStore), { body: values, key, tag })
      toast(t('sso.passwordsSaved'))
    },
    true,
    storedAt(passwordsOf(inStore), {}, allowedOf),
  )
  const choice = (
    <Choice
      form={form}
      path="allowed"
      label={t('sso.mayUsePassword')}
      disabled={!mayEdit()}
      options={(['everybody', 'unlinked', 'nobody'] as const).map((value) => ({
        value,
        text: t(inStore && value === 'everybody' ? 'sso.password.sellers' : `sso.password.${value}`),
      }))}
      help={t(inStore ? 'sso.sellerPasswordsHelp' : 'sso.passwordsHelp')}
    />
  )
  return mayEdit() ? <Form form={form}>{choice}</Form> : choice
}
