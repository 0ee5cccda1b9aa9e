// Switching off or deleting who leaves, after a look at what ends with it.
import type { JSX } from 'preact'
import type { VerificationAccessOf } from '../api/types'
import type { Query } from '../api/client'
import { t } from '../i18n/i18n'
import { Button, ErrorState, Skeleton } from '../ui/basics'
import { Confirm, Dialog } from '../ui/dialog'

// Offboard lists what ends when somebody is switched off, or deleted.
export function Offboard({
  name,
  access,
  deletes,
  onConfirm,
  onClose,
}: {
  name: string
  access: Query<VerificationAccessOf>
  deletes?: boolean
  onConfirm: () => Promise<unknown>
  onClose: () => void
}): JSX.Element {
  const title = t(deletes ? 'sellers.deleteTitle' : 'offboard.title', { name })
  const { data: ends, error, reload } = access
  if (!ends) {
    return (
      <Dialog title={title} onClose={onClose}>
        {error ? <ErrorState error={error} retry={reload} /> : <Skeleton lines={3} />}
        <footer>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
        </footer>
      </Dialog>
    )
  }
  return (
    <Confirm
      title={title}
      action={t(deletes ? 'sellers.delete' : 'offboard.do')}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p>{t(deletes ? 'offboard.deletes' : 'offboard.ends')}</p>
      <ul class="bullets">
        {ends.permanentToken ? (
          <li>{t('offboard.token')}</li>
        ) : (
          <li>{t(deletes ? 'offboard.signInForGood' : 'offboard.signIn')}</li>
        )}
        {!ends.permanentToken && <li>{t('offboard.sessions', { n: ends.sessions })}</li>}
        {!ends.permanentToken && <li>{t('offboard.links', { n: ends.links })}</li>}
      </ul>
      <p>{t(deletes ? 'sellers.deleteStays' : 'offboard.stays')}</p>
    </Confirm>
  )
}
