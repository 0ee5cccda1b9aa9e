// The dialog that asks for the second factor again, before a dangerous change.
import type { JSX } from 'preact'
import { Failure, useQuery, write, writeUnchecked } from '../api/client'
import type { AuthRequestOptions } from '../api/types'
import { t } from '../i18n/i18n'
import { ErrorState, failureText, Skeleton } from './basics'
import { Dialog } from './dialog'
import ProofForm, { type Proof } from './proof_form'

export default function Prove({ onClose }: { onClose: (used: boolean) => void }): JSX.Element {
  const own = useQuery('/api/me/factors')
  const factors = own.data
    ? [own.data.totp && 'totp', own.data.passkeys.length > 0 && 'passkey', own.data.recoveryCodesLeft > 0 && 'recovery']
    : []
  const send = async (proof: Proof): Promise<string | undefined> => {
    try {
      await write('POST', '/api/me/factors/use', { body: proof })
      onClose(true)
      return undefined
    } catch (e) {
      return failureText(e as Failure)
    }
  }
  return (
    <Dialog title={t('factors.prove')} onClose={() => onClose(false)}>
      <div class="stack">
        <p class="muted">{t('factors.proveText')}</p>
        {own.error && <ErrorState error={own.error} retry={own.reload} />}
        {!own.data && !own.error && <Skeleton />}
        {own.data && (
          <ProofForm
            factors={factors.filter((f) => typeof f === 'string')}
            send={send}
            cancel={() => onClose(false)}
            challenge={() =>
              writeUnchecked('POST', '/api/me/factors/challenge', { body: {}, key: null }).then(
                (asked) => asked as AuthRequestOptions,
                () => null,
              )
            }
          />
        )}
      </div>
    </Dialog>
  )
}
