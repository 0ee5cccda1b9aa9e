import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CustomerDetail } from '../../api/types'
import { settled, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Avatar } from '../../ui/avatar'
import { Badge, Button, ErrorState, Page, Skeleton } from '../../ui/basics'
import { Menu } from '../../ui/dialog'
import { href, type RouteProps } from '../../ui/router'
import { Tabs } from '../../ui/tabs'
import { Mailbox } from '../messages/mailbox'
import { MoveDialog, PointsDialog } from '../points/dialogs'
import { AccountNotice, useAccount } from './account'
import { Entries } from '../audit/entries'
import { ResetFactors } from '../factors'
import { BuyDialog } from './buy'
import { Ask, LevelDialog, type Question } from './confirm'
import { Coupons } from './coupons'
import { Details, Segments } from './details'
import { Figures } from './figures'
import { CustomerInvitations } from './invitations'
import { Merged, MergeDialog, Merges } from './merge'
import { customerName, isAnonymous } from './name'
import { PointsTab } from './points'
import { Privacy } from './privacy'
import { Purchases } from './purchases'
import { Notifications } from './notifications'
import { Status } from './status'
import { Timeline } from './timeline'
import { Notes } from './notes'
import { Undeliverable } from './undeliverable'

type Action = 'add' | 'spend' | 'block' | 'move' | 'buy' | 'level' | 'merge' | 'factors' | Question

// Profile tells the whole story of a customer.
export default function Profile({ params }: RouteProps): JSX.Element {
  const id = params['customer']!
  const { data: c, error, reload } = useQuery('/api/{store}/customer/{customer}', { customer: id })
  const balance = useQuery('/api/{store}/admin/customer/{customer}/status', { customer: id })
  const account = useAccount(c)
  const undeliverable = useQuery('/api/{store}/admin/customer/{customer}/undeliverable', { customer: id })
  const [action, setAction] = useState<Action | null>(null)
  const back = { to: '/customers', text: t('nav.allCustomers') }
  if (error && !c)
    return (
      <Page title={t('customers.one')} back={back}>
        <ErrorState error={error} retry={reload} />
      </Page>
    )
  if (c?.mergedInto) return <Merged customer={c} />
  if (!c || !settled(balance, account, undeliverable))
    return (
      <Page title={t('customers.one')} back={back}>
        <Skeleton lines={6} />
      </Page>
    )
  const badges = (
    <>
      {c.level?.name && <Badge tone="accent">{c.level.name}</Badge>}
      {c.status.type !== 'active' && (
        <>
          {' '}
          <Status customer={c} />
        </>
      )}
    </>
  )
  return (
    <Page
      title={customerName(c)}
      back={back}
      badge={badges}
      picture={<Avatar large path={c.avatarPath} version={c.version} name={isAnonymous(c) ? '' : customerName(c)} />}
      actions={<Actions customer={c} onAction={setAction} />}
      lead={[c.email, c.phone, c.loyaltyCardNumber && t('customers.cardIs', { card: c.loyaltyCardNumber })]
        .filter(Boolean)
        .join(' · ')}
    >
      <AccountNotice customer={c} account={account.data} onActivate={() => setAction('activate')} />
      <Undeliverable customer={id} addresses={undeliverable.data?.addresses ?? []} />
      <Figures query={balance} />
      <div class="profile">
        <Tabs
          label={t('customers.story')}
          tabs={[
            { name: 'timeline', title: t('tab.timeline'), body: () => <Timeline customer={id} /> },
            may('REWARD_CAMPAIGN') && {
              name: 'coupons',
              title: t('tab.coupons'),
              body: () => <Coupons customer={id} onBuy={() => setAction('buy')} />,
            },
            may('POINT_TRANSFER') && {
              name: 'points',
              title: t('tab.points'),
              body: () => <PointsTab customer={id} onAdd={() => setAction('add')} />,
            },
            may('TRANSACTION') && {
              name: 'purchases',
              title: t('tab.purchases'),
              body: () => <Purchases customer={id} />,
            },
            {
              name: 'contact',
              title: t('tab.contact'),
              body: () => (
                <Tabs
                  name="part"
                  label={t('tab.contact')}
                  tabs={[
                    { name: 'messages', title: t('tab.messages'), body: () => <Mailbox customer={id} /> },
                    {
                      name: 'notifications',
                      title: t('tab.notifications'),
                      body: () => <Notifications customer={id} />,
                    },
                    {
                      name: 'invitations',
                      title: t('tab.invitations'),
                      body: () => <CustomerInvitations customer={id} />,
                    },
                  ]}
                />
              ),
            },
            {
              name: 'record',
              title: t('tab.record'),
              body: () => (
                <Tabs
                  name="part"
                  label={t('tab.record')}
                  tabs={[
                    { name: 'notes', title: t('customers.notes'), body: () => <Notes customer={id} /> },
                    { name: 'segments', title: t('tab.segments'), body: () => <Segments customer={c} /> },
                    {
                      name: 'privacy',
                      title: t('tab.privacy'),
                      body: () => <Privacy customer={c} onAnonymize={() => setAction('anonymize')} />,
                    },
                    may('CUSTOMER_MERGE') && {
                      name: 'merges',
                      title: t('tab.merges'),
                      body: () => <Merges customer={id} />,
                    },
                    may('AUDIT') && {
                      name: 'changes',
                      title: t('tab.changes'),
                      body: () => <Entries params={{ customerId: id }} />,
                    },
                  ]}
                />
              ),
            },
          ]}
        />
        <Details customer={c} />
      </div>
      <Open action={action} customer={c} onClose={() => setAction(null)} />
    </Page>
  )
}

function Actions({
  customer: c,
  onAction,
}: {
  customer: CustomerDetail
  onAction: (action: Action) => void
}): JSX.Element | null {
  const change = may('CUSTOMER', 'MODIFY') && !isAnonymous(c)
  const points = may('POINT_TRANSFER', 'MODIFY')
  const mayTry = may('REWARD_CAMPAIGN') && c.active
  const items = [
    mayTry && { text: t('nav.tryIt'), href: href('/try-it', { customer: c.customerId }) },
    change && { text: t('action.edit'), href: href(`/customers/${c.customerId}/edit`) },
    points && { text: t('points.spend'), onClick: () => onAction('spend') },
    points && { text: t('points.block'), onClick: () => onAction('block') },
    points && c.active && { text: t('points.move'), onClick: () => onAction('move') },
    change && may('LEVEL') && { text: t('level.title'), onClick: () => onAction('level') },
    change &&
      c.manuallyAssignedLevelId && { text: t('ask.removeLevel.action'), onClick: () => onAction('removeLevel') },
    change && !c.loyaltyCardNumber && { text: t('ask.issueCard.action'), onClick: () => onAction('issueCard') },
    may('CUSTOMER_MERGE', 'MODIFY') &&
      !isAnonymous(c) &&
      c.status.type !== 'blocked' && { text: t('merges.title'), onClick: () => onAction('merge') },
    change && { text: t('factorReset.do'), onClick: () => onAction('factors') },
    change && !c.active && { text: t('ask.activate.action'), onClick: () => onAction('activate') },
    change &&
      c.status.type !== 'blocked' && {
        text: t('ask.deactivate.action'),
        danger: true,
        onClick: () => onAction('deactivate'),
      },
    change && { text: t('ask.anonymize.action'), danger: true, onClick: () => onAction('anonymize') },
  ].filter((item) => !!item)
  if (items.length === 0 && !may('REWARD_CAMPAIGN', 'MODIFY')) return null
  return (
    <>
      {points && (
        <Button icon="plus" onClick={() => onAction('add')}>
          {t('points.add')}
        </Button>
      )}
      {may('REWARD_CAMPAIGN', 'MODIFY') && c.active && (
        <Button icon="rewards" onClick={() => onAction('buy')}>
          {t('buy.title')}
        </Button>
      )}
      {items.length > 0 && <Menu label={t('customers.actions')} class="button square" items={items} />}
    </>
  )
}

function Open({
  action,
  customer,
  onClose,
}: {
  action: Action | null
  customer: CustomerDetail
  onClose: () => void
}): JSX.Element | null {
  const props = { customer, onClose }
  switch (action) {
    case null:
      return null
    case 'add':
    case 'spend':
    case 'block':
      return <PointsDialog kind={action} {...props} />
    case 'move':
      return <MoveDialog {...props} />
    case 'buy':
      return <BuyDialog {...props} />
    case 'merge':
      return <MergeDialog {...props} />
    case 'level':
      return <LevelDialog {...props} />
    case 'factors':
      return (
        <ResetFactors
          name={customerName(customer)}
          onClose={onClose}
          reset={() =>
            write('DELETE', '/api/{store}/customer/{customer}/factors', { params: { customer: customer.customerId } })
          }
        />
      )
    default:
      return <Ask question={action} {...props} />
  }
}
