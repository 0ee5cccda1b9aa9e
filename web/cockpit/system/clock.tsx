import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { write } from '../../api/client'
import { may } from '../../api/session'
import type { StoreClockView, StoreMovedClock } from '../../api/types'
import { dateTime, number, t, tIf, type Key } from '../../i18n/i18n'
import { Button, ButtonLink, Card, Empty, ErrorState, Facts, Notice, Page, Skeleton } from '../../ui/basics'
import { Confirm } from '../../ui/dialog'
import { DateTimeField, Form, useForm } from '../../ui/form'
import { usePresentStore, useStoreClock } from '../present_store'

type Move = { forward: string } | { to: string }

const steps: { forward: string; text: Key }[] = [
  { forward: 'P1D', text: 'clock.day' },
  { forward: 'P1W', text: 'clock.week' },
  { forward: 'P30D', text: 'clock.month' },
]

const path = '/api/{store}/admin/clock'

// aheadText says how far a clock is ahead, in days and hours.
function aheadText(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const parts = (
    [
      [Math.floor(minutes / 1440), 'day'],
      [Math.floor(minutes / 60) % 24, 'hour'],
      [minutes % 60, 'minute'],
    ] as const
  )
    .filter(([n]) => n > 0)
    .map(([n, unit]) => number(n, { style: 'unit', unit, unitDisplay: 'long' }))
  return parts.join(' ') || t('clock.notAhead')
}

// Clock shows the clock of a sandbox store and moves it forward.
export default function Clock(): JSX.Element {
  const present = usePresentStore()
  const { data, error, reload } = useStoreClock()
  const [moved, setMoved] = useState<StoreMovedClock | null>(null)
  const mayMove = may('STORE', 'MODIFY')
  return (
    <Page title={t('nav.clock')} lead={t('clock.lead')}>
      {present && !present.sandbox ? (
        <Empty
          icon="clock"
          title={t('clock.real', { name: present.name })}
          action={<ButtonLink to="/stores">{t(mayMove ? 'clock.openSandbox' : 'clock.stores')}</ButtonLink>}
        >
          {t('clock.realHelp')}
        </Empty>
      ) : error && !data ? (
        <ErrorState error={error} retry={reload} />
      ) : !data ? (
        <Skeleton lines={6} />
      ) : (
        <div class="clock">
          <Card title={t('clock.now')}>
            <p class="clock-now">
              <time dateTime={data.now}>{dateTime(data.now)}</time>
            </p>
            <Facts
              items={[
                [t('clock.realNow'), dateTime(data.realNow)],
                [t('clock.ahead'), aheadText(data.aheadSeconds)],
              ]}
            />
          </Card>
          {mayMove && <MoveForward now={data} onMoved={setMoved} />}
          {moved && <Moved moved={moved} />}
        </div>
      )}
    </Page>
  )
}

// MoveForward moves the clock by a step or until a moment, after a question: a clock never moves back.
function MoveForward({
  now,
  onMoved,
}: {
  now: StoreClockView
  onMoved: (moved: StoreMovedClock) => void
}): JSX.Element {
  const [asked, setAsked] = useState<{ text: string; run: () => Promise<unknown> } | null>(null)
  const move = async (by: Move, key?: string): Promise<void> => {
    onMoved(await write('POST', path, { body: { clock: by }, key }))
  }
  const form = useForm({ to: '' }, async ({ to }, key) => {
    await move({ to }, key)
    form.replace({ to: '' })
  })
  const ask = (text: string, run: () => Promise<unknown>): void => setAsked({ text, run })
  const until = {
    ...form,
    submit: async () => ask(t('clock.until', { time: dateTime(`${form.values.to} +0000`) }), form.submit),
  }
  return (
    <Card title={t('clock.move')}>
      <p class="muted">{t('clock.moveHelp')}</p>
      <div class="row">
        {steps.map(({ forward, text }) => (
          <Button key={forward} onClick={() => ask(t('clock.by', { span: t(text) }), () => move({ forward }))}>
            {t(text)}
          </Button>
        ))}
      </div>
      <Form form={form.values.to ? until : form} save={t('clock.moveUntil')}>
        <DateTimeField form={form} path="to" label={t('clock.to')} help={t('clock.toHelp')} />
      </Form>
      {asked && (
        <Confirm
          title={t('clock.ask')}
          action={t('clock.moveDo')}
          danger={false}
          onConfirm={asked.run}
          onClose={() => setAsked(null)}
        >
          <p>
            {asked.text} {t('clock.askHelp', { now: dateTime(now.now) })}
          </p>
        </Confirm>
      )}
    </Card>
  )
}

// Moved lists the work that became due and was done.
function Moved({ moved: { done, complete } }: { moved: StoreMovedClock }): JSX.Element {
  const handled = done.filter((d) => d.handled > 0)
  return (
    <Card title={t('clock.done')}>
      {!complete && <Notice tone="warning">{t('clock.goesOn')}</Notice>}
      {handled.length > 0 ? (
        <Facts
          items={handled.map((d) => [
            tIf(`job.${d.job.replaceAll(' ', '_')}`, d.job),
            t('clock.handled', { n: d.handled }),
          ])}
        />
      ) : (
        <p role="status">{t('clock.nothing')}</p>
      )}
    </Card>
  )
}
