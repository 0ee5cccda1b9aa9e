// Switching off who leaves, after a look at what ends with it.
import type { JSX } from 'preact'
import type { VerificationAccessOf } from '../api/types'
import type { Query } from '../api/client'
import { t } from '../i18n/i18n'
import { Button, ErrorState, Skeleton } from '../ui/basics'
import { Confirm, Dialog } from '../ui/dialog'

// Offboard lists what ends when somebody is switched off.
export function Offboard({ name, access, onConfirm, onClose }: {
  name: string; access: Query<VerificationAccessOf>; onConfirm: () => Promise<unknown>; onClose: () => void
}): JSX.Element {
  const title = t('offboard.title', { name })
  const { data: ends, error, reload } = access
  if (!ends) {
    return (
      <Dialog title={title} onClose={onClose}>
        {error ? <ErrorState error={error} retry={reload} /> : <Skeleton lines={3} />}
        <footer><Button onClick={onClose}>{t('action.cancel')}</Button></footer>
      </Dialog>
    )
  }
  return (
    <Confirm title={title} action={t('offboard.do')} onClose={onClose} onConfirm={onConfirm}>
      <p>{t('offboard.ends')}</p>
      <ul class="bullets">
        {ends.permanentToken ? <li>{t('offboard.token')}</li> : <li>{t('offboard.signIn')}</li>}
        {!ends.permanentToken && <li>{t('offboard.sessions', { n: ends.sessions })}</li>}
        {!ends.permanentToken && <li>{t('offboard.links', { n: ends.links })}</li>}
      </ul>
      <p>{t('offboard.stays')}</p>
    </Confirm>
  )
}
