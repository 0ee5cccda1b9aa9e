import type { JSX } from 'preact'
import { may } from '../../api/session'
import type { AdminView } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Badge, ButtonLink, Empty, Page, Time } from '../../ui/basics'
import { List, type Column } from '../../ui/table'

// nameOf returns what people call an administrator.
export function nameOf(a: AdminView): string {
  return [a.firstName, a.lastName].filter(Boolean).join(' ') || a.email || a.username
}

const columns = (): Column<AdminView>[] => [
  {
    name: 'name', title: t('admins.name'), sort: 'lastName',
    cell: (a) => <><span class="primary-line">{nameOf(a)}</span>{a.email !== nameOf(a) && <span class="second-line">{a.email}</span>}</>,
  },
  { name: 'role', title: t('admins.role'), cell: (a) => a.roles.map((r) => r.name).join(', ') },
  {
    name: 'state', title: t('admins.state'), sort: 'isActive', cell: (a) => (
      <span class="row">
        <Badge tone={a.isActive ? 'success' : 'neutral'}>{t(a.isActive ? 'admins.on' : 'admins.off')}</Badge>
        {a.external && <Badge tone="accent">{t('admins.integration')}</Badge>}
      </span>
    ),
  },
  { name: 'added', title: t('admins.added'), sort: 'createAt', wide: true, cell: (a) => <Time at={a.createAt} only="date" /> },
]

export default function Administrators(): JSX.Element {
  const create = may('ADMIN', 'MODIFY') && (
    <ButtonLink kind="primary" icon="plus" to="/administrators/new">{t('admins.new')}</ButtonLink>
  )
  return (
    <Page title={t('nav.administrators')} lead={t('admins.lead')} actions={create}>
      <List label={t('nav.administrators')} path="/api/admin" columns={columns()}
        read={(r) => ({ rows: r.users, total: r.total })} rowKey={(a) => a.id} to={(a) => `/administrators/${a.id}`}
        empty={<Empty icon="user" title={t('admins.empty')} action={create} />} />
    </Page>
  )
}
