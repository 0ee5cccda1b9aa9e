import type { JSX } from 'preact'
import type { SegmentView } from '../../api/types'
import { write } from '../../api/client'
import { may } from '../../api/session'
import { number, t } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { ButtonLink, Empty, Page } from '../../ui/basics'
import { toast, toastFailure } from '../../ui/dialog'
import { Switch } from '../../ui/form'
import { List, type Column } from '../../ui/table'

// setSegmentActive switches a segment on or off.
export async function setSegmentActive(segment: SegmentView, on: boolean): Promise<void> {
  try {
    await write('POST', `/api/{store}/segment/{segment}/${on ? 'activate' : 'deactivate'}`, {
      params: { segment: segment.segmentId },
    })
    toast(t(on ? 'campaigns.switchedOn' : 'campaigns.switchedOff', { name: segment.name }))
  } catch (error) {
    toastFailure(error)
    throw error
  }
}

const columns = (): Column<SegmentView>[] => [
  {
    name: 'name',
    title: t('campaigns.name'),
    sort: 'name',
    cell: (s) => (
      <>
        <span class="primary-line">{s.name}</span>
        <span class="second-line">{s.description ?? ''}</span>
      </>
    ),
  },
  { name: 'members', title: t('levels.members'), number: true, cell: (s) => number(s.customersCount) },
  {
    name: 'average',
    title: t('segments.averageSale'),
    number: true,
    wide: true,
    cell: (s) => money(s.averageTransactionAmount, s.currency),
  },
  {
    name: 'active',
    title: t('levels.on'),
    cell: (s) => (
      <Switch
        hideLabel
        label={t('levels.onLabel', { name: s.name })}
        checked={s.active}
        disabled={!may('SEGMENT', 'MODIFY')}
        onChange={(on) => setSegmentActive(s, on)}
      />
    ),
  },
]

export default function Segments(): JSX.Element {
  const create = may('SEGMENT', 'MODIFY') && (
    <ButtonLink kind="primary" icon="plus" to="/segments/new">
      {t('segments.new')}
    </ButtonLink>
  )
  return (
    <Page title={t('nav.segments')} actions={create}>
      <List
        label={t('nav.segments')}
        path="/api/{store}/segment"
        columns={columns()}
        search="name"
        read={(r) => ({ rows: r.segments, total: r.total })}
        rowKey={(s) => s.segmentId}
        to={(s) => `/segments/${s.segmentId}`}
        filters={[
          {
            name: 'active',
            title: t('campaigns.onOrOff'),
            options: [
              { value: '1', text: t('campaigns.switchedOnFilter') },
              { value: '0', text: t('campaigns.switchedOffFilter') },
            ],
          },
        ]}
        empty={
          <Empty icon="customers" title={t('segments.empty')} action={create}>
            {t('segments.emptyHelp')}
          </Empty>
        }
      />
    </Page>
  )
}
