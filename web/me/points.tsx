// The balance, the way to the next level, what expires when, and the history of points.
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { url, useQuery } from '../api/client'
import type { CustomerBalance, TransferView, TransferViewList } from '../api/types'
import { date, language, number, points, since, t, until } from '../i18n/i18n'
import { money } from '../i18n/number'
import { Badge, Button, Card, Empty, ErrorState, Page, Skeleton } from '../ui/basics'
import { amount, levelGoal } from './brand'
import { useBalance, useCoupons, useCustomer } from './data'
import { AsOf, Picture } from './parts'

export default function Points(): JSX.Element {
  const { data: b, error, reload, at } = useBalance()
  return (
    <Page title={t('me.points')}>
      <AsOf at={at} />
      {error && !b && <ErrorState error={error} retry={reload} />}
      {!b && !error && <Skeleton lines={4} />}
      {b && (
        <div class="columns">
          <Card>
            <div class="balance">
              <strong>{points(b.points)}</strong>
              <span>{t('me.balance')}</span>
            </div>
            {b.lockedPoints > 0 && <p class="muted">{t('me.locked', { amount: amount(b.lockedPoints) })}</p>}
            {b.blockedPoints > 0 && <p class="muted">{t('me.blocked', { amount: amount(b.blockedPoints) })}</p>}
            <Expiring days={b.pointsExpiringBreakdown as Record<string, number>} />
          </Card>
          {b.levelName && <Level balance={b} />}
        </div>
      )}
      <Levels />
      <History />
      <Earning />
    </Page>
  )
}

function Expiring({ days }: { days: Record<string, number> }): JSX.Element {
  const all = Object.entries(days).sort(([a], [b]) => a.localeCompare(b))
  if (all.length === 0) return <p class="muted">{t('me.nothingExpires')}</p>
  return (
    <div>
      <h2>{t('me.expiring')}</h2>
      <ul class="rows">
        {all.map(([day, n]) => (
          <li key={day}>
            <span>{date(day)}</span>
            <span class="number">{amount(n)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Level({ balance: b }: { balance: CustomerBalance }): JSX.Element {
  const byPoints = b.pointsToNextLevel !== undefined
  const lacking =
    b.pointsToNextLevel ?? b.transactionsAmountToNextLevelWithoutDeliveryCosts ?? b.transactionsAmountToNextLevel
  const goal = b.nextLevelConditionValue ?? 0
  return (
    <Card>
      <div class="balance">
        <strong>{b.levelName}</strong>
        <span>{t('me.level')}</span>
      </div>
      {b.level && Number.parseFloat(b.level) > 0 && (
        <p class="muted">
          {t('me.levelDiscount', {
            percent: number(Number.parseFloat(b.level) / 100, { style: 'percent', maximumFractionDigits: 2 }),
          })}
        </p>
      )}
      {b.nextLevelName && lacking !== undefined && (
        <label class="meter">
          <span>
            {t('me.toNext', {
              lacking: byPoints ? amount(lacking) : money(lacking, b.currency),
              level: b.nextLevelName,
            })}
          </span>
          <progress max={goal || 1} value={Math.max(0, goal - lacking)} />
        </label>
      )}
      {!b.nextLevelName && <p class="muted">{t('me.highest')}</p>}
      {b.levelWillExpireInDays !== undefined && (
        <p class="muted">{t('me.levelEnds', { n: b.levelWillExpireInDays })}</p>
      )}
    </Card>
  )
}

// Levels shows all levels, from the one where everybody starts.
function Levels(): JSX.Element | null {
  const levels =
    useQuery('/api/{store}/customer/level', { perPage: 100, sort: 'conditionValue', _locale: language.value }).data
      ?.levels ?? []
  const own = useCustomer().data?.levelId
  const { data: balance } = useBalance()
  if (levels.length < 2 || !balance) return null
  return (
    <Card title={t('me.allLevels')}>
      <ul class="rows levels">
        {levels.map((l) => (
          <li key={l.levelId}>
            <Picture
              address={l.hasPhoto ? url('/api/{store}/level/{level}/photo', { level: l.levelId }) : undefined}
              icon="star"
            />
            <span>
              <span class="what">{l.name}</span>{' '}
              {l.levelId === own && <Badge tone="accent">{t('me.levelYours')}</Badge>}
              <small class="muted">{levelGoal(l.conditionValue, balance.currency)}</small>
              {l.description && <small>{l.description}</small>}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const step = 20

function History(): JSX.Element {
  const [shown, setShown] = useState(step)
  const { data, error, reload, loading } = useQuery('/api/{store}/customer/points/transfer', {
    perPage: shown,
    sort: 'createdAt',
    direction: 'DESC',
  })
  const coupons = useCoupons().data?.campaigns ?? []
  const names = new Map(coupons.map((c) => [c.coupon.code, c.campaign?.name]))
  const before = useRef<TransferViewList | undefined>(undefined)
  if (data) before.current = data
  const list = data ?? before.current
  return (
    <Card title={t('me.history')}>
      {error && !list && <ErrorState error={error} retry={reload} />}
      {!list && !error && <Skeleton lines={5} />}
      {list?.total === 0 && (
        <Empty icon="points" title={t('me.noHistory')}>
          {t('me.noHistoryHelp')}
        </Empty>
      )}
      {list && list.total > 0 && (
        <ul class="rows">
          {list.transfers.map((one) => (
            <Entry key={one.pointsTransferId} entry={one} names={names} />
          ))}
        </ul>
      )}
      {list && list.total > list.transfers.length && (
        <Button busy={loading} onClick={() => setShown(shown + step)}>
          {t('me.showMore')}
        </Button>
      )}
    </Card>
  )
}

// Names are those of bought rewards in the customer's language, by the codes of their coupons.
type Names = Map<string, string | undefined>

function Entry({ entry: e, names }: { entry: TransferView; names: Names }): JSX.Element {
  const gain = e.type.endsWith('adding')
  const { title, more } = describe(e, names)
  return (
    <li>
      <span>
        <span class="what">{title}</span>
        {more && <small>{more}</small>}
        <small class="muted">
          {[
            date(e.createdAt),
            e.posName,
            gain && e.expiresAt && e.state === 'active' && t('me.expires', { time: until(e.expiresAt) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </span>
      <span class="number">
        {gain ? '+' : '−'}
        {points(e.value)}
        {e.state === 'pending' && <Badge tone="warning">{t('me.pending', { time: since(e.lockedUntil) })}</Badge>}
        {e.state === 'expired' && <Badge>{t('me.tabExpired')}</Badge>}
        {e.state === 'canceled' && <Badge>{t('me.cancelled')}</Badge>}
      </span>
    </li>
  )
}

// describe says in the customer's language what a movement of points was. The comment of the server is in English:
// docs/behaviour/purchase.md, cashback.md and transactions.md say what it holds. What people and rules wrote stays.
function describe(e: TransferView, names: Names): { title: string; more?: string } {
  const kind = t(
    `me.transfer.${e.type as 'adding' | 'spending' | 'p2p_adding' | 'p2p_spending' | 'merge_adding' | 'merge_spending' | 'blocked'}`,
  )
  if (e.issuer !== 'system' || e.type.startsWith('p2p')) return { title: kind, more: e.comment }
  if (e.type === 'spending') {
    const [, bought, code = ''] = /^(.*), coupon: (.*)$/s.exec(e.comment) ?? []
    if (bought) return { title: names.get(code) ?? bought, more: t('me.transfer.coupon', { code }) }
    const [, exchanged] = /^(.*), cashback$/s.exec(e.comment) ?? []
    if (exchanged) return { title: exchanged, more: t('me.cashback') }
    if (e.transactionDocumentNumber)
      return { title: t('me.transfer.return'), more: t('me.transfer.receipt', { number: e.transactionDocumentNumber }) }
    return { title: kind }
  }
  if (e.transactionDocumentNumber)
    return { title: e.comment || kind, more: t('me.transfer.receipt', { number: e.transactionDocumentNumber }) }
  return { title: e.comment || kind }
}

function Earning(): JSX.Element | null {
  const rules = useQuery('/api/{store}/customer/earningRule', { _locale: language.value }).data?.earningRules ?? []
  if (rules.length === 0) return null
  return (
    <Card title={t('me.earning')}>
      <ul class="rows">
        {rules.map((r) => (
          <li key={r.earningRuleId}>
            <span>
              <span class="what">{r.name}</span>
              {r.description && r.description !== r.name && <small class="muted">{r.description}</small>}
              {!r.allTimeActive && r.endAt && <small class="muted">{t('join.until', { at: until(r.endAt) })}</small>}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
