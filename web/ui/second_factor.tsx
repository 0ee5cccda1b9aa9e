// What asks for second factors over a page. The dialogs are loaded when they are needed.
import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failure, mustEnroll, proof } from '../api/client'
import * as session from '../api/session'
import { underway } from '../api/underway'
import { toastFailure } from './dialog'

// Later shows a part that is loaded on demand.
export function Later<P extends object>({
  load,
  props,
}: {
  load: () => Promise<{ default: ComponentType<P> }>
  props: P
}): JSX.Element | null {
  const [shown, setShown] = useState<{ part: ComponentType<P> } | null>(null)
  useEffect(() => {
    underway(load()).then(
      (module) => setShown({ part: module.default }),
      () => toastFailure(new Failure('network', 0, '')),
    )
  }, [])
  return shown && <shown.part {...props} />
}

// FactorsLater is the dialog with the user's passkeys, authenticator app and recovery codes.
export function FactorsLater({ onClose }: { onClose: () => void }): JSX.Element {
  return <Later load={() => import('./factors')} props={{ onClose }} />
}

// SecondFactor asks for a second factor that a call waits for, and to add one where nothing else is allowed.
export function SecondFactor(): JSX.Element | null {
  if (!session.claims.value) return null
  const answer = proof.value
  if (answer) {
    const close = (used: boolean): void => {
      proof.value = null
      answer(used)
    }
    return <Later load={() => import('./prove')} props={{ onClose: close }} />
  }
  return mustEnroll.value ? <FactorsLater onClose={() => void session.signOut()} /> : null
}
