import type { JSX } from 'preact'
import { may } from '../../api/session'
import type { AdminRoleView } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Badge, ButtonLink, Empty, Page } from '../../ui/basics'
import { List, type Column } from '../../ui/table'

const columns = (): Column<AdminRoleView>[] => [
  {
    name: 'name',
    title: t('roles.name'),
    sort: 'name',
    cell: (r) => (
      <span class="row">
        <span class="primary-line">{r.name}</span>
        {r.default && <Badge tone="accent">{t('roles.default')}</Badge>}
      </span>
    ),
  },
  {
    name: 'may',
    title: t('roles.may'),
    cell: (r) => {
      const modify = r.permissions.filter((p) => p.access === 'MODIFY').length
      const view = new Set(r.permissions.map((p) => p.resource)).size
      return r.master ? t('roles.everything') : t('roles.counts', { view, modify })
    },
  },
]

export default function Roles(): JSX.Element {
  const create = may('ACL', 'MODIFY') && (
    <ButtonLink kind="primary" icon="plus" to="/roles/new">
      {t('roles.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.roles')} lead={t('roles.lead')} actions={create}>
      <List
        label={t('nav.roles')}
        path="/api/admin/acl/role"
        columns={columns()}
        read={(r) => ({ rows: r.roles, total: r.total })}
        rowKey={(r) => String(r.id)}
        to={(r) => `/roles/${r.id}`}
        empty={<Empty icon="lock" title={t('roles.empty')} action={create} />}
      />
    </Page>
  )
}
