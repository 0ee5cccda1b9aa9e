// The editor of a journey: when, to whom, what it says, and the gift.
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { CreateJourneyForm } from '../../api/types'
import { useQuery, write } from '../../api/client'
import { language, t, tIf } from '../../i18n/i18n'
import { Card, ErrorState, Notice, Page, Skeleton } from '../../ui/basics'
import { toast } from '../../ui/dialog'
import { Choice, Field, Form, NumberField, SelectField, TextField, useForm } from '../../ui/form'
import { navigate, type RouteProps } from '../../ui/router'
import { Picker } from '../../ui/tabs'
import { useLanguages, type StoreLanguage } from '../languages'
import type { MailingText } from '../mailings/text'
import { Channels, Look, Texts } from '../mailings/words'
import { mailingPlaceholders, placeholdersText } from '../messages/names'
import type { Journey } from './list'

interface Values {
  recipe: string
  name: string
  channels: string[]
  delay: string
  levels: string[]
  segments: string[]
  days: string
  leastPoints: string
  leastAmount: string
  missing: string
  kind: 'none' | 'points' | 'reward'
  gift: { points: string; validDays: string; campaignId: string }
  texts: Record<string, MailingText>
  link: string
  outcomeDays: string
}

// numbers are the fields of each recipe.
const numbers: Record<string, ('days' | 'leastPoints' | 'leastAmount' | 'missing')[]> = {
  points_ending: ['days', 'leastPoints'],
  level_near: ['missing'],
  lapsed: ['days'],
  purchase: ['leastAmount'],
}

// feeds are the gifts that would lead to the occasion of their own recipe again.
const feeds: Record<string, Values['kind']> = { points_ending: 'points', level_near: 'points', purchase: 'reward' }

// placeholders are those that only texts of a recipe may have.
const placeholders: Record<string, string[]> = {
  points_ending: ['ending_points', 'end_date'],
  level_near: ['missing', 'next_level_name'],
  lapsed: ['days'],
}

function valuesOf(recipe: string, j: Journey | undefined): Values {
  const text = (value: number | undefined): string => (value === undefined ? '' : String(value))
  return {
    recipe,
    name: j?.name ?? tIf(`journeys.recipe.${recipe}`, recipe),
    channels: j?.channels ?? ['email', 'inbox'],
    delay: String(j?.delay ?? 0),
    levels: j?.levels ?? [],
    segments: j?.segments ?? [],
    days: text(j?.days),
    leastPoints: text(j?.leastPoints),
    leastAmount: text(j?.leastAmount),
    missing: text(j?.missing),
    kind: j?.gift?.campaignId ? 'reward' : j?.gift?.points ? 'points' : 'none',
    gift: { points: text(j?.gift?.points), validDays: text(j?.gift?.validDays), campaignId: j?.gift?.campaignId ?? '' },
    texts: (j?.texts ?? {}) as Record<string, MailingText>,
    link: j?.link ?? '',
    outcomeDays: String(j?.outcomeDays ?? 7),
  }
}

function bodyOf({ kind, gift, ...v }: Values): CreateJourneyForm {
  const own = numbers[v.recipe] ?? []
  const given =
    kind === 'points'
      ? { points: gift.points, validDays: gift.validDays }
      : kind === 'reward'
        ? { campaignId: gift.campaignId }
        : {}
  const journey = Object.fromEntries(
    Object.entries({ ...v, gift: given }).filter(
      ([name, value]) =>
        value !== '' &&
        (!['days', 'leastPoints', 'leastAmount', 'missing'].includes(name) || own.includes(name as 'days')),
    ),
  )
  return { journey } as unknown as CreateJourneyForm
}

export default function JourneyEditor({ params }: RouteProps): JSX.Element {
  const id = params['journey']
  const { data, error: failed, reload } = useQuery(id ? '/api/{store}/admin/journey/{journey}' : null, { journey: id })
  const levels = useQuery('/api/{store}/level', { perPage: 1000, _locale: language.value })
  const languages = useLanguages()
  const error = failed ?? levels.error
  const back = { to: '/journeys', text: t('nav.journeys') }
  const recipe = data?.recipe ?? params['recipe'] ?? ''
  const title = data?.name ?? tIf(`journeys.recipe.${recipe}`, t('journeys.new'))
  if (error && !(id ? data : levels.data)) {
    return (
      <Page title={title} back={back}>
        <ErrorState
          error={error}
          retry={() => {
            reload()
            levels.reload()
          }}
        />
      </Page>
    )
  }
  if ((id && !data) || !levels.data || languages.length === 0)
    return (
      <Page title={title} back={back}>
        <Skeleton lines={8} />
      </Page>
    )
  return (
    <Page title={title} back={back} lead={tIf(`journeys.about.${recipe}`, '')}>
      <Loaded id={id} recipe={recipe} journey={data ?? undefined} languages={languages} />
    </Page>
  )
}

function Loaded({
  id,
  recipe,
  journey,
  languages,
}: {
  id: string | undefined
  recipe: string
  journey: Journey | undefined
  languages: StoreLanguage[]
}): JSX.Element {
  const initial = useMemo(() => valuesOf(recipe, journey), [])
  const [shown, setShown] = useState(languages[0]!.code)
  const levels = useQuery('/api/{store}/level', { perPage: 1000, _locale: language.value })
  const segments = useQuery('/api/{store}/segment', { perPage: 1000 })
  const rewards = useQuery('/api/{store}/campaign', { perPage: 1000, withoutCoupons: 1, active: 1 })
  const form = useForm<Values>(initial, async (values, key) => {
    if (id)
      await write('PUT', '/api/{store}/admin/journey/{journey}', { params: { journey: id }, body: bodyOf(values), key })
    else await write('POST', '/api/{store}/admin/journey', { body: bodyOf(values), key })
    toast(t('campaigns.saved', { name: values.name }))
    navigate('/journeys')
  })
  const v = form.values
  return (
    <div class="columns wide-columns">
      <Form form={form} sticky save={t('mailings.save')} cancel={() => navigate('/journeys')}>
        <Card title={t('journeys.when')}>
          <TextField form={form} path="name" label={t('mailings.name')} help={t('mailings.nameHelp')} maxLength={255} />
          {(numbers[recipe] ?? []).map((name) => (
            <NumberField
              key={name}
              form={form}
              path={name}
              label={tIf(`journeys.${recipe}.${name}`, name)}
              whole={name === 'days'}
            />
          ))}
          <NumberField
            form={form}
            path="delay"
            label={t('journeys.delay')}
            suffix={t(recipe === 'purchase' ? 'journeys.hours' : 'settings.days')}
            help={t('journeys.delayHelp')}
            whole
          />
        </Card>
        <Card title={t('journeys.who')}>
          <Field
            form={form}
            path="levels"
            label={t('mailings.audience.levels')}
            help={t('journeys.whoHelp')}
            deep
            optional
          >
            {(control) => (
              <Picker
                {...control}
                options={(levels.data?.levels ?? []).map((l) => ({ value: l.levelId, text: l.name ?? l.levelId }))}
                chosen={v.levels}
                onChange={(values) => form.set('levels', values)}
                placeholder={t('form.choose')}
              />
            )}
          </Field>
          <Field form={form} path="segments" label={t('mailings.audience.segments')} deep optional>
            {(control) => (
              <Picker
                {...control}
                options={(segments.data?.segments ?? []).map((s) => ({ value: s.segmentId, text: s.name }))}
                chosen={v.segments}
                onChange={(values) => form.set('segments', values)}
                placeholder={t('form.choose')}
              />
            )}
          </Field>
          <Channels form={form} />
          <p class="muted">{t('mailings.consent')}</p>
        </Card>
        <Card title={t('journeys.gift')}>
          <Choice
            form={form}
            path="kind"
            label={t('journeys.giftLabel')}
            options={(['none', 'points', 'reward'] as const).map((value) => ({
              value,
              text: t(`journeys.gift.${value}`),
            }))}
          />
          {v.kind === 'points' && <NumberField form={form} path="gift.points" label={t('journeys.giftPoints')} />}
          {v.kind === 'points' && (
            <NumberField
              form={form}
              path="gift.validDays"
              label={t('journeys.giftDays')}
              suffix={t('settings.days')}
              help={t('journeys.giftDaysHelp')}
              whole
              optional
            />
          )}
          {feeds[recipe] === v.kind && <Notice tone="warning">{tIf(`journeys.loop.${recipe}`, '')}</Notice>}
          {v.kind === 'reward' && (
            <SelectField
              form={form}
              path="gift.campaignId"
              label={t('journeys.giftReward')}
              empty={t('form.choose')}
              options={(rewards.data?.campaigns ?? []).map((c) => ({
                value: c.campaignId,
                text: c.name ?? c.campaignId,
              }))}
            />
          )}
        </Card>
        <Texts
          form={form}
          languages={languages}
          shown={shown}
          onShow={setShown}
          help={placeholdersText([
            ...(placeholders[recipe] ?? []),
            'gift_points',
            'coupon_code',
            ...mailingPlaceholders,
          ])}
        />
        <Card title={t('mailings.results')}>
          <NumberField
            form={form}
            path="outcomeDays"
            label={t('mailings.outcomeDays')}
            suffix={t('settings.days')}
            help={t('mailings.outcomeDaysHelp')}
            whole
          />
        </Card>
      </Form>
      <Look
        of="journey"
        body={v.name !== '' && v.channels.length > 0 && v.texts[shown] ? bodyOf(v) : null}
        language={shown}
        mail={v.channels.includes('email')}
      />
    </div>
  )
}
