import type { JSX } from 'preact'
import type { CustomerDetail } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Badge } from '../../ui/basics'

export function statusText(type: string): string {
  const texts: Record<string, string> = {
    active: t('customers.active'),
    new: t('customers.new'),
    blocked: t('customers.blocked'),
    deleted: t('customers.deleted'),
  }
  return texts[type] ?? type
}

export function Status({ customer }: { customer: CustomerDetail }): JSX.Element {
  const type = customer.status.type
  const tone = type === 'active' ? 'success' : type === 'blocked' || type === 'deleted' ? 'danger' : 'neutral'
  return <Badge tone={tone}>{statusText(type)}</Badge>
}
