import type { JSX } from 'preact'
import { may } from '../../api/session'
import type { AdminView } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Badge, ButtonLink, Empty, Page, Time } from '../../ui/basics'
import { List, type Column } from '../../ui/table'
import { rolesOf } from './store_roles'

// nameOf returns what people call an administrator.
export function nameOf(a: AdminView): string {
  return [a.firstName, a.lastName].filter(Boolean).join(' ') || a.email || a.username
}

// State shows whether somebody can get in, or is to accept an invitation.
export function State({ admin: a }: { admin: AdminView }): JSX.Element {
  if (a.isActive && a.invitation)
    return <Badge tone={a.invitation.expired ? 'warning' : 'accent'}>{t('admins.invited')}</Badge>
  return <Badge tone={a.isActive ? 'success' : 'neutral'}>{t(a.isActive ? 'admins.on' : 'admins.off')}</Badge>
}

const columns = (): Column<AdminView>[] => [
  {
    name: 'name',
    title: t('admins.name'),
    sort: 'lastName',
    cell: (a) => (
      <>
        <span class="primary-line">{nameOf(a)}</span>
        {a.email !== nameOf(a) && <span class="second-line">{a.email}</span>}
      </>
    ),
  },
  { name: 'role', title: t('admins.role'), cell: (a) => rolesOf(a) },
  {
    name: 'state',
    title: t('admins.state'),
    sort: 'isActive',
    cell: (a) => (
      <span class="row">
        <State admin={a} />
        {a.external && <Badge tone="accent">{t('admins.integration')}</Badge>}
      </span>
    ),
  },
  {
    name: 'added',
    title: t('admins.added'),
    sort: 'createAt',
    wide: true,
    cell: (a) => <Time at={a.createAt} only="date" />,
  },
]

export default function Administrators(): JSX.Element {
  const create = may('ADMIN', 'MODIFY') && (
    <ButtonLink kind="primary" icon="plus" to="/administrators/new">
      {t('admins.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.administrators')} lead={t('admins.lead')} actions={create}>
      <List
        label={t('nav.administrators')}
        path="/api/admin"
        columns={columns()}
        read={(r) => ({ rows: r.users, total: r.total })}
        rowKey={(a) => a.id}
        to={(a) => `/administrators/${a.id}`}
        empty={<Empty icon="user" title={t('admins.empty')} action={create} />}
      />
    </Page>
  )
}
