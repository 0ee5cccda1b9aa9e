import type { JSX } from 'preact'
import { t } from '../../i18n/i18n'
import { Card } from '../../ui/basics'
import { Checkbox, DateTimeField, NumberField, SelectField } from '../../ui/form'
import { fieldsOf, limitPeriods, type SectionProps } from './types'

// WhenSection edits the windows in which customers can buy and see the campaign, in the store's zone.
export function WhenSection({ form }: SectionProps): JSX.Element {
  return (
    <Card title={t('editor.when')}>
      <WindowFields form={form} name="activity" label={t('editor.alwaysActive')} />
      {fieldsOf[form.values.reward].visibility && (
        <WindowFields form={form} name="visibility" label={t('editor.alwaysVisible')} />
      )}
    </Card>
  )
}

function WindowFields({
  form,
  name,
  label,
}: Pick<SectionProps, 'form'> & { name: 'activity' | 'visibility'; label: string }): JSX.Element {
  return (
    <div class="stack">
      <Checkbox form={form} path={`${name}.always`} label={label} />
      {!form.values[name].always && (
        <div class="columns">
          <DateTimeField form={form} path={`${name}.from`} label={t('editor.from')} help={t('editor.zone')} />
          <DateTimeField form={form} path={`${name}.to`} label={t('editor.to')} />
        </div>
      )}
    </div>
  )
}

// LimitsSection edits price, limits and how long a bought reward is valid.
export function LimitsSection({ form }: SectionProps): JSX.Element {
  const { unlimited, reward } = form.values
  const fields = fieldsOf[reward]
  return (
    <Card title={t('editor.howOften')}>
      {fields.price && (
        <NumberField
          form={form}
          path="costInPoints"
          label={t('editor.price')}
          help={t('editor.priceHelp')}
          suffix={t('editor.points')}
        />
      )}
      {fields.limits && (
        <>
          <Checkbox form={form} path="unlimited" label={t('editor.unlimited')} help={t('editor.unlimitedHelp')} />
          {!unlimited && (
            <div class="columns">
              <NumberField form={form} path="limit" label={t('editor.limit')} whole />
              <SelectField
                form={form}
                path="limitPeriod"
                label={t('editor.totalPeriod')}
                help={t('editor.limitPeriodHelp')}
                empty={t('editor.limitPeriodNone')}
                options={limitPeriods.map((value) => ({ value, text: t(`limitPeriod.${value}`) }))}
              />
              <NumberField form={form} path="limitPerUser" label={t('editor.limitPerUser')} whole />
              <SelectField
                form={form}
                path="limitPerUserPeriod"
                label={t('editor.limitPeriod')}
                help={t('editor.limitPeriodHelp')}
                empty={t('editor.limitPeriodNone')}
                options={limitPeriods.map((value) => ({ value, text: t(`limitPeriod.${value}`) }))}
              />
            </div>
          )}
        </>
      )}
      {fields.validity && (
        <div class="columns">
          <NumberField
            form={form}
            path="daysValid"
            label={t('editor.daysValid')}
            help={t('editor.daysValidHelp')}
            suffix={t('editor.days')}
            whole
          />
          <NumberField
            form={form}
            path="daysInactive"
            label={t('editor.daysInactive')}
            help={t('editor.daysInactiveHelp')}
            suffix={t('editor.days')}
            whole
          />
        </div>
      )}
    </Card>
  )
}
