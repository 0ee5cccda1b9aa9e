import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useQuery } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Card } from '../../ui/basics'
import { Checkbox, Field, NumberField, SelectField, TextArea, TextField } from '../../ui/form'
import { Picker } from '../../ui/tabs'
import { useMoneyDigits } from '../currency'
import { LanguageTabs } from '../language_tabs'
import { takingOff, type SectionProps, type Texts } from './types'

// WhatSection edits the texts of each language and what is special to the type of the reward.
export function WhatSection({ form, languages }: SectionProps): JSX.Element {
  const [shown, setShown] = useState(languages[0]!.code)
  const { reward, translations } = form.values
  const digits = useMoneyDigits()
  const path = (name: keyof Texts) => `translations.${shown}.${name}` as const
  return (
    <Card title={t('editor.what')}>
      <LanguageTabs
        languages={languages}
        shown={shown}
        onChange={setShown}
        completeness={(code) => {
          const texts = translations[code] ?? {}
          return texts.name && texts.shortDescription ? 'full' : texts.name ? 'half' : 'none'
        }}
      />
      <TextField form={form} path={path('name')} label={t('editor.name')} maxLength={255} autoFocus key={shown} />
      <TextArea
        form={form}
        path={path('shortDescription')}
        label={t('editor.description')}
        rows={2}
        optional
        help={t('editor.descriptionHelp')}
      />
      <div class="columns">
        <TextArea form={form} path={path('usageInstruction')} label={t('editor.usage')} rows={2} optional />
        <TextArea form={form} path={path('conditionsDescription')} label={t('editor.conditions')} rows={2} optional />
      </div>
      {reward === 'percentage_discount_code' && (
        <NumberField
          form={form}
          path="transactionPercentageValue"
          label={t('editor.percentage')}
          help={t('editor.percentageHelp')}
          suffix="%"
          whole
        />
      )}
      {reward === 'cashback' && (
        <NumberField form={form} path="pointValue" label={t('editor.pointValue')} help={t('editor.pointValueHelp')} />
      )}
      {reward === 'gift_code' && (
        <Checkbox form={form} path="fulfillmentTracking" label={t('editor.delivery')} help={t('editor.deliveryHelp')} />
      )}
      {reward === 'custom_campaign_code' && <Connection form={form} />}
      {takingOff.includes(reward) && <AtCheckout form={form} digits={digits} />}
      <details class="more">
        <summary>{t('editor.more')}</summary>
        <div class="stack">
          <TextField
            form={form}
            path="pushNotificationText"
            label={t('editor.push')}
            help={t('editor.pushHelp')}
            optional
          />
          <Categories form={form} />
          <div class="columns">
            <TextField form={form} path={path('brandName')} label={t('editor.brand')} optional />
            <TextField
              form={form}
              path="moreInformationLink"
              label={t('editor.link')}
              type="url"
              placeholder="https://"
              optional
            />
          </div>
          <div class="columns">
            <NumberField
              form={form}
              path="rewardValue"
              label={t('editor.value')}
              help={t('editor.valueHelp')}
              digits={digits}
              optional
            />
            <NumberField
              form={form}
              path="minimumBasket"
              label={t('editor.minimumBasket')}
              help={t('editor.minimumBasketHelp')}
              digits={digits}
              optional
            />
            <NumberField form={form} path="tax" label={t('editor.tax')} suffix="%" whole optional />
          </div>
          <TextField
            form={form}
            path="labels"
            label={t('editor.labels')}
            help={t('editor.labelsHelp')}
            placeholder="season:spring;type:promotion"
            optional
          />
          <Checkbox form={form} path="featured" label={t('editor.featured')} help={t('editor.featuredHelp')} />
          <Checkbox form={form} path="public" label={t('editor.public')} help={t('editor.publicHelp')} />
        </div>
      </details>
    </Card>
  )
}

// AtCheckout edits how coupons lower the price of a basket.
function AtCheckout({ form, digits }: Pick<SectionProps, 'form'> & { digits?: number }): JSX.Element {
  const { reward, basket } = form.values
  const [open] = useState(basket.percentage !== '')
  return (
    <details class="more" open={open}>
      <summary>{t('editor.basket')}</summary>
      <div class="stack">
        <div class="columns">
          {reward === 'discount_code' && (
            <NumberField
              form={form}
              path="basket.percentage"
              label={t('editor.basketPercentage')}
              help={t('editor.basketPercentageHelp')}
              suffix="%"
              optional
            />
          )}
          <NumberField
            form={form}
            path="basket.cap"
            label={t('editor.basketCap')}
            help={t('editor.basketCapHelp')}
            digits={digits}
            optional
          />
          <NumberField
            form={form}
            path="basket.order"
            label={t('editor.basketOrder')}
            help={t('editor.basketOrderHelp')}
            whole
            optional
          />
        </div>
        <TextField
          form={form}
          path="basket.skuIds"
          label={t('editor.basketSKUs')}
          help={t(reward === 'gift_code' ? 'editor.basketGiftHelp' : 'editor.basketSKUsHelp')}
          placeholder="TEA-1, TEA-2"
          optional
        />
        <div class="columns">
          <TextField form={form} path="basket.categories" label={t('editor.basketCategories')} optional />
          <TextField form={form} path="basket.labels" label={t('editor.basketLabels')} placeholder="bio:yes" optional />
        </div>
        <Checkbox
          form={form}
          path="basket.exclusive"
          label={t('editor.basketExclusive')}
          help={t('editor.basketExclusiveHelp')}
        />
      </div>
    </details>
  )
}

function Connection({ form }: Pick<SectionProps, 'form'>): JSX.Element {
  const rules = useQuery('/api/{store}/earningRule', { perPage: 1000 })
  const type = form.values.connectType
  const fitting = (rules.data?.earningRules ?? []).filter((r) => r.type === type)
  return (
    <>
      <SelectField
        form={form}
        path="connectType"
        label={t('editor.connect')}
        options={[
          { value: 'none', text: t('editor.connectNone') },
          { value: 'qrcode', text: t('editor.connectQR') },
          { value: 'geolocation', text: t('editor.connectPlace') },
        ]}
      />
      {type !== 'none' && (
        <SelectField
          form={form}
          path="earningRuleId"
          label={t('editor.connectRule')}
          empty={t('form.choose')}
          options={fitting.map((r) => ({ value: r.earningRuleId, text: r.name }))}
          help={fitting.length === 0 ? t('editor.connectNoRule') : undefined}
        />
      )}
    </>
  )
}

function Categories({ form }: Pick<SectionProps, 'form'>): JSX.Element | null {
  const found = useQuery('/api/{store}/campaignCategory', { perPage: 1000 })
  const all = found.data?.categories ?? []
  if (all.length === 0) return null
  return (
    <Field form={form} path="categories" label={t('editor.categories')} optional>
      {(control) => (
        <Picker
          {...control}
          options={all.map((c) => ({ value: c.campaignCategoryId, text: c.name ?? c.campaignCategoryId }))}
          chosen={form.values.categories}
          onChange={(values) => form.set('categories', values)}
          placeholder={t('form.choose')}
        />
      )}
    </Field>
  )
}
