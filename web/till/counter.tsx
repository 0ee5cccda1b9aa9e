import type { JSX } from 'preact'
import { t } from '../i18n/i18n'
import { Page } from '../ui/basics'

export default function Counter(): JSX.Element {
  return <Page title={t('signIn.till')}><span /></Page>
}
