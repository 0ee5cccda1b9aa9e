import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { write } from '../../api/client'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Button, Empty, Time } from '../../ui/basics'
import { Confirm, toast } from '../../ui/dialog'
import { place } from '../../ui/router'
import { endOfDay, List } from '../../ui/table'
import { channelName } from './names'

const path = '/api/{store}/admin/message/undeliverable'

// Refused lists the addresses that get no messages because they were refused for good. One button tries those of the
// filters again.
export function Refused(): JSX.Element {
  const [asking, setAsking] = useState(0) // how many addresses
  const query = place.value.query
  const forgive = async (): Promise<void> => {
    const value = (name: string): string => query.get(name) ?? ''
    const until = value('until')
    const forgiving = {
      channel: value('channel') as 'email',
      reason: value('q'),
      from: value('from'),
      until: until && endOfDay(until),
      all: ![value('channel'), value('q'), value('from'), until].some(Boolean),
    }
    const { forgiven } = await write('POST', `${path}/forgive`, { body: { forgiving } })
    toast(t('messages.forgiven', { n: forgiven }))
  }
  return (
    <>
      <List
        label={t('messages.refused')}
        path={path}
        read={(r) => ({ rows: r.addresses, total: r.total })}
        rowKey={(a) => `${a.channel} ${a.address}`}
        search="reason"
        searchLabel={t('messages.reason')}
        filters={[
          {
            name: 'channel',
            title: t('messages.anyChannel'),
            options: ['email', 'sms', 'push'].map((value) => ({ value, text: channelName(value) })),
          },
          { name: 'from', title: t('events.from') },
          { name: 'until', title: t('events.to'), send: endOfDay },
        ]}
        bar={(rows, total) =>
          rows.length > 0 &&
          may('CUSTOMER', 'MODIFY') && (
            <div>
              <Button icon="refresh" onClick={() => setAsking(total)}>
                {t('messages.forgive')}
              </Button>
            </div>
          )
        }
        columns={[
          {
            name: 'to',
            title: t('messages.to'),
            cell: (a) => (
              <>
                <span class="primary-line">{a.channel === 'push' ? t('messages.devices') : a.address}</span>
                <span class="second-line">{channelName(a.channel)}</span>
              </>
            ),
          },
          { name: 'reason', title: t('messages.reason'), cell: (a) => a.reason, wide: true },
          { name: 'since', title: t('messages.refusedAt'), cell: (a) => <Time at={a.since} /> },
        ]}
        empty={
          <Empty icon="channels" title={t('messages.noneRefused')}>
            {t('messages.noneRefusedHelp')}
          </Empty>
        }
      />
      {asking > 0 && (
        <Confirm
          title={t('messages.forgiveTitle', { n: asking })}
          action={t('messages.forgive')}
          danger={false}
          onClose={() => setAsking(0)}
          onConfirm={forgive}
        >
          {t('messages.forgiveHelp')}
        </Confirm>
      )}
    </>
  )
}
