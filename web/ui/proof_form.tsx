// The form that takes a second factor: a passkey, a code of an authenticator app, or a recovery code.
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { isAvailable, use } from '../api/passkeys'
import type { AuthRequestOptions } from '../api/types'
import { t } from '../i18n/i18n'
import { Button, Notice } from './basics'

export interface Proof {
  code?: string
  recoveryCode?: string
  credential?: string
}

// ProofForm calls send with a factor; it returns what went wrong, or nothing. challenge returns what passkeys answer.
export default function ProofForm({
  factors,
  challenge,
  send,
  cancel,
}: {
  factors: string[]
  challenge: () => Promise<AuthRequestOptions | null>
  send: (proof: Proof) => Promise<string | undefined>
  cancel: () => void
}): JSX.Element {
  const id = useId()
  const mayUsePasskey = factors.includes('passkey') && isAvailable()
  const [isRecovery, setRecovery] = useState(!factors.includes('totp') && !mayUsePasskey)
  const [code, setCode] = useState('')
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)
  const run = async (proof: Proof | null): Promise<void> => {
    setBusy(true)
    setError((proof && (await send(proof))) ?? '')
    setBusy(false)
  }
  const passkey = async (): Promise<void> => {
    setBusy(true)
    const asked = await challenge()
    const credential = asked && (await use(asked))
    if (credential) return run({ credential })
    setError(t(asked ? 'factors.passkeyFailed' : 'factors.signInAgain'))
    setBusy(false)
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    if (!busy && code.trim()) void run(isRecovery ? { recoveryCode: code.trim() } : { code: code.replace(/\s/g, '') })
  }
  const hasField = isRecovery || factors.includes('totp')
  return (
    <form class="form" onSubmit={submit} noValidate>
      {error && <Notice tone="danger">{error}</Notice>}
      {mayUsePasskey && !isRecovery && (
        <Button
          kind={hasField ? undefined : 'primary'}
          icon="lock"
          busy={busy}
          onClick={busy ? undefined : () => void passkey()}
        >
          {t('factors.usePasskey')}
        </Button>
      )}
      {hasField && (
        <div class="field">
          <label class="label" for={id}>
            {t(isRecovery ? 'factors.recoveryCode' : 'factors.code')}
          </label>
          <input
            class="input"
            id={id}
            key={String(isRecovery)}
            autofocus
            autoComplete={isRecovery ? 'off' : 'one-time-code'}
            inputMode={isRecovery ? undefined : 'numeric'}
            autoCapitalize="none"
            value={code}
            onInput={(e) => setCode(e.currentTarget.value)}
          />
          <div class="help">{t(isRecovery ? 'factors.recoveryHelp' : 'factors.codeHelp')}</div>
        </div>
      )}
      {factors.includes('recovery') && (
        <p class="others">
          <button
            type="button"
            class="text-button"
            onClick={() => {
              setRecovery(!isRecovery)
              setCode('')
              setError('')
            }}
          >
            {t(isRecovery ? 'factors.withoutRecovery' : 'factors.withRecovery')}
          </button>
        </p>
      )}
      <footer class="form-bar">
        <Button onClick={cancel}>{t('action.cancel')}</Button>
        {hasField && (
          <Button kind="primary" type="submit" busy={busy}>
            {t('factors.continue')}
          </Button>
        )}
      </footer>
    </form>
  )
}
