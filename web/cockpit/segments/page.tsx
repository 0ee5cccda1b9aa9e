import type { JSX } from 'preact'
import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import type { SegmentView } from '../../api/types'
import { useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { number, points, t } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Badge, ButtonLink, Card, Copy, Empty, ErrorState, Facts, Page, Skeleton, Time } from '../../ui/basics'
import { Confirm, Menu, toast } from '../../ui/dialog'
import { Switch } from '../../ui/form'
import { navigate, type RouteProps } from '../../ui/router'
import { List } from '../../ui/table'
import { Tabs } from '../../ui/tabs'
import { History } from '../audit/history'
import { customerName } from '../customers/name'
import { customerColumns, DownloadButton } from '../download'
import { CriterionFacts } from './criterion'
import { useJoins } from './editor_parts'
import { setSegmentActive } from './list'

// SegmentPage shows a segment: who is in it and why.
export default function SegmentPage({ params }: RouteProps): JSX.Element {
  const id = params['segment']!
  const { data: segment, error, reload } = useQuery('/api/{store}/segment/{segment}', { segment: id })
  const back = { to: '/segments', text: t('nav.segments') }
  if (error && !segment)
    return (
      <Page title={t('segments.one')} back={back}>
        <ErrorState error={error} retry={reload} />
      </Page>
    )
  if (!segment)
    return (
      <Page title={t('segments.one')} back={back}>
        <Skeleton lines={6} />
      </Page>
    )
  return (
    <Page
      title={segment.name}
      back={back}
      lead={segment.description}
      badge={!segment.active && <Badge>{t('levels.isOff')}</Badge>}
      actions={
        <>
          <History of={segment.segmentId} />
          {may('SEGMENT', 'MODIFY') && <Actions segment={segment} />}
        </>
      }
    >
      <Tabs
        label={t('segments.one')}
        tabs={[
          { name: 'overview', title: t('campaigns.overview'), body: () => <Overview segment={segment} /> },
          {
            name: 'members',
            title: (
              <>
                {t('levels.members')} <Badge>{number(segment.customersCount)}</Badge>
              </>
            ),
            body: () => <Members segment={segment} />,
          },
        ]}
      />
    </Page>
  )
}

function Actions({ segment: s }: { segment: SegmentView }): JSX.Element {
  const [deleting, setDeleting] = useState(false)
  const remove = async (): Promise<void> => {
    await write('DELETE', '/api/{store}/segment/{segment}', { params: { segment: s.segmentId } })
    toast(t('levels.deleted', { name: s.name }))
    navigate('/segments')
  }
  return (
    <>
      <Switch
        label={t(s.active ? 'levels.on' : 'levels.off')}
        checked={s.active}
        onChange={(on) => setSegmentActive(s, on)}
      />
      <ButtonLink icon="edit" to={`/segments/${s.segmentId}/edit`}>
        {t('campaigns.editShort')}
      </ButtonLink>
      <Menu
        label={t('campaigns.moreActions')}
        items={[{ text: t('levels.delete'), danger: true, onClick: () => setDeleting(true) }]}
      />
      {deleting && (
        <Confirm
          title={t('segments.deleteTitle', { name: s.name })}
          action={t('pictures.deleteNow')}
          onClose={() => setDeleting(false)}
          onConfirm={remove}
        >
          <p>{t('segments.deleteMembers', { n: s.customersCount })}</p>
          <p class="muted">{t('segments.deleteHelp')}</p>
        </Confirm>
      )}
    </>
  )
}

function Overview({ segment: s }: { segment: SegmentView }): JSX.Element {
  const joins = useJoins()
  return (
    <div class="columns wide-columns">
      <Card title={t('segments.who')}>
        {s.parts.map((part, i) => (
          <Fragment key={part.segmentPartId}>
            {i > 0 && <div class="join">{joins.parts}</div>}
            <div class="part">
              {part.criteria.map((criterion, j) => (
                <Fragment key={criterion.criterionId}>
                  {j > 0 && <div class="join small">{joins.criteria}</div>}
                  <CriterionFacts criterion={criterion} />
                </Fragment>
              ))}
            </div>
          </Fragment>
        ))}
      </Card>
      <Card title={t('segments.figures')}>
        <Facts
          items={[
            [t('levels.members'), number(s.customersCount)],
            [t('segments.averageSale'), money(s.averageTransactionAmount, s.currency)],
            [t('segments.averageSales'), points(s.averageTransactions)],
            [t('segments.averageValue'), money(s.averageClv, s.currency)],
            [t('campaigns.created'), <Time at={s.createdAt} />],
            [t('campaigns.id'), <Copy text={s.segmentId} />],
          ]}
        />
      </Card>
    </div>
  )
}

function Members({ segment: s }: { segment: SegmentView }): JSX.Element {
  return (
    <List
      label={t('levels.members')}
      path="/api/{store}/segment/{segment}/customers"
      params={{ segment: s.segmentId }}
      read={(r) => ({ rows: r.customers, total: r.total })}
      rowKey={(m) => m.customerId}
      to={may('CUSTOMER') ? (m) => `/customers/${m.customerId}` : undefined}
      actions={
        s.customersCount > 0 &&
        may('SEGMENT_EXPORT') && (
          <DownloadButton
            path="/api/{store}/csv/segment/{segment}"
            params={{ segment: s.segmentId }}
            filters={[]}
            file={s.name}
            columns={customerColumns()}
          />
        )
      }
      columns={[
        {
          name: 'name',
          title: t('customers.name'),
          sort: 'lastName',
          cell: (m) => (
            <>
              <span class="primary-line">{customerName(m)}</span>
              <span class="second-line">{m.email ?? m.phone ?? ''}</span>
            </>
          ),
        },
        {
          name: 'purchases',
          title: t('customers.purchases'),
          number: true,
          wide: true,
          cell: (m) => number(m.transactionsCount),
        },
        {
          name: 'amount',
          title: t('segments.spent'),
          number: true,
          cell: (m) => money(m.transactionsAmount, m.currency),
        },
      ]}
      empty={
        <Empty icon="customers" title={t('segments.nobody')}>
          {t('segments.nobodyHelp')}
        </Empty>
      }
    />
  )
}
