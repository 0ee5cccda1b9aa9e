import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../i18n/i18n'
import { Empty } from '../ui/basics'
import { navigate } from '../ui/router'
import { visibleNavigation } from './frame'

// Home goes to the first screen that the administrator may see.
export default function Home(): JSX.Element {
  const first = visibleNavigation()[0]?.items[0]
  useEffect(() => { if (first) navigate(first.path) }, [])
  return first ? <span /> : <Empty icon="lock" title={t('error.forbidden')}>{t('app.askForPermission')}</Empty>
}
