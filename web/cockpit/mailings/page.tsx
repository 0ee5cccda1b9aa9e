// A mailing: what it says, how far it is, and what came of it.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { CreateMailingForm } from '../../api/types'
import { Failure, usePreview, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { instant, language, number, percent, t, tIf, type Key } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Button, ButtonLink, Card, ErrorState, Facts, Page, Skeleton, Time } from '../../ui/basics'
import { Confirm, toastFailure } from '../../ui/dialog'
import { navigate, type RouteProps } from '../../ui/router'
import { Table } from '../../ui/table'
import { useCurrency } from '../currency'
import { channelName } from '../messages/names'
import { State, type Mailing } from './list'
import type { MailingText } from './text'
import './mailings.css'

const readEvery = 2000 // milliseconds

export default function MailingPage({ params }: RouteProps): JSX.Element {
  const id = params['mailing']!
  const { data: m, error, reload } = useQuery('/api/{store}/admin/mailing/{mailing}', { mailing: id })
  const changing = m?.state === 'running' || m?.state === 'scheduled'
  useEffect(() => {
    if (!changing) return
    const timer = setInterval(() => {
      if (!document.hidden) reload()
    }, readEvery)
    return () => clearInterval(timer)
  }, [changing, id])
  const back = { to: '/mailings', text: t('nav.mailings') }
  if (!m)
    return (
      <Page title={t('mailings.one')} back={back}>
        {error ? <ErrorState error={error} retry={reload} /> : <Skeleton lines={8} />}
      </Page>
    )
  return (
    <Page
      title={m.name}
      back={back}
      badge={<State of={m} />}
      lead={m.channels.map(channelName).join(', ')}
      actions={may('REWARD_CAMPAIGN', 'MODIFY') && <Actions of={m} />}
    >
      <div class="columns wide-columns">
        <div class="stack">
          <Card title={t('mailings.progress')}>
            <div role="status">
              <Facts
                items={[
                  [t('mailings.audience'), audienceText(m)],
                  [t('mailings.visited'), m.startedAt && number(m.visited)],
                  [t('mailings.recipients'), m.startedAt && number(m.recipients)],
                  [
                    t('mailings.clicked'),
                    m.startedAt &&
                      leads(m) &&
                      `${number(m.clicked)} (${percent(m.recipients > 0 ? m.clicked / m.recipients : 0)})`,
                  ],
                  [t('mailings.sendAt'), m.sendAt && <Time at={m.sendAt} />],
                  [t('mailings.started'), m.startedAt && <Time at={m.startedAt} />],
                  [t('mailings.finished'), m.finishedAt && <Time at={m.finishedAt} />],
                  [t('mailings.createdBy'), m.createdBy],
                ]}
              />
            </div>
          </Card>
          {m.outcome && <OutcomeCard of={m.outcome} capped={m.capped} />}
          {m.results && <Results results={m.results as Record<string, Record<string, number>>} />}
        </div>
        <div class="stack">
          {Object.entries(m.texts as Record<string, MailingText>).map(([code, text]) => (
            <TextCard key={code} code={code} text={text} />
          ))}
        </div>
      </div>
    </Page>
  )
}

function OutcomeCard({ of: o, capped }: { of: NonNullable<Mailing['outcome']>; capped: number }): JSX.Element {
  const currency = useCurrency()
  return (
    <Card title={t('mailings.outcome', { n: o.days })}>
      <p class="muted">{t('mailings.outcomeHelp')}</p>
      <Facts
        items={[
          [t('mailings.outcomeSales'), `${number(o.sales)} · ${money(o.amount, currency)}`],
          [t('mailings.outcomeCoupons'), number(o.coupons)],
          [t('mailings.capped'), capped > 0 && number(capped)],
          [t('mailings.countedAt'), o.countedAt && <Time at={o.countedAt} />],
        ]}
      />
    </Card>
  )
}

// leads reports whether there is anything in the message to follow.
function leads(m: Mailing): boolean {
  return (
    Boolean(m.link) ||
    Object.values(m.texts as Record<string, MailingText>).some((text) =>
      text.blocks?.some((b) => b.link || b.campaignId),
    )
  )
}

function TextCard({ code, text }: { code: string; text: MailingText }): JSX.Element {
  return (
    <Card title={code.toUpperCase()}>
      {text.subject && (
        <p class="primary-line" dir="auto">
          {text.subject}
        </p>
      )}
      {text.content && (
        <p class="mailing-text" dir="auto">
          {text.content}
        </p>
      )}
      {text.blocks && (
        <ol class="block-list">
          {text.blocks.map((b) => (
            <li dir="auto">
              <span class="muted">{t(`mailings.block.${b.kind}`)}</span> {b.text ?? b.code}
              {b.link && <small class="muted"> {b.link}</small>}
            </li>
          ))}
        </ol>
      )}
      {text.short && (
        <p class="mailing-text muted" dir="auto">
          {text.short}
        </p>
      )}
    </Card>
  )
}

function audienceText(m: Mailing): string {
  if (m.audience === 'everybody') return t('mailings.audience.everybody')
  return t(
    m.audience === 'levels'
      ? 'mailings.inLevels'
      : m.audience === 'segments'
        ? 'mailings.inSegments'
        : 'mailings.inList',
    {
      n: (m.audience === 'levels' ? m.levels : m.audience === 'segments' ? m.segments : m.customers)?.length ?? 0,
    },
  )
}

const states = ['waiting', 'sent', 'dropped', 'dead'] as const

function Results({ results }: { results: Record<string, Record<string, number>> }): JSX.Element {
  const rows = Object.entries(results).map(([channel, counts]) => ({ channel, counts }))
  return (
    <Card title={t('mailings.results')}>
      <p class="muted">{t('mailings.resultsHelp')}</p>
      <Table
        label={t('mailings.results')}
        rowKey={(r) => r.channel}
        rows={rows}
        empty={<p class="muted">{t('mailings.noResults')}</p>}
        columns={[
          {
            name: 'channel',
            title: t('mailings.channel'),
            cell: (r) => <span class="primary-line">{channelName(r.channel)}</span>,
          },
          ...states.map((state) => ({
            name: state,
            title: tIf(`mailings.messages.${state}`, state),
            number: true,
            cell: (r: { counts: Record<string, number> }) => number(r.counts[state] ?? 0),
          })),
        ]}
      />
    </Card>
  )
}

// ConfirmSending says on its button how many the mailing goes to on each channel.
function ConfirmSending({
  of: m,
  later,
  onClose,
  onConfirm,
}: {
  of: Mailing
  later: boolean
  onClose: () => void
  onConfirm: () => Promise<unknown>
}): JSX.Element {
  const { channels, audience, levels = [], segments = [], customers = [] } = m
  const reached = usePreview('/api/{store}/admin/mailing/audience/preview', {
    mailing: { channels, audience, levels, segments, customers } as CreateMailingForm['mailing'],
  })
  const counts = reached === null || reached instanceof Failure ? null : (reached.channels as Record<string, number>)
  const to =
    counts &&
    new Intl.ListFormat(language.value, { type: 'conjunction' }).format(
      channels.map((channel) => t(`mailings.to.${channel}` as Key, { n: counts[channel] ?? 0 })),
    )
  const action = t(later ? 'mailings.schedule' : 'mailings.sendNow')
  return (
    <Confirm
      title={t('mailings.sendTitle', { name: m.name })}
      action={to ? t(later ? 'mailings.scheduleTo' : 'mailings.sendTo', { to }) : action}
      danger={false}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      {reached !== null && !(reached instanceof Failure) && !reached.complete && (
        <p>{t('mailings.reachAtLeast', { n: reached.customers, agreed: number(reached.agreed) })}</p>
      )}
      {t('mailings.sendHelp')}
    </Confirm>
  )
}

type Action = 'send' | 'pause' | 'resume' | 'stop'

function Actions({ of: m }: { of: Mailing }): JSX.Element {
  const [asking, setAsking] = useState<'send' | 'stop' | 'delete' | null>(null)
  const params = { mailing: m.mailingId }
  const act = (name: Action): Promise<unknown> =>
    write('POST', `/api/{store}/admin/mailing/{mailing}/${name}`, { params })
  const open = m.state === 'draft' || m.state === 'scheduled'
  const later = m.state === 'draft' && m.sendAt !== undefined && instant(m.sendAt) > Date.now()
  return (
    <>
      {open && (
        <ButtonLink icon="edit" to={`/mailings/${m.mailingId}/edit`}>
          {t('mailings.edit')}
        </ButtonLink>
      )}
      {m.state === 'draft' && (
        <Button icon="trash" onClick={() => setAsking('delete')}>
          {t('mailings.delete')}
        </Button>
      )}
      {open && (
        <Button kind="primary" icon="play" onClick={() => setAsking('send')}>
          {t(later ? 'mailings.schedule' : 'mailings.sendNow')}
        </Button>
      )}
      {m.state === 'running' && (
        <Button icon="pause" onClick={() => void act('pause').catch(toastFailure)}>
          {t('mailings.pause')}
        </Button>
      )}
      {m.state === 'paused' && (
        <Button icon="play" onClick={() => void act('resume').catch(toastFailure)}>
          {t('mailings.resume')}
        </Button>
      )}
      {['scheduled', 'running', 'paused'].includes(m.state) && (
        <Button icon="close" onClick={() => setAsking('stop')}>
          {t('mailings.stop')}
        </Button>
      )}
      {asking === 'send' && (
        <ConfirmSending of={m} later={later} onClose={() => setAsking(null)} onConfirm={() => act('send')} />
      )}
      {asking === 'stop' && (
        <Confirm
          title={t('mailings.stopTitle', { name: m.name })}
          action={t('mailings.stop')}
          onClose={() => setAsking(null)}
          onConfirm={() => act('stop')}
        >
          {t('mailings.stopHelp')}
        </Confirm>
      )}
      {asking === 'delete' && (
        <Confirm
          title={t('mailings.deleteTitle', { name: m.name })}
          action={t('mailings.delete')}
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            await write('DELETE', '/api/{store}/admin/mailing/{mailing}', { params })
            navigate('/mailings')
          }}
        >
          {t('mailings.deleteHelp')}
        </Confirm>
      )}
    </>
  )
}
