import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { rewrite, storedAt, write } from '../../api/client'
import { may, store, switchStore } from '../../api/session'
import type { StoreView } from '../../api/types'
import { currencyNames, t } from '../../i18n/i18n'
import { Badge, Button, Empty, Notice, Page } from '../../ui/basics'
import { Confirm, Dialog, toast } from '../../ui/dialog'
import { Checkbox, Form, SelectField, TextField, useForm } from '../../ui/form'
import { navigate } from '../../ui/router'
import { List, type Column } from '../../ui/table'

type Asked = { kind: 'edit'; store?: StoreView } | { kind: 'switch'; store: StoreView }

function show(s: StoreView): void {
  switchStore(s.code)
  navigate('/')
}

export default function Stores(): JSX.Element {
  const [asked, setAsked] = useState<Asked | null>(null)
  const mayEdit = may('STORE', 'MODIFY')
  const close = (): void => setAsked(null)
  const create = mayEdit && (
    <Button kind="primary" icon="plus" onClick={() => setAsked({ kind: 'edit' })}>
      {t('stores.new')}
    </Button>
  )
  const columns: Column<StoreView>[] = [
    {
      name: 'name',
      title: t('stores.name'),
      sort: 'name',
      cell: (s) => (
        <>
          <span class="primary-line">{s.name}</span>
          <span class="second-line">{s.code}</span>
        </>
      ),
    },
    { name: 'currency', title: t('settings.currency'), sort: 'currency', wide: true, cell: (s) => s.currency },
    {
      name: 'state',
      title: t('stores.state'),
      sort: 'active',
      cell: (s) => (
        <span class="row">
          <Badge tone={s.active ? 'success' : 'neutral'}>{t(s.active ? 'stores.on' : 'stores.off')}</Badge>
          {s.sandbox && <Badge tone="warning">{t('nav.sandbox')}</Badge>}
        </span>
      ),
    },
    {
      name: 'actions',
      title: t('stores.actions'),
      cell: (s) => (
        <span class="row">
          {s.code === store.value ? (
            <Badge tone="accent">{t('stores.here')}</Badge>
          ) : (
            s.active && (
              <Button small onClick={() => show(s)}>
                {t('stores.open')}
                <span class="hidden"> {s.name}</span>
              </Button>
            )
          )}
          {mayEdit && s.code !== 'DEFAULT' && (
            <Button small kind="plain" onClick={() => setAsked({ kind: 'switch', store: s })}>
              {t(s.active ? 'stores.switchOff' : 'stores.switchOn')}
              <span class="hidden"> {s.name}</span>
            </Button>
          )}
        </span>
      ),
    },
  ]
  return (
    <Page title={t('nav.stores')} lead={t('stores.lead')} actions={create}>
      <List
        label={t('nav.stores')}
        path="/api/store"
        columns={columns}
        search="name"
        filters={[
          {
            name: 'active',
            title: t('stores.anyState'),
            options: [
              { value: '1', text: t('stores.on') },
              { value: '0', text: t('stores.off') },
            ],
          },
        ]}
        read={(r) => ({ rows: r.stores, total: r.total })}
        rowKey={(s) => s.storeId}
        onPick={mayEdit ? (s) => setAsked({ kind: 'edit', store: s }) : undefined}
        empty={<Empty icon="shops" title={t('stores.empty')} action={create} />}
      />
      {asked?.kind === 'edit' && <Edit stored={asked.store} onClose={close} />}
      {asked?.kind === 'switch' && <SwitchStore stored={asked.store} onClose={close} />}
    </Page>
  )
}

const path = '/api/store/{storeId}'

function valuesOf(s?: StoreView): Omit<StoreView, 'storeId'> & { open: boolean } {
  const { name = '', code = '', currency = 'EUR', active = true, sandbox = false } = s ?? {}
  return { name, code, currency, active, sandbox, open: !s }
}

function Edit({ stored, onClose }: { stored: StoreView | undefined; onClose: () => void }): JSX.Element {
  const form = useForm(
    valuesOf(stored),
    async ({ open, ...values }, key, tag) => {
      const { name, code, active, currency } = values
      if (stored) {
        await write('PUT', path, { params: { storeId: stored.storeId }, body: { store: { name, active } }, key, tag })
        if (currency !== stored.currency)
          await write('PUT', `${path}/currency`, { params: { storeId: stored.storeId }, body: { store: { currency } } })
      } else await write('POST', '/api/store', { body: { store: { ...values, programName: name } }, key })
      toast(t(stored ? 'stores.saved' : 'stores.opened', { name }))
      onClose()
      if (!stored && open) {
        switchStore(code)
        navigate('/')
      }
    },
    true,
    stored && storedAt(path, { storeId: stored.storeId }, valuesOf),
  )
  return (
    <Dialog title={stored ? t('stores.editTitle', { name: stored.name }) : t('stores.new')} onClose={onClose}>
      <Form form={form} cancel={onClose} save={stored ? t('action.save') : t('stores.add')}>
        <TextField form={form} path="name" label={t('stores.name')} maxLength={255} autoFocus />
        <SelectField
          form={form}
          path="currency"
          label={t('settings.currency')}
          help={t('stores.currencyHelp')}
          options={currencyNames().map(([value, name]) => ({ value, text: `${value} · ${name}` }))}
        />
        {!stored && (
          <>
            <TextField form={form} path="code" label={t('stores.code')} help={t('stores.codeHelp')} maxLength={255} />
            <Checkbox form={form} path="sandbox" label={t('stores.sandbox')} help={t('stores.sandboxHelp')} />
            <Checkbox form={form} path="open" label={t('stores.openAfter')} />
            <Notice>{t('stores.copies')}</Notice>
          </>
        )}
      </Form>
    </Dialog>
  )
}

function SwitchStore({ stored: s, onClose }: { stored: StoreView; onClose: () => void }): JSX.Element {
  return (
    <Confirm
      title={t(s.active ? 'stores.switchOffTitle' : 'stores.switchOnTitle', { name: s.name })}
      danger={s.active}
      action={t(s.active ? 'stores.switchOff' : 'stores.switchOn')}
      onClose={onClose}
      onConfirm={async () => {
        await rewrite(path, { storeId: s.storeId }, ({ name }) => ({ store: { name, active: !s.active } }))
        toast(t(s.active ? 'stores.isOff' : 'stores.isOn', { name: s.name }))
        if (s.active && s.code === store.value) show({ ...s, code: 'DEFAULT' })
      }}
    >
      {t(s.active ? 'stores.switchOffHelp' : 'stores.switchOnHelp')}
    </Confirm>
  )
}
