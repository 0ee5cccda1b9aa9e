// Sets the first password of an administrator by the link of an invitation.
import type { JSX } from 'preact'
import { Reset } from '../../ui/outside'
import type { RouteProps } from '../../ui/router'

export default function Invited({ params }: RouteProps): JSX.Element {
  return <Reset token={params['token']!} invited />
}
