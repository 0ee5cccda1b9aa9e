// Messages that customers get by themselves on an occasion: a card for each recipe, with the journeys of the store.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { JourneyView } from '../../api/types'
import { Failure, usePreview, useQuery, write } from '../../api/client'
import { may } from '../../api/session'
import { number, t, tIf } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import { Badge, Button, ButtonLink, Card, ErrorState, Facts, Page, Skeleton } from '../../ui/basics'
import { Confirm, toastFailure } from '../../ui/dialog'
import { useCurrency } from '../currency'
import '../mailings/mailings.css'

export type Journey = JourneyView

export const recipes = ['welcome', 'birthday', 'points_ending', 'level_near', 'lapsed', 'purchase'] as const

export default function Journeys(): JSX.Element {
  const { data, error, reload } = useQuery('/api/{store}/admin/journey', { perPage: 100 })
  const change = may('REWARD_CAMPAIGN', 'MODIFY')
  return (
    <Page title={t('nav.journeys')} lead={t('journeys.lead')}>
      {error && !data ? (
        <ErrorState error={error} retry={reload} />
      ) : !data ? (
        <Skeleton lines={8} />
      ) : (
        <div class="columns wide-columns">
          {recipes.map((recipe) => {
            const own = data.journeys.filter((j) => j.recipe === recipe)
            return (
              <Card
                key={recipe}
                title={tIf(`journeys.recipe.${recipe}`, recipe)}
                actions={
                  change && (
                    <ButtonLink icon="plus" to={`/journeys/new/${recipe}`}>
                      {t('journeys.new')}
                    </ButtonLink>
                  )
                }
              >
                <p class="muted">{tIf(`journeys.about.${recipe}`, '')}</p>
                {own.length === 0 && <p>{t('journeys.none')}</p>}
                {own.map((j) => (
                  <One key={j.journeyId} of={j} change={change} reload={reload} />
                ))}
              </Card>
            )
          })}
        </div>
      )}
    </Page>
  )
}

function One({ of: j, change, reload }: { of: Journey; change: boolean; reload: () => void }): JSX.Element {
  const currency = useCurrency()
  const [asking, setAsking] = useState<'on' | 'delete' | null>(null)
  const params = { journey: j.journeyId }
  const act = async (name: 'activate' | 'deactivate'): Promise<void> => {
    await write('POST', `/api/{store}/admin/journey/{journey}/${name}`, { params })
    reload()
  }
  const skipped = Object.entries(j.skipped)
  const failed = Object.values(j.results).reduce((n, states) => n + (states['dead'] ?? 0), 0)
  return (
    <div class="mailing-look">
      <div class="row">
        <strong>{j.name}</strong>
        <Badge tone={j.active ? 'success' : 'neutral'}>{t(j.active ? 'journeys.on' : 'journeys.off')}</Badge>
      </div>
      <Facts
        items={[
          [t('journeys.entered'), number(j.entered)],
          [t('journeys.waiting'), j.waiting > 0 && number(j.waiting)],
          [t('journeys.sent'), number(j.sent)],
          [t('journeys.failed'), failed > 0 && number(failed)],
          [t('mailings.clicked'), j.link && number(j.clicked)],
          [t('journeys.gifts'), j.gift && number(j.gifts)],
          [t('journeys.coupons', { n: j.outcomeDays }), j.sent > 0 && number(j.outcome?.coupons ?? 0)],
          [
            t('journeys.sales', { n: j.outcomeDays }),
            j.sent > 0 && `${number(j.outcome?.sales ?? 0)} · ${money(j.outcome?.amount ?? 0, currency)}`,
          ],
          [
            t('journeys.skipped'),
            skipped.length > 0 &&
              skipped.map(([reason, n]) => `${tIf(`journeys.reason.${reason}`, reason)}: ${number(n)}`).join(', '),
          ],
        ]}
      />
      {change && (
        <div class="row">
          {j.active ? (
            <Button icon="pause" onClick={() => void act('deactivate').catch(toastFailure)}>
              {t('journeys.turnOff')}
            </Button>
          ) : (
            <Button kind="primary" icon="play" onClick={() => setAsking('on')}>
              {t('journeys.turnOn')}
            </Button>
          )}
          <ButtonLink icon="edit" to={`/journeys/${j.journeyId}/edit`}>
            {t('journeys.edit')}
          </ButtonLink>
          {!j.active && j.entered === 0 && (
            <Button icon="trash" onClick={() => setAsking('delete')}>
              {t('mailings.delete')}
            </Button>
          )}
        </div>
      )}
      {asking === 'on' && <TurnOn of={j} onClose={() => setAsking(null)} onConfirm={() => act('activate')} />}
      {asking === 'delete' && (
        <Confirm
          title={t('mailings.deleteTitle', { name: j.name })}
          action={t('mailings.delete')}
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            await write('DELETE', '/api/{store}/admin/journey/{journey}', { params })
            reload()
          }}
        >
          {t('mailings.deleteHelp')}
        </Confirm>
      )}
    </div>
  )
}

// TurnOn says for how many customers today is the occasion.
function TurnOn({
  of: j,
  onClose,
  onConfirm,
}: {
  of: Journey
  onClose: () => void
  onConfirm: () => Promise<unknown>
}): JSX.Element {
  const reached = usePreview('/api/{store}/admin/journey/audience/preview', { journey: formOf(j) } as never)
  return (
    <Confirm
      title={t('journeys.turnOnTitle', { name: j.name })}
      action={t('journeys.turnOn')}
      danger={false}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <span role="status">
        {reached && !(reached instanceof Failure) ? t('journeys.reach', { n: reached.messages }) : ''}
        {reached &&
          !(reached instanceof Failure) &&
          reached.undeliverable > 0 &&
          ` ${t('mailings.undeliverable', { n: number(reached.undeliverable) })}.`}
      </span>{' '}
      {t('journeys.turnOnHelp')}
    </Confirm>
  )
}

// formOf returns the form of a stored journey.
export function formOf(j: Journey): Record<string, unknown> {
  const {
    recipe,
    name,
    channels,
    delay,
    levels,
    segments,
    days,
    leastPoints,
    leastAmount,
    missing,
    gift,
    texts,
    link,
    outcomeDays,
  } = j
  const form = {
    recipe,
    name,
    channels,
    delay,
    levels,
    segments,
    days,
    leastPoints,
    leastAmount,
    missing,
    gift,
    texts,
    link,
    outcomeDays,
  }
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined))
}
