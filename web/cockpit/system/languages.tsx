import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { storedAt, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import type { StoreLanguageView } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Badge, Button, Empty, ErrorState, Page, Skeleton, Time } from '../../ui/basics'
import { Confirm, Dialog, toast } from '../../ui/dialog'
import { Checkbox, Form, NumberField, TextArea, TextField, useForm } from '../../ui/form'
import { List, type Column } from '../../ui/table'

type Asked = { kind: 'edit'; code?: string } | { kind: 'delete'; language: StoreLanguageView }

const path = '/api/admin/translations'

export default function Languages(): JSX.Element {
  const [asked, setAsked] = useState<Asked | null>(null)
  const mayEdit = may('SETTINGS', 'MODIFY')
  const close = (): void => setAsked(null)
  const create = mayEdit && (
    <Button kind="primary" icon="plus" onClick={() => setAsked({ kind: 'edit' })}>
      {t('languages.new')}
    </Button>
  )
  const columns: Column<StoreLanguageView>[] = [
    {
      name: 'name',
      title: t('languages.name'),
      cell: (l) => (
        <span class="row">
          <span class="primary-line">{l.name}</span>
          <code>{l.code}</code>
          {l.default && <Badge tone="accent">{t('languages.default')}</Badge>}
        </span>
      ),
    },
    { name: 'changed', title: t('languages.changed'), wide: true, cell: (l) => <Time at={l.updatedAt} /> },
    {
      name: 'actions',
      title: t('stores.actions'),
      cell: (l) =>
        mayEdit &&
        !l.default && (
          <Button small kind="plain" icon="trash" onClick={() => setAsked({ kind: 'delete', language: l })}>
            {t('action.remove')}
            <span class="hidden"> {l.name}</span>
          </Button>
        ),
    },
  ]
  return (
    <Page title={t('nav.languages')} lead={t('languages.lead')} actions={create}>
      <List
        label={t('nav.languages')}
        path={path}
        columns={columns}
        read={(r) => ({ rows: r.translations, total: r.total })}
        rowKey={(l) => l.code}
        onPick={mayEdit ? (l) => setAsked({ kind: 'edit', code: l.code }) : undefined}
        empty={<Empty icon="system" title={t('languages.empty')} action={create} />}
      />
      {asked?.kind === 'edit' && (asked.code ? <Stored code={asked.code} onClose={close} /> : <Edit onClose={close} />)}
      {asked?.kind === 'delete' && (
        <Confirm
          title={t('languages.removeTitle', { name: asked.language.name })}
          action={t('action.remove')}
          onClose={close}
          onConfirm={async () => {
            await write('DELETE', `${path}/{code}`, { params: { code: asked.language.code } })
            toast(t('languages.removed', { name: asked.language.name }))
          }}
        >
          {t('languages.removeHelp', { name: asked.language.name })}
        </Confirm>
      )}
    </Page>
  )
}

// Stored loads a language with its texts, which the list leaves out and a change must send back.
function Stored({ code, onClose }: { code: string; onClose: () => void }): JSX.Element {
  const found = useQuery(`${path}/{code}`, { code })
  if (found.data) return <Edit stored={found.data} onClose={onClose} />
  return (
    <Dialog title={t('languages.editTitle', { name: code })} onClose={onClose}>
      {found.error ? <ErrorState error={found.error} retry={found.reload} /> : <Skeleton />}
    </Dialog>
  )
}

interface Values {
  code: string
  name: string
  default: boolean
  order: string
  content: string
}

const valuesOf = (l?: StoreLanguageView): Values => ({
  code: l?.code ?? '',
  name: l?.name ?? '',
  default: l?.default ?? false,
  order: String(l?.order ?? 0),
  content: l?.content ?? '{}',
})

function Edit({ stored, onClose }: { stored?: StoreLanguageView; onClose: () => void }): JSX.Element {
  const form = useForm(
    valuesOf(stored),
    async ({ code, ...rest }, key, tag) => {
      if (stored)
        await write('PUT', `${path}/{code}`, { params: { code: stored.code }, body: { translation: rest }, key, tag })
      else await write('POST', path, { body: { translation: { code, ...rest } }, key })
      toast(t('languages.saved', { name: rest.name }))
      onClose()
    },
    true,
    stored && storedAt(`${path}/{code}`, { code: stored.code }, valuesOf),
  )
  const hasContent = !/^\{\s*\}$/.test(stored?.content ?? '{}') // of programs of the merchant
  return (
    <Dialog title={stored ? t('languages.editTitle', { name: stored.name }) : t('languages.new')} onClose={onClose}>
      <Form form={form} cancel={onClose} save={stored ? t('action.save') : t('languages.add')}>
        <TextField
          form={form}
          path="name"
          label={t('languages.name')}
          help={t('languages.nameHelp')}
          maxLength={255}
          autoFocus
        />
        {!stored && (
          <TextField
            form={form}
            path="code"
            label={t('languages.code')}
            help={t('languages.codeHelp')}
            maxLength={20}
          />
        )}
        <Checkbox
          form={form}
          path="default"
          label={t('languages.makeDefault')}
          help={t('languages.defaultHelp')}
          disabled={stored?.default}
        />
        <details class="more">
          <summary>{t('languages.more')}</summary>
          <div class="stack">
            <NumberField form={form} path="order" label={t('languages.order')} help={t('languages.orderHelp')} whole />
            {hasContent && (
              <TextArea
                form={form}
                path="content"
                label={t('languages.content')}
                help={t('languages.contentHelp')}
                rows={6}
              />
            )}
          </div>
        </details>
      </Form>
    </Dialog>
  )
}
