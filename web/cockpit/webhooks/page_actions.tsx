import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failure, useQuery, write } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Button, ErrorState, Notice, Skeleton } from '../../ui/basics'
import { Confirm, Dialog, toast } from '../../ui/dialog'
import { Form, NumberField, useForm } from '../../ui/form'
import { answerText } from './delivery'

interface Result {
  delivered: boolean
  status: number
  error?: string
}

// Test calls the address at once and says what it answered.
export function Test({
  test,
  onClose,
  done = t('webhooks.testDone'),
  failed = t('webhooks.testFailed'),
}: {
  test: () => Promise<Result>
  onClose: () => void
  done?: string
  failed?: string
}): JSX.Element {
  const [result, setResult] = useState<Result | null>(null)
  const [error, setError] = useState<Failure | null>(null)
  const run = async (): Promise<void> => {
    setResult(null)
    setError(null)
    try {
      setResult(await test())
    } catch (failure) {
      setError(failure instanceof Failure ? failure : new Failure('failed', 0, String(failure)))
    }
  }
  useEffect(() => void run(), [])
  return (
    <Dialog title={t('webhooks.test')} onClose={onClose}>
      <div class="stack">
        {error ? (
          <ErrorState error={error} />
        ) : result ? (
          <Notice tone={result.delivered ? 'success' : 'danger'} title={result.delivered ? done : failed}>
            {answerText(result.status, result.error)}
          </Notice>
        ) : (
          <div role="status">
            <p>{t('webhooks.calling')}</p>
            <Skeleton lines={2} />
          </div>
        )}
        <footer>
          {(result ?? error) && (
            <Button icon="refresh" onClick={run}>
              {t('webhooks.testAgain')}
            </Button>
          )}
          <Button kind="primary" onClick={onClose}>
            {t('action.done')}
          </Button>
        </footer>
      </div>
    </Dialog>
  )
}

// RetryAll sends all failed deliveries again; the server takes a part of them in each call.
export function RetryAll({ subscription }: { subscription: string }): JSX.Element | null {
  const [open, setOpen] = useState(false)
  const failed =
    useQuery('/api/{store}/webhook/subscription/{subscription}/deliveries', { subscription, state: 'dead', perPage: 1 })
      .data?.total ?? 0
  if (failed === 0 && !open) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('webhooks.retryAll')}</Button>
      {open && (
        <Confirm
          title={t('webhooks.retryAll')}
          action={t('webhooks.sendAgain')}
          danger={false}
          onClose={() => setOpen(false)}
          onConfirm={async () => {
            let sent = 0
            for (let complete = false; !complete;) {
              const done = await write('POST', '/api/{store}/webhook/subscription/{subscription}/retry', {
                params: { subscription },
              })
              sent += done.retried
              complete = done.complete
            }
            toast(t('webhooks.retried', { n: sent }))
          }}
        >
          {t('webhooks.retryAllHelp', { n: failed })}
        </Confirm>
      )}
    </>
  )
}

// Replay sends the events of a range again, by their numbers.
export function Replay({ subscription, onClose }: { subscription: string; onClose: () => void }): JSX.Element {
  const form = useForm({ fromId: '', toId: '' }, async (values, key) => {
    const done = await write('POST', '/api/{store}/webhook/subscription/{subscription}/replay', {
      params: { subscription },
      body: { replay: values },
      key,
    })
    toast(t('webhooks.replayed', { n: done.replayed }))
    onClose()
  })
  return (
    <Dialog title={t('webhooks.replay')} onClose={onClose}>
      <Form form={form} save={t('webhooks.sendAgain')} cancel={onClose}>
        <p class="muted">{t('webhooks.replayHelp')}</p>
        <div class="columns">
          <NumberField form={form} path="fromId" label={t('webhooks.fromId')} whole autoFocus />
          <NumberField form={form} path="toId" label={t('webhooks.toId')} whole />
        </div>
      </Form>
    </Dialog>
  )
}
