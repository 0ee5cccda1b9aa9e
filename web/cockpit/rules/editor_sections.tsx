import type { JSX } from 'preact'
import type { LevelView } from '../../api/types'
import { useQuery } from '../../api/client'
import { may } from '../../api/session'
import { t, tIf } from '../../i18n/i18n'
import { Card, Notice } from '../../ui/basics'
import {
  Checkbox,
  Choice,
  DateTimeField,
  Field,
  NumberField,
  SelectField,
  TextArea,
  TextField,
  type FormState,
} from '../../ui/form'
import { Picker } from '../../ui/tabs'
import { ApiFieldControl, type ApiField } from '../fields'
import { events, ownFields, type Values } from './types'

interface SectionProps {
  form: FormState<Values>
  fields: ApiField[]
}

// WhatSection edits the name, and what is special to the type.
export function WhatSection({ form, fields }: SectionProps): JSX.Element {
  const v = form.values
  const choices = events[v.type]
  const inclusion = v['labelsInclusionType']
  const hidden = (name: string): boolean =>
    (name === 'includedLabels' && inclusion !== 'include_labels') ||
    (name === 'excludedLabels' && inclusion !== 'exclude_labels') ||
    ((name === 'skuIds' || name === 'labels') && v['allProducts'] === true)
  return (
    <Card title={t('editor.what')}>
      {v.type === 'referral' && <Notice>{t('rules.referralNotice')}</Notice>}
      <TextField
        form={form}
        path="name"
        label={t('editor.name')}
        maxLength={255}
        autoFocus
        help={t('rules.nameHelp')}
      />
      <TextArea
        form={form}
        path="description"
        label={t('levels.description')}
        rows={2}
        optional
        help={t('levels.descriptionHelp')}
      />
      {ownFields(fields)
        .filter((f) => !hidden(f.name))
        .map((f) => {
          if (f.name === 'eventName' && choices) {
            return (
              <SelectField
                key={f.name}
                form={form}
                path={f.name}
                label={t('field.eventName')}
                options={choices.map((value) => ({ value, text: tIf(`choice.${value}`, value) }))}
              />
            )
          }
          if (f.name === 'rewardCampaignId') return <RewardField key={f.name} form={form} />
          return <ApiFieldControl key={f.name} form={form} field={f} path={f.name} />
        })}
      <Checkbox form={form} path="active" label={t('rules.active')} />
    </Card>
  )
}

function RewardField({ form }: { form: FormState<Values> }): JSX.Element {
  const found = useQuery('/api/{store}/campaign', { perPage: 1000, withoutCoupons: 1, active: 1 })
  const fitting = (found.data?.campaigns ?? []).filter(
    (c) => c.reward !== 'cashback' && c.reward !== 'custom_campaign_code',
  )
  return (
    <SelectField
      form={form}
      path="rewardCampaignId"
      label={t('field.rewardCampaignId')}
      empty={t('form.choose')}
      options={fitting.map((c) => ({ value: c.campaignId, text: c.name ?? c.campaignId }))}
      help={t('rules.rewardHelp')}
    />
  )
}

// LimitSection edits how often a rule pays one customer.
export function LimitSection({ form, fields }: SectionProps): JSX.Element {
  const periods = fields.find((f) => f.name === 'limit')?.fields?.find((f) => f.name === 'period')?.choices ?? []
  return (
    <Card title={t('editor.howOften')}>
      <Checkbox form={form} path="limit.active" label={t('rules.limited')} help={t('rules.limitedHelp')} />
      {form.values.limit.active && (
        <div class="columns">
          <NumberField form={form} path="limit.limit" label={t('rules.times')} whole />
          <SelectField
            form={form}
            path="limit.period"
            label={t('rules.period')}
            options={periods
              .filter((p) => !p.includes(' '))
              .map((value) => ({ value, text: tIf(`period.${value}`, value) }))}
          />
        </div>
      )}
    </Card>
  )
}

// WhoSection chooses the audience. A rule for registrations has none: new customers may have no level yet.
export function WhoSection({ form, levels }: { form: FormState<Values>; levels: LevelView[] }): JSX.Element {
  const segments = useQuery(may('SEGMENT') ? '/api/{store}/segment' : null, { perPage: 1000 })
  const shops = useQuery(may('POS') ? '/api/{store}/pos' : null, { perPage: 1000 })
  const v = form.values
  if (v.type === 'event' && v['eventName'] === 'oloy.account.created')
    return (
      <Card title={t('editor.who')}>
        <p class="muted">{t('rules.forNew')}</p>
      </Card>
    )
  const picker = (
    path: 'levels' | 'segments' | 'pos',
    label: string,
    options: { value: string; text: string }[],
    optional = false,
  ): JSX.Element => (
    <Field
      form={form}
      path={path}
      label={label}
      deep
      optional={optional}
      help={path === 'pos' ? t('rules.shopsHelp') : undefined}
    >
      {(control) => (
        <Picker
          {...control}
          options={options}
          chosen={v[path]}
          onChange={(values) => form.set(path, values)}
          placeholder={t('form.choose')}
        />
      )}
    </Field>
  )
  return (
    <Card title={t('editor.who')}>
      <Choice
        form={form}
        path="audience"
        label={t('editor.audience')}
        options={[
          { value: 'all', text: t('editor.everybody'), help: t('editor.everybodyHelp') },
          { value: 'level', text: t('editor.byLevel') },
          { value: 'segment', text: t('editor.bySegment') },
        ]}
      />
      {v.audience === 'level' &&
        picker(
          'levels',
          t('editor.levels'),
          levels.map((l) => ({ value: l.levelId, text: l.name ?? l.levelId })),
        )}
      {v.audience === 'segment' &&
        picker(
          'segments',
          t('editor.segments'),
          (segments.data?.segments ?? []).map((s) => ({ value: s.segmentId, text: s.name })),
        )}
      {shops.data &&
        picker(
          'pos',
          t('field.posIds'),
          shops.data.pos.map((s) => ({ value: s.posId, text: s.name })),
          true,
        )}
    </Card>
  )
}

// WhenSection edits the window, in the store's zone.
export function WhenSection({ form, isPurchase }: { form: FormState<Values>; isPurchase: boolean }): JSX.Element {
  return (
    <Card title={t('editor.when')}>
      <Checkbox form={form} path="allTimeActive" label={t('rules.always')} />
      {!form.values.allTimeActive && (
        <div class="columns">
          <DateTimeField form={form} path="startAt" label={t('editor.from')} help={t('editor.zone')} />
          <DateTimeField form={form} path="endAt" label={t('editor.to')} />
        </div>
      )}
      {isPurchase && (
        <Checkbox form={form} path="lastExecutedRule" label={t('rules.last')} help={t('rules.lastHelp')} />
      )}
    </Card>
  )
}
