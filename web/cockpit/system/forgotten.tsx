// Asks for a link for a new password.
import type { JSX } from 'preact'
import { t } from '../../i18n/i18n'
import { Forgotten } from '../../ui/outside'

export default function ForgottenPassword(): JSX.Element {
  return <Forgotten name={t('signIn.username')} />
}
