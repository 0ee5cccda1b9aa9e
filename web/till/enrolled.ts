// Whether this device is an enrolled till, as far as the page knows. Only the server can read the cookie.
import * as session from '../api/session'

const key = (): string => `punchcard.till.enrolled.${session.store.value}`

export const isEnrolled = (): boolean => localStorage.getItem(key()) !== null

export function setEnrolled(is: boolean): void {
  if (is) localStorage.setItem(key(), '1')
  else localStorage.removeItem(key())
}
