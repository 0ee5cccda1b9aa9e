// Changes of where messages with passwords and links go need a permission of their own, and the password again.
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { may } from '../api/session'
import { t } from '../i18n/i18n'
import { Notice } from '../ui/basics'
import { TextField, type FormState, type PathOf } from '../ui/form'

export const maySecure = (): boolean => may('SECURITY', 'MODIFY')

// SecurityNotice says that the permission is missing.
export function SecurityNotice(): JSX.Element | null {
  return maySecure() ? null : <Notice>{t('security.missing')}</Notice>
}

// CurrentPassword confirms a change. Forms show it while they have one that needs it; the focus then moves to the
// button that saves.
export function CurrentPassword<T extends { currentPassword: string }>({ form }: { form: FormState<T> }): JSX.Element {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const field = ref.current
    return () => {
      if (field?.contains(document.activeElement))
        field.closest('form')?.querySelector<HTMLElement>('button[type=submit]')?.focus()
    }
  }, [])
  return (
    <div ref={ref}>
      <TextField
        form={form}
        path={'currentPassword' as PathOf<T>}
        label={t('security.password')}
        help={t('security.passwordHelp')}
        type="password"
        autoComplete="current-password"
      />
    </div>
  )
}
