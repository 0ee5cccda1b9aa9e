import type { JSX } from 'preact'
import { may } from '../../api/session'
import type { AdminResourceList } from '../../api/types'
import { t, tIf } from '../../i18n/i18n'
import type { FormState } from '../../ui/form'

export type Access = 'VIEW' | 'MODIFY'

export interface Granted {
  permissions: Record<string, Access | undefined> // by resource; MODIFY includes VIEW
}

export type Resources = Pick<AdminResourceList['resources'][number], 'code' | 'name'>[]

// granted returns the highest access to each resource of a list.
export function granted(list: { resource: string; access: string }[]): Granted['permissions'] {
  const sorted = [...list].sort((a, b) => b.access.localeCompare(a.access))
  return Object.fromEntries(sorted.map((p) => [p.resource, p.access as Access]))
}

// Matrix chooses permissions on resources, of those that may be granted.
export function Matrix<T extends Granted>({
  form,
  resources,
  disabled,
  mayGrant = may,
}: {
  form: FormState<T>
  resources: Resources
  disabled?: boolean
  mayGrant?: (resource: string, access: Access) => boolean
}): JSX.Element {
  const { permissions } = form.values
  const isError = Object.keys(form.errors).some((path) => path.startsWith('permissions'))
  const set = (resource: string, access: Access, on: boolean): void =>
    form.set('permissions', {
      ...permissions,
      [resource]: on
        ? access === 'VIEW'
          ? (permissions[resource] ?? 'VIEW')
          : access
        : access === 'VIEW'
          ? undefined
          : 'VIEW',
    })
  const setAll = (access: Access, on: boolean): void =>
    form.set(
      'permissions',
      Object.fromEntries(
        resources.map(({ code }) => {
          const before = permissions[code]
          if (!mayGrant(code, access)) return [code, before]
          if (on) return [code, access === 'VIEW' ? (before ?? 'VIEW') : 'MODIFY']
          return [code, access === 'MODIFY' && before ? 'VIEW' : undefined]
        }),
      ),
    )
  const has = (resource: string, access: Access): boolean =>
    permissions[resource] === 'MODIFY' || (access === 'VIEW' && permissions[resource] === 'VIEW')
  return (
    <fieldset class="field" data-path="permissions">
      <legend class="label">{t('roles.permissions')}</legend>
      {isError && (
        <div class="error" role="alert">
          {t('roles.chooseOne')}
        </div>
      )}
      <div class="table-frame">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">{t('roles.resource')}</th>
              {(['VIEW', 'MODIFY'] as const).map((access) => (
                <th key={access} scope="col" class="access">
                  {t(`roles.access.${access}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <td class="muted">{t('roles.all')}</td>
              {(['VIEW', 'MODIFY'] as const).map((access) => (
                <td key={access} class="access">
                  <label>
                    <input
                      type="checkbox"
                      disabled={disabled}
                      checked={resources.filter((r) => mayGrant(r.code, access)).every((r) => has(r.code, access))}
                      aria-label={t('roles.allOf', { access: t(`roles.access.${access}`) })}
                      onChange={(event) => setAll(access, event.currentTarget.checked)}
                    />
                  </label>
                </td>
              ))}
            </tr>
            {resources.map((r) => (
              <tr key={r.code}>
                <td>{tIf(`resource.${r.code}`, r.name)}</td>
                {(['VIEW', 'MODIFY'] as const).map((access) => (
                  <td key={access} class="access">
                    <label>
                      <input
                        type="checkbox"
                        checked={has(r.code, access)}
                        disabled={disabled || !mayGrant(r.code, access)}
                        aria-label={`${tIf(`resource.${r.code}`, r.name)}: ${t(`roles.access.${access}`)}`}
                        onChange={(event) => set(r.code, access, event.currentTarget.checked)}
                      />
                    </label>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </fieldset>
  )
}
