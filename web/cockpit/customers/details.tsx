import type { JSX } from 'preact'
import type { CustomerDetail } from '../../api/types'
import { may } from '../../api/session'
import { countryName, date, t } from '../../i18n/i18n'
import { Badge, ButtonLink, Card, Copy, Empty, Facts, Time } from '../../ui/basics'
import { useLanguages } from '../languages'
import { usePointsOfSale } from '../lookups'
import { isAnonymous } from './name'

// Details lists who a customer is.
export function Details({ customer: c }: { customer: CustomerDetail }): JSX.Element {
  const shops = usePointsOfSale(!!c.posId)
  const languages = useLanguages()
  const genders: Record<string, string> = { male: t('customers.gender.male'), female: t('customers.gender.female') }
  const edit = may('CUSTOMER', 'MODIFY') && !isAnonymous(c) && !c.mergedInto && (
    <ButtonLink small icon="edit" to={`/customers/${c.customerId}/edit`}>
      {t('action.edit')}
    </ButtonLink>
  )
  return (
    <Card title={t('customers.details')} actions={edit}>
      <Facts
        items={[
          [t('customers.card'), c.loyaltyCardNumber && <Copy text={c.loyaltyCardNumber} />],
          [
            t('customers.email'),
            c.email && (
              <>
                {c.email}{' '}
                {c.unverifiedContacts?.includes('email') && <Badge tone="warning">{t('customers.unverified')}</Badge>}
              </>
            ),
          ],
          [
            t('customers.phone'),
            c.phone && (
              <>
                {c.phone}{' '}
                {c.unverifiedContacts?.includes('phone') && <Badge tone="warning">{t('customers.unverified')}</Badge>}
              </>
            ),
          ],
          [t('customers.birthDate'), date(c.birthDate)],
          [t('customers.gender'), genders[c.gender]],
          [t('customers.language'), c.locale && (languages.find((l) => l.code === c.locale)?.name ?? c.locale)],
          [t('customers.address'), addressText(c)],
          [t('customers.company'), c.company?.name && [c.company.name, c.company.nip].filter(Boolean).join(', ')],
          [t('customers.shop'), c.posId && (shops.find((s) => s.posId === c.posId)?.name ?? c.posIdentifier)],
          [t('customers.levelByHand'), c.manuallyAssignedLevelId && t('customers.yes')],
          [
            t('customers.labels'),
            c.labels.length > 0 && (
              <span class="row">
                {c.labels.map((l) => (
                  <Badge key={`${l.key}:${l.value}`}>{l.value ? `${l.key}: ${l.value}` : l.key}</Badge>
                ))}
              </span>
            ),
          ],
          [t('customers.since'), <Time at={c.createdAt} />],
          [t('customers.lastPurchase'), c.lastTransactionDate && <Time at={c.lastTransactionDate} />],
          [t('customers.id'), <Copy text={c.customerId} short />],
        ]}
      />
    </Card>
  )
}

function addressText(c: CustomerDetail): string {
  const a = c.address
  if (!a) return ''
  const parts = [
    [a.street, a.address1],
    [a.address2],
    [a.postal, a.city],
    [a.province],
    [a.country && /^[A-Z]{2}$/.test(a.country) ? countryName(a.country) : a.country],
  ]
  return parts
    .map((part) => part.filter(Boolean).join(' '))
    .filter(Boolean)
    .join(', ')
}

// Segments lists the segments that the customer is in.
export function Segments({ customer: c }: { customer: CustomerDetail }): JSX.Element {
  if (c.segments.length === 0)
    return (
      <Empty icon="filter" title={t('segments.none')}>
        {t('segments.noneHelp')}
      </Empty>
    )
  return (
    <ul class="plain-list">
      {c.segments.map((s) => (
        <li key={s.segmentId}>
          <strong>{s.name}</strong>
          <ButtonLink small to="/customers" query={{ segmentId: s.segmentId }}>
            {t('segments.members')}
          </ButtonLink>
        </li>
      ))}
    </ul>
  )
}
