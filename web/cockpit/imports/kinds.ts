import { may } from '../../api/session'
import type { Key } from '../../i18n/i18n'

// Kind is what can be imported: the permission it needs, and where its files are sent.
export interface Kind {
  name: string
  title: Key
  help: Key
  resource: string
  path:
    | '/api/{store}/admin/customer/import'
    | '/api/{store}/points/transfer/import'
    | '/api/{store}/admin/transaction/import'
    | '/api/{store}/admin/transaction/customer/assign/import'
  newcomers: boolean // its records become customers
}

const kinds: Kind[] = [
  {
    name: 'customers',
    title: 'imports.kind.customers',
    help: 'imports.help.customers',
    resource: 'CUSTOMER',
    path: '/api/{store}/admin/customer/import',
    newcomers: true,
  },
  {
    name: 'transfers',
    title: 'imports.kind.transfers',
    help: 'imports.help.transfers',
    resource: 'POINT_TRANSFER',
    path: '/api/{store}/points/transfer/import',
    newcomers: false,
  },
  {
    name: 'transactions',
    title: 'imports.kind.transactions',
    help: 'imports.help.transactions',
    resource: 'TRANSACTION',
    path: '/api/{store}/admin/transaction/import',
    newcomers: false,
  },
  {
    name: 'assignments',
    title: 'imports.kind.assignments',
    help: 'imports.help.assignments',
    resource: 'TRANSACTION',
    path: '/api/{store}/admin/transaction/customer/assign/import',
    newcomers: false,
  },
]

// kindsFor returns the kinds that the administrator may view or modify.
export function kindsFor(access: 'VIEW' | 'MODIFY'): Kind[] {
  return kinds.filter((k) => may(k.resource, access))
}

export function kindOf(name: string): Kind | undefined {
  return kinds.find((k) => k.name === name)
}
