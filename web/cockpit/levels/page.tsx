import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { LevelView, MembershipMember } from '../../api/types'
import { useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { number, percent, t } from '../../i18n/i18n'
import { Badge, ButtonLink, Card, Copy, Empty, ErrorState, Facts, Page, Skeleton, Time } from '../../ui/basics'
import { Confirm, Menu, toast } from '../../ui/dialog'
import { Switch } from '../../ui/form'
import { navigate, type RouteProps } from '../../ui/router'
import { List, Table } from '../../ui/table'
import { Tabs } from '../../ui/tabs'
import { History } from '../audit/history'
import { customerName } from '../customers/name'
import { customerColumns, DownloadButton } from '../download'
import { useCondition } from './condition'
import { setLevelActive } from './list'
import { pictureOf } from './picture'

// LevelPage shows a level and its members.
export default function LevelPage({ params }: RouteProps): JSX.Element {
  const id = params['level']!
  const { data: level, error, reload } = useQuery('/api/{store}/level/{level}', { level: id })
  const back = { to: '/levels', text: t('nav.levels') }
  if (error && !level)
    return (
      <Page title={t('customers.level')} back={back}>
        <ErrorState error={error} retry={reload} />
      </Page>
    )
  if (!level)
    return (
      <Page title={t('customers.level')} back={back}>
        <Skeleton lines={6} />
      </Page>
    )
  return (
    <Page
      title={level.name ?? t('customers.level')}
      back={back}
      lead={level.description}
      badge={!level.active && <Badge>{t('levels.isOff')}</Badge>}
      actions={
        <>
          <History of={level.levelId} />
          {may('LEVEL', 'MODIFY') && <Actions level={level} />}
        </>
      }
    >
      <Tabs
        label={t('customers.level')}
        tabs={[
          { name: 'overview', title: t('campaigns.overview'), body: () => <Overview level={level} /> },
          {
            name: 'members',
            title: (
              <>
                {t('levels.members')} <Badge>{number(level.customersCount)}</Badge>
              </>
            ),
            body: () => <Members level={level} />,
          },
        ]}
      />
    </Page>
  )
}

function Actions({ level }: { level: LevelView }): JSX.Element {
  const [deleting, setDeleting] = useState(false)
  return (
    <>
      <Switch
        label={t(level.active ? 'levels.on' : 'levels.off')}
        checked={level.active}
        onChange={(on) => setLevelActive(level, on)}
      />
      <ButtonLink icon="edit" to={`/levels/${level.levelId}/edit`}>
        {t('campaigns.editShort')}
      </ButtonLink>
      <Menu
        label={t('campaigns.moreActions')}
        items={[{ text: t('levels.delete'), danger: true, onClick: () => setDeleting(true) }]}
      />
      {deleting && <Delete level={level} onClose={() => setDeleting(false)} />}
    </>
  )
}

// Delete says where the customers go before it deletes.
function Delete({ level, onClose }: { level: LevelView; onClose: () => void }): JSX.Element {
  const levels = useQuery('/api/{store}/level', { perPage: 1000 }).data?.levels ?? []
  const below = levels
    .filter((l) => l.active && l.levelId !== level.levelId && l.conditionValue <= level.conditionValue)
    .sort((a, b) => b.conditionValue - a.conditionValue)[0]
  const remove = async (): Promise<void> => {
    await write('DELETE', '/api/{store}/level/{level}', { params: { level: level.levelId } })
    toast(t('levels.deleted', { name: level.name ?? '' }))
    navigate('/levels')
  }
  return (
    <Confirm
      title={t('levels.deleteTitle', { name: level.name ?? '' })}
      action={t('pictures.deleteNow')}
      onClose={onClose}
      onConfirm={remove}
    >
      <p>{t('levels.deleteMembers', { n: level.customersCount })}</p>
      {level.customersCount > 0 && (
        <p>{below ? t('levels.deleteMove', { name: below.name ?? '' }) : t('levels.deleteMoveOther')}</p>
      )}
      <p class="muted">{t('levels.deleteHelp')}</p>
    </Confirm>
  )
}

function Overview({ level }: { level: LevelView }): JSX.Element {
  const condition = useCondition()
  return (
    <div class="columns wide-columns">
      <Card title={t('customers.details')}>
        {level.hasPhoto && <img class="level-picture" src={pictureOf(level.levelId)} alt={t('levels.picture')} />}
        <Facts
          items={[
            [
              t(`levels.condition.${condition.kind}`),
              level.conditionValue === 0 ? t('levels.everybody') : condition.text(level.conditionValue),
            ],
            [
              t('levels.discount'),
              level.reward.value > 0
                ? [level.reward.name, percent(level.reward.value, 6)].filter(Boolean).join(' · ')
                : t('levels.noDiscount'),
            ],
            [t('levels.code'), level.reward.code && <Copy text={level.reward.code} />],
            [t('levels.members'), number(level.customersCount)],
            ...level.translations.map((l): [string, string] => [t('levels.nameIn', { language: l.locale }), l.name]),
            [t('campaigns.id'), <Copy text={level.levelId} />],
          ]}
        />
      </Card>
      <Card title={t('levels.specials')}>
        <Table
          label={t('levels.specials')}
          rows={level.specialRewards}
          rowKey={(s) => s.id}
          empty={<p class="muted">{t('levels.noSpecials')}</p>}
          columns={[
            {
              name: 'name',
              title: t('campaigns.name'),
              cell: (s) => (
                <>
                  <span class="primary-line">{s.name}</span>
                  <span class="second-line">{s.code}</span>
                </>
              ),
            },
            { name: 'value', title: t('levels.percent'), number: true, cell: (s) => percent(s.value, 6) },
            { name: 'from', title: t('editor.from'), wide: true, cell: (s) => <Time at={s.startAt} /> },
            { name: 'to', title: t('editor.to'), cell: (s) => <Time at={s.endAt} /> },
            {
              name: 'on',
              title: t('levels.on'),
              wide: true,
              cell: (s) =>
                s.active ? <Badge tone="success">{t('levels.on')}</Badge> : <Badge>{t('levels.isOff')}</Badge>,
            },
          ]}
        />
      </Card>
    </div>
  )
}

function Members({ level }: { level: LevelView }): JSX.Element {
  return (
    <List
      label={t('levels.members')}
      path="/api/{store}/level/{level}/customers"
      params={{ level: level.levelId }}
      read={(r: { customers: MembershipMember[]; total: number }) => ({ rows: r.customers, total: r.total })}
      rowKey={(m) => m.customerId}
      to={may('CUSTOMER') ? (m) => `/customers/${m.customerId}` : undefined}
      actions={
        level.customersCount > 0 && (
          <DownloadButton
            path="/api/{store}/csv/level/{level}"
            params={{ level: level.levelId }}
            filters={[]}
            file={level.name ?? 'level'}
            columns={customerColumns()}
          />
        )
      }
      columns={[
        {
          name: 'name',
          title: t('customers.name'),
          sort: 'lastName',
          cell: (m) => <span class="primary-line">{customerName(m)}</span>,
        },
        { name: 'email', title: t('levels.email'), cell: (m) => m.email ?? '' },
      ]}
      empty={
        <Empty icon="customers" title={t('levels.nobody')}>
          {t('levels.nobodyHelp')}
        </Empty>
      }
    />
  )
}
