import type { JSX } from 'preact'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { ButtonLink } from '../../ui/basics'

// History leads to the entries of the audit log about one object.
export function History({ of }: { of: string }): JSX.Element | null {
  return may('AUDIT') ? (
    <ButtonLink to="/audit" query={{ entityId: of }} icon="clock">
      {t('audit.history')}
    </ButtonLink>
  ) : null
}
