// Sets a new password by the link in a message.
import type { JSX } from 'preact'
import { Reset } from '../../ui/outside'
import type { RouteProps } from '../../ui/router'

export default function ResetPassword({ params }: RouteProps): JSX.Element {
  return <Reset token={params['token']!} />
}
