// Roles of an administrator in some stores only.
import type { JSX } from 'preact'
import type { AdminRoleView, AdminView } from '../../api/types'
import { t } from '../../i18n/i18n'
import { fieldText, Skeleton } from '../../ui/basics'
import { SelectField, type FormState, type PathOf } from '../../ui/form'
import { useStores } from '../present_store'

// WithStoreRoles are values of a form that choose where somebody works.
export interface WithStoreRoles {
  scope: 'all' | 'stores'
  storeRoles: Record<string, string> // id of the role by id of the store; '' for none
}

// rolesOf names the roles of an administrator, with the store where they are of some stores only.
export function rolesOf(a: AdminView): string {
  if (!a.storeRoles) return a.roles.map((r) => r.name).join(', ')
  return a.storeRoles.map((r) => t('admins.roleIn', { store: r.storeName, role: r.roleName })).join(', ')
}

export function StoreRoles<T extends WithStoreRoles>({
  form,
  roles,
}: {
  form: FormState<T>
  roles: AdminRoleView[]
}): JSX.Element {
  const stores = useStores().data?.stores
  if (!stores) return <Skeleton lines={3} />
  const options = roles.filter((r) => !r.master).map((r) => ({ value: String(r.id), text: r.name }))
  return (
    <div class="stack" data-path="storeRoles">
      {stores.map((s) => (
        <SelectField
          key={s.storeId}
          form={form}
          path={`storeRoles.${s.storeId}` as PathOf<T>}
          label={t('admins.storeRole', { store: s.name })}
          options={options}
          empty={t('admins.storeRoleNone')}
        />
      ))}
      {(form.errors['storeRoles'] ?? []).map((e) => (
        <div key={e.code} class="error" role="alert">
          {fieldText(e)}
        </div>
      ))}
    </div>
  )
}
