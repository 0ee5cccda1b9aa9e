// Who invited whom: all of a store, and those of one customer.
import type { JSX } from 'preact'
import type { InvitationView, InvitationViewList } from '../../api/types'
import { useQuery } from '../../api/client'
import { may } from '../../api/session'
import { number, points, t } from '../../i18n/i18n'
import { Badge, ButtonLink, Empty, Page, Skeleton, Time } from '../../ui/basics'
import { href } from '../../ui/router'
import { List, type Column, type Filter, type ParamName } from '../../ui/table'
import { CustomerFilter } from './search'

const statuses = ['invited', 'registered', 'made_purchase'] as const
type Status = (typeof statuses)[number]

const statusText = (status: string): string => t(`invitations.${status as Status}`)

function State({ of: i }: { of: InvitationView }): JSX.Element {
  const tone = i.status === 'made_purchase' ? 'success' : i.status === 'registered' ? 'accent' : 'neutral'
  return <Badge tone={tone}>{statusText(i.status)}</Badge>
}

function Person({ id, name, contact }: { id: string; name: string; contact: string }): JSX.Element {
  const text = name || contact || t(id ? 'customers.unnamed' : 'invitations.forgotten')
  return (
    <>
      <span class="primary-line">
        {id ? (
          <a class="row-link" href={href(`/customers/${id}`)}>
            {text}
          </a>
        ) : (
          text
        )}
      </span>
      {name && contact && <span class="second-line">{contact}</span>}
    </>
  )
}

const recipientColumn = (): Column<InvitationView> => ({
  name: 'recipient',
  title: t('invitations.recipient'),
  cell: (i) => <Person id={i.recipientId} name={i.recipientName} contact={i.recipientEmail || i.recipientPhone} />,
})

const referrerColumn = (): Column<InvitationView> => ({
  name: 'referrer',
  title: t('invitations.referrer'),
  wide: true,
  cell: (i) => <Person id={i.referrerId} name={i.referrerName} contact={i.referrerEmail} />,
})

const furtherColumns = (): Column<InvitationView>[] => [
  { name: 'status', title: t('invitations.status'), cell: (i) => <State of={i} /> },
  {
    name: 'created',
    title: t('invitations.sent'),
    sort: 'createdAt',
    wide: true,
    cell: (i) => <Time at={i.createdAt} only="date" />,
  },
  {
    name: 'referrerPoints',
    title: t('invitations.referrerPoints'),
    number: true,
    wide: true,
    cell: (i) => points(i.referrerPoints),
  },
  {
    name: 'recipientPoints',
    title: t('invitations.recipientPoints'),
    number: true,
    wide: true,
    cell: (i) => points(i.recipientPoints),
  },
]

const read = (r: InvitationViewList): { rows: InvitationView[]; total: number } => ({
  rows: r.invitations,
  total: r.total,
})
const newest = { field: 'createdAt', descending: true }

type Name = ParamName<'/api/{store}/invitations'>

// Invitations lists the invitations of a store, the newest first.
export default function Invitations(): JSX.Element {
  const filters: Filter<Name>[] = [
    {
      name: 'referrerId',
      title: t('invitations.referrer'),
      field: (value, onChange) => (
        <CustomerFilter value={value} onChange={onChange} label={t('invitations.anyReferrer')} />
      ),
    },
    {
      name: 'status',
      title: t('invitations.anyStatus'),
      options: statuses.map((value) => ({ value, text: statusText(value) })),
    },
  ]
  const rules = may('EARNING_RULE') && (
    <ButtonLink to="/rules" query={{ type: 'referral' }}>
      {t('invitations.rules')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.invitations')} actions={rules}>
      {may('ANALYTICS') && <Totals />}
      <List
        label={t('nav.invitations')}
        path="/api/{store}/invitations"
        read={read}
        rowKey={(i) => i.invitationId}
        columns={[recipientColumn(), referrerColumn(), ...furtherColumns()]}
        filters={filters}
        search="recipientEmail"
        searchLabel={t('invitations.search')}
        defaultSort={newest}
        empty={
          <Empty icon="customers" title={t('invitations.empty')} action={rules}>
            {t('invitations.emptyHelp')}
          </Empty>
        }
      />
    </Page>
  )
}

function Totals(): JSX.Element | null {
  const { data, error } = useQuery('/api/{store}/admin/analytics/referrals')
  if (error && !data) return null // the list below shows the error
  if (!data)
    return (
      <div class="balance">
        <Skeleton lines={2} />
      </div>
    )
  const figures = [
    [t('invitations.total'), data.total],
    [t('invitations.joined'), data.totalRegistered + data.totalCompleted],
    [t('invitations.made_purchase'), data.totalCompleted],
  ] as const
  return (
    <dl class="balance">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <strong class="number">{number(value)}</strong>
          </dd>
        </div>
      ))}
    </dl>
  )
}

// CustomerInvitations shows by whom a customer came, and whom they invited.
export function CustomerInvitations({ customer }: { customer: string }): JSX.Element {
  const by = useQuery('/api/{store}/invitations', { recipientId: customer }).data?.invitations[0]
  return (
    <div class="stack">
      {by && (
        <p>
          {t('invitations.by')}{' '}
          <a href={href(`/customers/${by.referrerId}`)}>
            {by.referrerName || by.referrerEmail || t('customers.unnamed')}
          </a>
          {' · '}
          <Time at={by.registeredAt} only="date" /> · <State of={by} />
        </p>
      )}
      <List
        label={t('nav.invitations')}
        path="/api/{store}/invitations"
        params={{ referrerId: customer }}
        read={read}
        rowKey={(i) => i.invitationId}
        columns={[recipientColumn(), ...furtherColumns()]}
        defaultSort={newest}
        empty={
          <Empty icon="customers" title={t('invitations.none')}>
            {t('invitations.noneHelp')}
          </Empty>
        }
      />
    </div>
  )
}
