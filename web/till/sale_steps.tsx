// A sale that stopped half-way: what is done, what is not, and why.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Failure } from '../api/client'
import { t } from '../i18n/i18n'
import { money } from '../i18n/number'
import { Button, Notice } from '../ui/basics'
import { Icon } from '../ui/icons'
import { reason } from './outcome'
import { isRefusal, stepsOf, type Sale, type Step } from './sale'

function stepText(step: Step): string {
  if (!step.done) return t(`till.step.${step.kind}`, { what: step.what })
  return step.kind === 'buy' ? t('till.bought', { what: step.what }) : t('till.done.receipt', { what: step.what })
}

export function SaleSteps({ sale, failure, onRetry, onStop }: {
  sale: Sale; failure?: Failure; onRetry: (sale: Sale) => Promise<void>; onStop: () => void
}): JSX.Element {
  const [number, setNumber] = useState(sale.number)
  const [busy, setBusy] = useState(false)
  const steps = stepsOf(sale)
  const at = steps.find((step) => !step.done)
  const retry = async (): Promise<void> => {
    setBusy(true)
    await onRetry({ ...sale, number: number.trim() || sale.number })
    setBusy(false)
  }
  // The number may change as long as the server has certainly not registered the receipt under another one.
  const mayRename = at?.kind === 'receipt' && failure !== undefined && isRefusal(failure)
  return (
    <form class="form" noValidate onSubmit={(event) => { event.preventDefault(); if (!busy) void retry() }}>
      <Notice tone="warning" title={t('till.saleStopped')}>{t('till.saleStoppedHelp')}</Notice>
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.id}>
            <Icon name={step.done ? 'check' : step === at && failure ? 'warning' : 'clock'} />
            <div>
              <strong>{stepText(step)}</strong>
              {step === at && failure && <p class="error" role="alert">{isRefusal(failure) ? reason(failure) : t('till.stepUnknown')}</p>}
              {!step.done && (step !== at || !failure) && <p class="muted">{t('till.stepWaits')}</p>}
            </div>
          </li>
        ))}
      </ol>
      <p class="number">{t('till.toPay', { amount: money(sale.checkout.toPay, sale.checkout.currency) })}</p>
      {mayRename && (
        <label class="field">
          <span class="label">{t('till.number')}</span>
          <input class="input" value={number} maxLength={255} autoComplete="off" onInput={(event) => setNumber(event.currentTarget.value)} />
        </label>
      )}
      <p class="muted">{t('till.stopHelp')}</p>
      <footer class="form-bar">
        <Button onClick={onStop}>{t('till.stopSale')}</Button>
        <Button kind="primary" type="submit" busy={busy}>{t('action.retry')}</Button>
      </footer>
    </form>
  )
}
