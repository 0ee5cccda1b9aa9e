import type { JSX } from 'preact'
import type { AttentionItem, AttentionPart } from '../../api/types'
import { useQuery } from '../../api/client'
import { dateTime, language, number, t, tIf, until, type Key } from '../../i18n/i18n'
import { Card, ErrorState, Skeleton } from '../../ui/basics'
import { Icon } from '../../ui/icons'
import { Link } from '../../ui/router'
import { channelName } from '../messages/names'
import { leadsTo } from './first_steps'

interface Line {
  key: string
  tone: 'warning' | 'danger'
  title: string
  detail: string
  to?: string
}

// Attention lists what somebody should look at, of that which their role may see.
export function Attention(): JSX.Element {
  const { data, error, reload } = useQuery('/api/{store}/admin/attention', { _locale: language.value })
  const lines = data?.parts.flatMap(linesOf)
  return (
    <Card title={t('attention.title')}>
      {lines ? (
        lines.length === 0 ? (
          <p class="all-well">
            <Icon name="check" />
            {t('attention.nothing')}
          </p>
        ) : (
          <ul class="attention">
            {lines.map((line) => (
              <li key={line.key} class={line.tone}>
                <Icon name="warning" />
                <div>
                  {line.to && leadsTo(line.to.split('?')[0]!) ? (
                    <Link to={line.to}>{line.title}</Link>
                  ) : (
                    <strong>{line.title}</strong>
                  )}
                  <small class="muted">{line.detail}</small>
                </div>
              </li>
            ))}
          </ul>
        )
      ) : error ? (
        <ErrorState error={error} retry={reload} />
      ) : (
        <Skeleton lines={5} />
      )}
    </Card>
  )
}

interface Kind {
  tone: Line['tone']
  to: string // where all of the kind are shown
  line?: (item: AttentionItem) => { title: string; detail: string; to?: string; tone?: Line['tone'] }
  sum?: (part: AttentionPart) => { title: string; detail: string } // instead of lines of its items
}

const kinds: Record<string, Kind> = {
  relay: {
    tone: 'danger',
    to: '/jobs',
    line: (i) => ({ title: t('attention.relay'), detail: t('attention.relayHelp', { at: dateTime(i.since) }) }),
  },
  copy: {
    tone: 'danger',
    to: '/jobs',
    line: (i) => ({ title: t('attention.copy'), detail: t('attention.relayHelp', { at: dateTime(i.since) }) }),
  },
  jobs: {
    tone: 'danger',
    to: '/jobs',
    line: (i) => ({
      title: t('attention.job', { name: jobName(i.name ?? '') }),
      detail: t('attention.jobHelp', { at: dateTime(i.since) }),
    }),
  },
  webHooks: {
    tone: 'danger',
    to: '/webhooks',
    line: (i) => ({
      title: t(i.disabled ? 'attention.hookOff' : 'attention.hook'),
      detail: i.name ?? '',
      to: `/webhooks/${i.id}`,
    }),
  },
  webHookDeliveries: {
    tone: 'warning',
    to: '/webhooks',
    line: (i) => ({
      title: t('attention.deliveries', { n: i.failed ?? 0 }),
      detail: i.name ?? '',
      to: `/webhooks/${i.id}`,
    }),
  },
  pushes: {
    tone: 'warning',
    to: '/messages?tab=delivery',
    sum: (p) => counted(p, 'attention.pushes', 'attention.pushesHelp'),
  },
  messageChannels: {
    tone: 'danger',
    to: '/messages?tab=delivery',
    line: (i) => ({
      title: t('attention.messageChannels', { channel: channelName(i.name ?? '') }),
      detail: t('attention.messageChannelsHelp', { n: i.waiting ?? 0 }),
    }),
  },
  messages: {
    tone: 'warning',
    to: '/messages?tab=sent&state=dead',
    sum: (p) => counted(p, 'attention.messages', 'attention.messagesHelp'),
  },
  refusedAddresses: {
    tone: 'danger',
    to: '/messages?tab=refused',
    line: (i) => ({
      title: t('attention.refused', { channel: channelName(i.name ?? '') }),
      detail: t('attention.refusedHelp', { n: i.failed ?? 0, at: dateTime(i.since) }),
    }),
  },
  cashbackMessages: {
    tone: 'danger',
    to: '/cashback',
    sum: (p) => counted(p, 'attention.cashback', 'attention.cashbackHelp'),
  },
  campaignsRunningOut: {
    tone: 'warning',
    to: '/campaigns',
    line: (i) => ({
      title: i.name ?? '',
      to: `/campaigns/${i.id}`,
      tone: i.left === 0 ? 'danger' : 'warning',
      detail: i.left === 0 ? t('attention.soldOut') : t('attention.left', { n: i.left ?? 0 }),
    }),
  },
  campaignsEnding: {
    tone: 'warning',
    to: '/campaigns',
    line: (i) => ({
      title: i.name ?? '',
      detail: t('attention.ends', { at: until(i.endsAt) }),
      to: `/campaigns/${i.id}`,
    }),
  },
  campaignsReachingNobody: { tone: 'warning', to: '/campaigns', line: (i) => reachesNobody(i, `/campaigns/${i.id}`) },
  earningRulesReachingNobody: { tone: 'warning', to: '/rules', line: (i) => reachesNobody(i, `/rules/${i.id}`) },
  receiptNumbers: {
    tone: 'warning',
    to: '/transactions',
    line: (i) => ({
      title: t('attention.receiptNumbers', { number: i.name ?? '', earlier: i.earlier ?? '' }),
      detail: t('attention.receiptNumbersHelp', { at: dateTime(i.since) }),
      to: `/transactions/${i.id}`,
    }),
  },
  pointsExpiring: {
    tone: 'warning',
    to: '/transfers',
    sum: (p) => ({
      title: t(p.complete ? 'attention.expiring' : 'attention.expiringAtLeast', {
        n: Math.round(p.points ?? 0),
        value: number(p.points ?? 0, { maximumFractionDigits: 0 }),
      }),
      detail: t('attention.expiringHelp', { n: p.total }),
    }),
  },
}

function reachesNobody(item: AttentionItem, to: string): { title: string; detail: string; to: string } {
  return { title: item.name ?? '', detail: t('attention.reachesNobody'), to }
}

function jobName(name: string): string {
  return tIf(`job.${name.replaceAll(' ', '_')}`, name)
}

function counted(part: AttentionPart, title: Key, help: Key): { title: string; detail: string } {
  return { title: t(title, { n: part.total }), detail: t(help) }
}

const shown = 3 // items of each kind

// linesOf returns the lines of one kind: one for each of the most urgent, and how many more there are.
function linesOf(part: AttentionPart): Line[] {
  const kind = kinds[part.kind]
  if (!kind || part.total === 0) return []
  const { tone, to } = kind
  if (kind.sum) return [{ key: part.kind, tone, to, ...kind.sum(part) }]
  const lines: Line[] = part.items
    .slice(0, shown)
    .map((i) => ({ key: `${part.kind} ${i.id}`, tone, to, ...kind.line!(i) }))
  // Failed deliveries are counted, not the web hooks that they belong to.
  const more = (part.kind === 'webHookDeliveries' ? part.items.length : part.total) - lines.length
  if (more > 0) lines.push({ key: `${part.kind} more`, tone, to, title: t('attention.more', { n: more }), detail: '' })
  return lines
}
