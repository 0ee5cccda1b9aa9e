// The values of the form of a customer.
import type { CustomerDetail, RegisterCustomerForm } from '../../api/types'

export interface Address {
  street: string
  address1: string
  postal: string
  city: string
  province: string
  country: string
}

type Gender = 'female' | 'male' | 'not_disclosed'

// Values are those of the form. Their names are those of the API, so that errors find their fields.
export interface Values {
  firstName: string
  lastName: string
  email: string
  phone: string
  loyaltyCardNumber: string
  issueCard: boolean
  gender: Gender
  birthDate: string
  locale: string
  address: Address
  company: { name: string; nip: string }
  agreement1: boolean
  agreement2: boolean
  agreement3: boolean
  levelId: string
  posId: string
  labels: string
}

export function labelsText(labels: { key: string; value: string }[]): string {
  return labels.map((l) => `${l.key}:${l.value}`).join('; ')
}

export function valuesOf(c?: CustomerDetail): Values {
  const a = c?.address
  return {
    firstName: c?.firstName ?? '',
    lastName: c?.lastName ?? '',
    email: c?.email ?? '',
    phone: c?.phone ?? '',
    loyaltyCardNumber: c?.loyaltyCardNumber ?? '',
    issueCard: true,
    gender: (c?.gender ?? 'not_disclosed') as Gender,
    birthDate: c?.birthDate?.slice(0, 10) ?? '',
    locale: c?.locale ?? '',
    address: {
      street: a?.street ?? '',
      address1: a?.address1 ?? '',
      postal: a?.postal ?? '',
      city: a?.city ?? '',
      province: a?.province ?? '',
      country: a?.country ?? '',
    },
    company: { name: c?.company?.name ?? '', nip: c?.company?.nip ?? '' },
    agreement1: c?.agreement1 ?? false,
    agreement2: c?.agreement2 ?? false,
    agreement3: c?.agreement3 ?? false,
    levelId: c?.levelId ?? '',
    posId: c?.posId ?? '',
    labels: labelsText(c?.labels ?? []),
  }
}

// bodyOf returns what the API gets. Of a change, a level and labels are left out unless they differ: sending a level
// sets it by hand, and labels are replaced as a whole.
export function bodyOf(values: Values, before?: CustomerDetail): RegisterCustomerForm['customer'] {
  const { issueCard: _, levelId, labels, ...rest } = values
  const body: RegisterCustomerForm['customer'] = { ...rest }
  const had = valuesOf(before)
  if (levelId && levelId !== had.levelId) body.levelId = levelId
  if (labels !== had.labels) {
    body.labels = labels
      .split(';')
      .filter((pair) => pair.trim())
      .map((pair) => (pair.includes(':') ? pair : `${pair}:`))
      .join(';')
  }
  return body
}
