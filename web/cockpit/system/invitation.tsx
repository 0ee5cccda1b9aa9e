// Invitations of administrators: the link to hand over, and what can be done until one is accepted.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { write } from '../../api/client'
import type { AdminView, VerificationInvited } from '../../api/types'
import { dateTime, t } from '../../i18n/i18n'
import { Button, Copy, Notice } from '../../ui/basics'
import { Confirm, Dialog, toast, toastFailure } from '../../ui/dialog'
import { navigate } from '../../ui/router'
import { QRImage } from '../../ui/qr'
import { nameOf } from './administrators'

// LinkDialog shows the link of an invitation, this once, as text and as a QR code. Its fragment signs the user in.
export function LinkDialog({
  link,
  name,
  email,
  onClose,
}: {
  link: VerificationInvited
  name: string
  email: string
  onClose: () => void
}): JSX.Element {
  const address = `${location.origin}${link.path ?? ''}#${encodeURIComponent(email)}`
  return (
    <Dialog title={t('admins.linkTitle', { name })} onClose={onClose} once>
      <p>{t('admins.linkHelp', { time: dateTime(link.expiresAt) })}</p>
      <QRImage code={address} label={t('admins.linkQr', { name })} />
      <div class="key">
        <Copy text={address} />
      </div>
      <footer>
        <Button kind="primary" onClick={onClose}>
          {t('admins.linkDone')}
        </Button>
      </footer>
    </Dialog>
  )
}

// Invitation says how long an invitation holds, and sends it again or withdraws it.
export function Invitation({ admin, changed }: { admin: AdminView; changed: () => void }): JSX.Element {
  const [link, setLink] = useState<VerificationInvited | null>(null)
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const { expired, expiresAt } = admin.invitation!
  const name = nameOf(admin)
  const email = admin.email ?? ''
  const again = async (byEmail: boolean): Promise<void> => {
    setBusy(true)
    try {
      // This call takes no Idempotency-Key, because its response may hold a secret.
      const made = await write('POST', '/api/admin/data/{admin}/invitation', {
        params: { admin: admin.id },
        body: { admin: { byEmail } },
        key: null,
      })
      if (made.path) setLink(made)
      else {
        toast(t('admins.inviteSent', { email }))
        changed()
      }
    } catch (error) {
      toastFailure(error)
    }
    setBusy(false)
  }
  return (
    <Notice tone={expired ? 'warning' : 'accent'} title={t('admins.invited')}>
      <p>{expired ? t('admins.invitedOver') : t('admins.invitedUntil', { time: dateTime(expiresAt) })}</p>
      <div class="row">
        {admin.isActive && (
          <Button small busy={busy} onClick={busy ? undefined : () => void again(true)}>
            {t('admins.inviteAgain')}
          </Button>
        )}
        {admin.isActive && (
          <Button small busy={busy} onClick={busy ? undefined : () => void again(false)}>
            {t('admins.inviteLink')}
          </Button>
        )}
        <Button small onClick={() => setAsking(true)}>
          {t('admins.withdraw')}
        </Button>
      </div>
      {link && (
        <LinkDialog
          link={link}
          name={name}
          email={email}
          onClose={() => {
            setLink(null)
            changed()
          }}
        />
      )}
      {asking && (
        <Confirm
          title={t('admins.withdrawTitle', { name })}
          action={t('admins.withdraw')}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await write('DELETE', '/api/admin/data/{admin}/invitation', { params: { admin: admin.id } })
            toast(t('admins.withdrawn', { name }))
            navigate('/administrators')
          }}
        >
          {t('admins.withdrawHelp')}
        </Confirm>
      )}
    </Notice>
  )
}
