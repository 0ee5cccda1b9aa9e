import type { JSX } from 'preact'
import { may } from '../../api/session'
import type { ApikeyKeyView } from '../../api/types'
import { t, tIf } from '../../i18n/i18n'
import { Badge, ButtonLink, Empty, Page, Time } from '../../ui/basics'
import { List, type Column } from '../../ui/table'

const columns = (): Column<ApikeyKeyView>[] => [
  {
    name: 'name',
    title: t('keys.name'),
    sort: 'name',
    cell: (k) => (
      <>
        <span class="primary-line">{k.name}</span>
        <span class="second-line">
          <code>{k.prefix}…</code> · {k.makerName}
        </span>
      </>
    ),
  },
  { name: 'may', title: t('keys.may'), wide: true, cell: (k) => <Scope permissions={k.permissions} /> },
  { name: 'stores', title: t('keys.stores'), wide: true, cell: (k) => k.stores.join(', ') || t('keys.allStores') },
  { name: 'state', title: t('keys.state'), cell: (k) => <State of={k} /> },
  {
    name: 'used',
    title: t('keys.lastUsed'),
    sort: 'lastUsedAt',
    wide: true,
    cell: (k) => (k.lastUsedAt ? <Time at={k.lastUsedAt} /> : t('keys.never')),
  },
  {
    name: 'expires',
    title: t('keys.expires'),
    sort: 'expiresAt',
    wide: true,
    cell: (k) => (k.expiresAt ? <Time at={k.expiresAt.slice(0, 10)} only="date" /> : t('keys.never')),
  },
]

// Scope names the areas of a key, the first few of many.
function Scope({ permissions }: { permissions: ApikeyKeyView['permissions'] }): JSX.Element {
  const areas = [...new Set(permissions.map((p) => p.resource))]
  const changed = new Set(permissions.filter((p) => p.access === 'MODIFY').map((p) => p.resource))
  const text = areas
    .slice(0, 2)
    .map((r) => tIf(`resource.${r}`, r) + (changed.has(r) ? ` (${t('keys.change')})` : ''))
    .join(', ')
  return (
    <>
      {text}
      {areas.length > 2 && <span class="muted"> {t('webhooks.andOthers', { n: areas.length - 2 })}</span>}
    </>
  )
}

export function State({ of: k }: { of: ApikeyKeyView }): JSX.Element {
  if (k.state === 'active') return <Badge tone="success">{t('keys.active')}</Badge>
  return <Badge tone="warning">{t(k.state === 'expired' ? 'keys.expired' : 'keys.makerInactive')}</Badge>
}

export default function Keys(): JSX.Element {
  const create = may('API_KEY', 'MODIFY') && (
    <ButtonLink kind="primary" icon="plus" to="/keys/new">
      {t('keys.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.keys')} lead={t('keys.lead')} actions={create}>
      <List
        label={t('nav.keys')}
        path="/api/admin/key"
        columns={columns()}
        read={(r) => ({ rows: r.keys, total: r.total })}
        rowKey={(k) => k.keyId}
        to={(k) => `/keys/${k.keyId}`}
        empty={
          <Empty icon="lock" title={t('keys.empty')} action={create}>
            {t('keys.emptyHelp')}
          </Empty>
        }
      />
    </Page>
  )
}
