import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CashbackMessageView } from '../../api/types'
import { stale, useQuery } from '../../api/client'
import { may } from '../../api/session'
import { number, t, tIf } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Button, ButtonLink, Empty, Notice, Page, Time } from '../../ui/basics'
import { List, type Column } from '../../ui/table'
import { answerText } from '../webhooks/delivery'
import { RedeemDialog } from './redeem'
import { Message, MessageState, receiverOf } from './message'

const states = ['waiting', 'sent', 'failed', 'settled']

const columns = (): Column<CashbackMessageView>[] => [
  {
    name: 'customer',
    title: t('customers.one'),
    cell: (m) => (
      <>
        <span class="primary-line">{receiverOf(m)}</span>
        <span class="second-line">{m.customer?.email ?? m.customer?.phone ?? ''}</span>
      </>
    ),
  },
  { name: 'amount', title: t('cashback.amount'), number: true, cell: (m) => money(m.amount, m.currency) },
  {
    name: 'state',
    title: t('campaigns.state'),
    cell: (m) => (
      <>
        <MessageState message={m} />
        <span class="second-line">{m.state === 'failed' ? answerText(m.lastStatus, m.lastError) : ''}</span>
      </>
    ),
  },
  { name: 'attempts', title: t('webhooks.attempts'), number: true, wide: true, cell: (m) => number(m.attempts) },
  { name: 'created', title: t('cashback.created'), wide: true, cell: (m) => <Time at={m.createdAt} /> },
]

// Cashback lists the messages that tell the payment provider what to pay, the newest first.
export default function Cashback(): JSX.Element {
  const [shown, setShown] = useState<CashbackMessageView | null>(null)
  const [redeems, setRedeems] = useState(false)
  const mayRedeem = may('REWARD_CAMPAIGN', 'MODIFY') && may('CUSTOMER')
  return (
    <Page
      title={t('nav.cashback')}
      lead={t('cashback.lead')}
      actions={
        mayRedeem && (
          <Button icon="points" onClick={() => setRedeems(true)}>
            {t('cashback.redeem')}
          </Button>
        )
      }
    >
      <Provider />
      <List
        label={t('nav.cashback')}
        path="/api/{store}/admin/campaign/cashback/messages"
        params={{ includeDetails: 1 }}
        columns={columns()}
        read={(r) => ({ rows: r.messages, total: r.total })}
        rowKey={(m) => m.messageId}
        onPick={setShown}
        actions={<Button icon="refresh" label={t('webhooks.refresh')} onClick={stale} />}
        filters={[
          {
            name: 'state',
            title: t('cashback.anyState'),
            options: states.map((value) => ({ value, text: tIf(`cashback.state.${value}`, value) })),
          },
        ]}
        empty={
          <Empty icon="points" title={t('cashback.empty')}>
            {t('cashback.emptyHelp')}
          </Empty>
        }
      />
      {shown && <Message message={shown} onClose={() => setShown(null)} />}
      {redeems && <RedeemDialog onClose={() => setRedeems(false)} />}
    </Page>
  )
}

// Provider says how to set up the payment provider where the store has none.
function Provider(): JSX.Element | null {
  const settings = useQuery(may('SETTINGS') ? '/api/{store}/settings' : null).data?.settings
  if (!settings || settings.cashbackProviderUrl) return null
  return (
    <Notice tone="warning" title={t('cashback.noProvider')}>
      <div class="stack">
        {t('cashback.noProviderHelp', { section: t('settings.payments') })}
        {may('SETTINGS', 'MODIFY') && (
          <div>
            <ButtonLink small icon="system" to="/settings">
              {t('cashback.setUp')}
            </ButtonLink>
          </div>
        )}
      </div>
    </Notice>
  )
}
