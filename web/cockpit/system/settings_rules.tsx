// The sections of the settings that change what happens: points, levels, customers' rights, payments and messages.
import type { JSX } from 'preact'
import { t } from '../../i18n/i18n'
import { Badge, Button, ButtonLink, Copy, Notice } from '../../ui/basics'
import { Checkbox, Choice, Field, NumberField, SelectField, TextField, type FormState } from '../../ui/form'
import { Link } from '../../ui/router'
import { useSending } from '../customers/waiting'
import { newSecret, type SectionProps, type Values } from './settings_values'

export function PointsSection({ form, settings }: SectionProps): JSX.Element {
  const { pointsDaysExpiryAfter, allTimeNotLocked } = form.values
  return (
    <>
      <div class="columns">
        <SelectField
          form={form}
          path="pointsDaysExpiryAfter"
          label={t('settings.expiry')}
          options={[
            { value: 'all_time_active', text: t('settings.expiry.never') },
            { value: 'after_x_days', text: t('settings.expiry.days') },
            { value: 'at_the_end_of_the_month', text: t('settings.expiry.month') },
            { value: 'at_the_end_of_the_year', text: t('settings.expiry.year') },
          ]}
          help={t('settings.expiryHelp')}
        />
        {pointsDaysExpiryAfter === 'after_x_days' && (
          <NumberField
            form={form}
            path="pointsDaysActiveCount"
            label={t('settings.expiryDays')}
            suffix={t('settings.days')}
            whole
          />
        )}
      </div>
      <Checkbox
        form={form}
        path="allTimeNotLocked"
        label={t('settings.notLocked')}
        help={t('settings.notLockedHelp')}
      />
      {!allTimeNotLocked && (
        <div class="columns">
          <NumberField
            form={form}
            path="pointsDaysLocked"
            label={t('settings.lockedDays')}
            suffix={t('settings.days')}
            whole
          />
        </div>
      )}
      <SelectField
        form={form}
        path="pointsRounding"
        label={t('settings.pointsRounding')}
        help={t('settings.pointsRoundingHelp')}
        options={(['hundredths', 'half_up', 'floor'] as const).map((value) => ({
          value,
          text: t(`settings.pointsRounding.${value}`),
        }))}
      />
      <div class="columns">
        <Lines
          form={form}
          path="excludedDeliverySKUs"
          label={t('settings.deliverySKUs')}
          help={t('settings.deliverySKUsHelp')}
        />
        <NumberField
          form={form}
          path="pointCost"
          label={t('settings.pointCost')}
          help={t('settings.pointCostHelp')}
          suffix={settings.currency}
          digits={6}
          optional
        />
      </div>
      <Checkbox form={form} path="returns" label={t('settings.returns')} help={t('settings.returnsHelp')} />
    </>
  )
}

export function LevelsSection({ form }: SectionProps): JSX.Element {
  const { tierAssignType, levelDowngradeMode, levelDowngradeBase } = form.values
  return (
    <>
      <Choice
        form={form}
        path="tierAssignType"
        label={t('settings.levelsBy')}
        options={[
          { value: 'transactions', text: t('settings.levelsBy.sales'), help: t('settings.levelsBy.salesHelp') },
          { value: 'points', text: t('settings.levelsBy.points'), help: t('settings.levelsBy.pointsHelp') },
        ]}
      />
      {tierAssignType === 'transactions' && (
        <Checkbox
          form={form}
          path="excludeDeliveryCostsFromTierAssignment"
          label={t('settings.noDelivery')}
          help={t('settings.noDeliveryHelp')}
        />
      )}
      {tierAssignType === 'points' && (
        <>
          <div class="columns">
            <SelectField
              form={form}
              path="levelDowngradeMode"
              label={t('settings.fall')}
              options={[
                { value: 'none', text: t('settings.fall.none') },
                { value: 'automatic', text: t('settings.fall.automatic') },
                { value: 'after_x_days', text: t('settings.fall.days') },
              ]}
            />
            {levelDowngradeMode === 'after_x_days' && (
              <NumberField
                form={form}
                path="levelDowngradeDays"
                label={t('settings.fallDays')}
                suffix={t('settings.days')}
                whole
              />
            )}
          </div>
          {levelDowngradeMode === 'after_x_days' && (
            <SelectField
              form={form}
              path="levelDowngradeBase"
              label={t('settings.fallBase')}
              options={[
                { value: 'active_points', text: t('settings.fallBase.active') },
                { value: 'earned_points', text: t('settings.fallBase.earned') },
                { value: 'earned_points_since_last_level_change', text: t('settings.fallBase.since') },
              ]}
            />
          )}
          {levelDowngradeMode === 'after_x_days' && ['active_points', 'none'].includes(levelDowngradeBase) && (
            <Checkbox
              form={form}
              path="levelResetPointsOnDowngrade"
              label={t('settings.resetPoints')}
              help={t('settings.resetPointsHelp')}
            />
          )}
        </>
      )}
      <details class="more">
        <summary>{t('settings.notCounted')}</summary>
        <div class="stack">
          <div class="columns">
            <Lines form={form} path="excludedLevelSKUs" label={t('settings.excludedSKUs')} />
            <Lines form={form} path="excludedLevelCategories" label={t('settings.excludedCategories')} />
          </div>
        </div>
      </details>
    </>
  )
}

// Lines edits a list, one entry on each line.
export function Lines({
  form,
  path,
  label,
  help = t('settings.onePerLine'),
}: {
  form: FormState<Values>
  path: string
  label: string
  help?: string
}): JSX.Element {
  return (
    <Field form={form} path={path} label={label} help={help} deep>
      {(control) => (
        <textarea
          {...control}
          class="input"
          rows={3}
          value={String(form.values[path] ?? '')}
          spellcheck={false}
          onInput={(event) => form.set(path, event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

export function CustomersSection({ form }: SectionProps): JSX.Element {
  const fields = [
    { value: 'email', text: t('settings.field.email') },
    { value: 'loyaltyCardNumber', text: t('settings.field.card') },
    { value: 'phone', text: t('settings.field.phone') },
  ]
  const labels = [t('settings.find1'), t('settings.find2'), t('settings.find3')]
  const { accountActivationRequired, preferredCommunicationMethod } = form.values
  const sending = useSending(String(preferredCommunicationMethod))
  return (
    <>
      <Choice
        form={form}
        path="preferredCommunicationMethod"
        label={t('settings.contact')}
        help={t('settings.contactHelp')}
        options={[
          { value: 'email', text: t('settings.field.email') },
          { value: 'sms', text: t('settings.field.phone') },
        ]}
      />
      <Checkbox
        form={form}
        path="accountActivationRequired"
        label={t('settings.activation')}
        help={t('settings.activationHelp')}
      />
      {accountActivationRequired && !sending && (
        <Notice tone="warning" title={t('settings.activationUnsent')}>
          {t('settings.activationUnsentHelp')}
          <div class="row">
            <ButtonLink small to="/messages" query={{ tab: 'delivery' }}>
              {t('nav.messages')}
            </ButtonLink>
          </div>
        </Notice>
      )}
      <Checkbox
        form={form}
        path="confirmContactChange"
        label={t('settings.confirmContacts')}
        help={t('settings.confirmContactsHelp')}
      />
      <Checkbox form={form} path="revealAccounts" label={t('settings.reveal')} help={t('settings.revealHelp')} />
      <Checkbox
        form={form}
        path="issueLoyaltyCardNumbers"
        label={t('settings.issueCards')}
        help={t('settings.issueCardsHelp')}
      />
      <Checkbox form={form} path="allowCustomersProfileEdits" label={t('settings.mayEdit')} />
      <Checkbox form={form} path="customersMaySetLabels" label={t('settings.maySetLabels')} />
      <Checkbox
        form={form}
        path="customersMayClaimReceipts"
        label={t('settings.mayClaim')}
        help={t('settings.mayClaimHelp')}
      />
      <Checkbox
        form={form}
        path="customerMayUnmarkCoupons"
        label={t('settings.mayUnmark')}
        help={t('settings.mayUnmarkHelp')}
      />
      <NumberField
        form={form}
        path="purchaseCancelDays"
        label={t('settings.cancelDays')}
        suffix={t('settings.days')}
        help={t('settings.cancelDaysHelp')}
        whole
      />
      <Checkbox
        form={form}
        path="couponsEndWithDay"
        label={t('settings.endWithDay')}
        help={t('settings.endWithDayHelp')}
      />
      <Checkbox
        form={form}
        path="cancelledCodesSoldAgain"
        label={t('settings.sellAgain')}
        help={t('settings.sellAgainHelp')}
      />
      <Checkbox
        form={form}
        path="segmentPartsAreAlternatives"
        label={t('settings.alternatives')}
        help={t('settings.alternativesHelp')}
      />
      <h3>{t('settings.find')}</h3>
      <div class="columns">
        {labels.map((label, i) => (
          <SelectField
            key={label}
            form={form}
            path={`customersIdentificationPriority.${i}.field`}
            label={label}
            options={fields}
            empty={t('settings.notUsed')}
          />
        ))}
      </div>
    </>
  )
}

export function PaymentsSection({ form, settings, mayEdit }: SectionProps): JSX.Element {
  return (
    <>
      <div class="columns">
        <NumberField
          form={form}
          path="minPointsRedeemed"
          label={t('settings.minRedeemed')}
          suffix={t('settings.pointsUnit')}
        />
        <NumberField
          form={form}
          path="maxPointsRedeemed"
          label={t('settings.maxRedeemed')}
          help={t('settings.maxRedeemedHelp')}
          suffix={t('settings.pointsUnit')}
          optional
        />
        <SelectField
          form={form}
          path="cashbackRounding"
          label={t('settings.rounding')}
          options={[
            { value: 'half_up', text: t('settings.rounding.half') },
            { value: 'down', text: t('settings.rounding.down') },
          ]}
        />
      </div>
      <TextField
        form={form}
        path="cashbackProviderUrl"
        label={t('settings.provider')}
        help={t('settings.providerHelp')}
        type="url"
        placeholder="https://"
        optional
      />
      {form.values.cashbackProviderUrl && (
        <Secret
          form={form}
          path="cashbackProviderSecret"
          label={t('settings.providerSecret')}
          help={t('settings.providerSecretHelp')}
          isSet={settings.cashbackProviderUrl !== ''}
          mayEdit={mayEdit}
        />
      )}
      <Secret
        form={form}
        path="cashbackCallbackSecret"
        label={t('settings.callbackSecret')}
        help={t('settings.callbackSecretHelp')}
        isSet={settings.cashbackCallbackSigned === true}
        mayEdit={mayEdit}
        removable
      />
    </>
  )
}

// Secret sets a secret that is never shown again: made here, or pasted.
function Secret({
  form,
  path,
  label,
  help,
  isSet,
  mayEdit,
  removable,
}: {
  form: FormState<Values>
  path: 'cashbackProviderSecret' | 'cashbackCallbackSecret'
  label: string
  help: string
  isSet: boolean
  mayEdit: boolean
  removable?: boolean
}): JSX.Element {
  const value = form.values[path]
  return (
    <Field form={form} path={path} label={label} help={help}>
      {(control) => (
        <div class="stack-small">
          <div class="row">
            <input
              {...control}
              class="input secret"
              type="text"
              value={value ?? ''}
              spellcheck={false}
              autoComplete="off"
              maxLength={255}
              placeholder={isSet ? t('settings.secretKept') : 'whsec_…'}
              onInput={(event) => form.set(path, event.currentTarget.value || null)}
            />
            {mayEdit && (
              <Button onClick={() => form.set(path, newSecret())}>
                {t('settings.generateSecret')}
                <span class="hidden"> {label}</span>
              </Button>
            )}
            {mayEdit && removable && isSet && value !== '' && (
              <Button kind="plain" onClick={() => form.set(path, '')}>
                {t('action.remove')}
                <span class="hidden"> {label}</span>
              </Button>
            )}
          </div>
          <div class="row">
            {value ? (
              <>
                <Copy text={value} short />
                <span class="muted">{t('settings.secretCopy')}</span>
              </>
            ) : value === '' ? (
              <Badge tone="warning">{t('settings.secretRemoved')}</Badge>
            ) : isSet ? (
              <Badge tone="success">{t('settings.secretSet')}</Badge>
            ) : (
              <Badge>{t('settings.secretUnset')}</Badge>
            )}
          </div>
        </div>
      )}
    </Field>
  )
}

export function MessagesSection({ form }: SectionProps): JSX.Element {
  return (
    <>
      <p class="muted">{t('settings.noticesHelp')}</p>
      <div class="columns">
        <NumberField
          form={form}
          path="expirePointsNotificationDays"
          label={t('settings.noticePoints')}
          suffix={t('settings.days')}
          whole
        />
        <NumberField
          form={form}
          path="expireCouponsNotificationDays"
          label={t('settings.noticeCoupons')}
          suffix={t('settings.days')}
          whole
        />
        <NumberField
          form={form}
          path="expireLevelsNotificationDays"
          label={t('settings.noticeLevels')}
          suffix={t('settings.days')}
          whole
        />
      </div>
      <p class="muted">
        {t('settings.occasionsHelp')} <Link to="/messages">{t('nav.messages')}</Link>
      </p>
      <div class="columns">
        <NumberField
          form={form}
          path="birthdayMessageDays"
          label={t('settings.birthday')}
          suffix={t('settings.days')}
          help={t('settings.birthdayHelp')}
          whole
        />
        <NumberField
          form={form}
          path="winBackDays"
          label={t('settings.winBack')}
          suffix={t('settings.days')}
          help={t('settings.winBackHelp')}
          whole
        />
        <TimeField
          form={form}
          path="occasionMessagesAt"
          label={t('settings.occasionsAt')}
          help={t('settings.occasionsAtHelp')}
        />
      </div>
      <div class="columns">
        <TimeField
          form={form}
          path="messagesQuietFrom"
          label={t('settings.quietFrom')}
          help={t('settings.quietHelp')}
        />
        <TimeField form={form} path="messagesQuietUntil" label={t('settings.quietUntil')} />
      </div>
      <div class="columns">
        <NumberField
          form={form}
          path="marketingMessagesMost"
          label={t('settings.cap')}
          help={t('settings.capHelp')}
          whole
        />
        <NumberField
          form={form}
          path="marketingMessagesDays"
          label={t('settings.capDays')}
          suffix={t('settings.days')}
          whole
        />
      </div>
    </>
  )
}

// TimeField edits a time of the day, which may be empty.
function TimeField({
  form,
  path,
  label,
  help,
}: {
  form: SectionProps['form']
  path: string
  label: string
  help?: string
}): JSX.Element {
  return (
    <Field form={form} path={path} label={label} help={help} optional>
      {(control) => (
        <input
          {...control}
          class="input"
          type="time"
          value={String(form.values[path] ?? '')}
          onInput={(event) => form.set(path, event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
