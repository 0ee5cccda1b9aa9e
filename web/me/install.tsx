// Installing the app on the home screen, which browsers allow over HTTPS only.
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { t } from '../i18n/i18n'
import { Button, Card } from '../ui/basics'

// Question is the browser's offer to install the app.
interface Question extends Event {
  prompt: () => Promise<unknown>
}

const question = signal<Question | null>(null)

// awaitInstall keeps the browser's offer until the customer asks for it.
export function awaitInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    question.value = event as Question
  })
  addEventListener('appinstalled', () => (question.value = null))
}

export function Install(): JSX.Element | null {
  if (matchMedia('(display-mode: standalone)').matches) return null
  const install = (): void => {
    void question.value?.prompt()
    question.value = null
  }
  return (
    <Card title={t('me.install')}>
      <p>{isSecureContext ? t('me.installWhy') : t('me.installNeedsHttps')}</p>
      {question.value ? (
        <Button icon="download" onClick={install}>
          {t('me.installNow')}
        </Button>
      ) : (
        isSecureContext && <p class="muted">{t('me.installByHand')}</p>
      )}
    </Card>
  )
}
