// Second factors of others: who needs one, and the help for those who have lost theirs.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AuthRuleView } from '../api/types'
import type { Query } from '../api/client'
import { t } from '../i18n/i18n'
import { Button, ErrorState, Skeleton } from '../ui/basics'
import { Confirm, Dialog, toast } from '../ui/dialog'
import { Checkbox, Form, NumberField, useForm } from '../ui/form'

type Save = (rule: { required: boolean; graceDays: string }) => Promise<unknown>

// FactorRule shows whether a second factor is required of some people, and lets it be changed.
export function FactorRule({
  rule,
  text,
  save,
  mayEdit,
}: {
  rule: Query<AuthRuleView>
  text: string
  save: Save
  mayEdit: boolean
}): JSX.Element {
  const [changing, setChanging] = useState(false)
  const now = rule.data
  if (!now) return rule.error ? <ErrorState error={rule.error} retry={rule.reload} /> : <Skeleton lines={2} />
  return (
    <>
      <p class="muted">{text}</p>
      <p>
        {!now.required
          ? t('factorRule.off')
          : now.graceDays > 0
            ? t('factorRule.onAfter', { n: now.graceDays })
            : t('factorRule.on')}
      </p>
      {mayEdit && (
        <div>
          <Button onClick={() => setChanging(true)}>{t('factorRule.change')}</Button>
        </div>
      )}
      {changing && <ChangeRule now={now} text={text} save={save} onClose={() => setChanging(false)} />}
    </>
  )
}

const usualGrace = 14 // days that are proposed

function ChangeRule({
  now,
  text,
  save,
  onClose,
}: {
  now: AuthRuleView
  text: string
  save: Save
  onClose: () => void
}): JSX.Element {
  const initial = { required: now.required, graceDays: String(now.required ? now.graceDays : usualGrace) }
  const form = useForm(initial, async (values) => {
    await save({ required: values.required, graceDays: values.required ? values.graceDays : '0' })
    toast(t('factorRule.saved'))
    onClose()
  })
  return (
    <Dialog title={t('factors.title')} onClose={onClose}>
      <Form form={form} cancel={onClose}>
        <p class="muted">{text}</p>
        <Checkbox form={form} path="required" label={t('factorRule.required')} help={t('factorRule.requiredHelp')} />
        {form.values.required && (
          <NumberField
            form={form}
            path="graceDays"
            label={t('factorRule.grace')}
            help={t('factorRule.graceHelp')}
            suffix={t('settings.days')}
            whole
          />
        )}
      </Form>
    </Dialog>
  )
}

// ResetFactors asks before it removes the second factors of somebody who has lost them.
export function ResetFactors({
  name,
  reset,
  onClose,
}: {
  name: string
  reset: () => Promise<unknown>
  onClose: () => void
}): JSX.Element {
  return (
    <Confirm
      title={t('factorReset.title', { name })}
      action={t('factorReset.do')}
      onClose={onClose}
      onConfirm={async () => {
        await reset()
        toast(t('factorReset.done', { name }))
      }}
    >
      <p>{t('offboard.ends')}</p>
      <ul class="bullets">
        <li>{t('factorReset.factors')}</li>
        <li>{t('factorReset.sessions')}</li>
      </ul>
      <p>{t('factorReset.then', { name })}</p>
    </Confirm>
  )
}
