// Signs a seller in: with a PIN on an enrolled till, with the password elsewhere.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { t } from '../i18n/i18n'
import { Button } from '../ui/basics'
import { Later } from '../ui/second_factor'
import { SignIn } from '../ui/signin'
import { isEnrolled } from './enrolled'

export function TillSignIn(): JSX.Element {
  const [byPassword, setByPassword] = useState(false)
  if (!isEnrolled()) return <SignIn />
  if (byPassword)
    return (
      <SignIn>
        <Button onClick={() => setByPassword(false)}>{t('till.withPin')}</Button>
      </SignIn>
    )
  return <Later load={() => import('./switch')} props={{ onPassword: () => setByPassword(true) }} />
}
