import type { CustomerDetail } from '../../api/types'
import { t } from '../../i18n/i18n'

// customerName returns what to call a customer: the name, or the best of what is known.
export function customerName(c: {
  firstName?: string
  lastName?: string
  email?: string
  phone?: string
  loyaltyCardNumber?: string
}): string {
  const name = [c.firstName, c.lastName].filter(Boolean).join(' ')
  return name || c.email || c.phone || c.loyaltyCardNumber || t('customers.unnamed')
}

// isAnonymous says that a customer was anonymised: nothing is left that names them, and they are blocked for good.
export function isAnonymous(c: CustomerDetail): boolean {
  return c.status.type === 'blocked' && !c.firstName && !c.lastName && !c.email && !c.phone && !c.loyaltyCardNumber
}
