// The second step of a log-in.
import type { JSX } from 'preact'
import * as session from '../api/session'
import type { AuthRequestOptions } from '../api/types'
import { t } from '../i18n/i18n'
import ProofForm, { type Proof } from './proof_form'

export default function SecondStep({
  pending,
  done,
  cancel,
}: {
  pending: session.Pending
  done: () => void
  cancel: () => void
}): JSX.Element {
  const login_token = pending.token
  const send = async (proof: Proof): Promise<string | undefined> => {
    const result = await session.finishSignIn('/api/login/factor', { login_token, ...proof })
    if (result === 'done') return void done()
    return t(result === 'refused' ? 'factors.refused' : `signIn.${result}`)
  }
  const challenge = async (): Promise<AuthRequestOptions | null> => {
    const response = await session.post('/api/login/factor/challenge', { login_token }).catch(() => null)
    return response?.ok ? ((await response.json()) as AuthRequestOptions) : null
  }
  return (
    <>
      <p class="muted">{t('factors.step')}</p>
      <ProofForm factors={pending.factors} challenge={challenge} send={send} cancel={cancel} />
    </>
  )
}
