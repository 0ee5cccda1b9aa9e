import type { JSX } from 'preact'
import { t } from '../../i18n/i18n'
import { Button, Copy, Notice } from '../../ui/basics'
import { Dialog } from '../../ui/dialog'

// example checks a signature with nothing but Node.js.
const example = `const { createHmac, timingSafeEqual } = require('crypto')

function isSigned(headers, body, secret) {
  const id = headers['webhook-id']
  const time = headers['webhook-timestamp']
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const wanted = createHmac('sha256', key)
    .update(id + '.' + time + '.' + body).digest()
  const fresh = Math.abs(Date.now() / 1000 - time) < 300
  return fresh && headers['webhook-signature'].split(' ')
    .map((one) => Buffer.from(one.slice(3), 'base64'))
    .some((one) => one.length === 32 && timingSafeEqual(one, wanted))
}`

// SecretDialog shows a signing secret, which the server never shows again, and how to check signatures with it.
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }): JSX.Element {
  return (
    <Dialog title={t('webhooks.secret')} onClose={onClose} wide once>
      <div class="stack">
        <Notice tone="warning" title={t('webhooks.secretOnce')}>
          {t('webhooks.secretOnceHelp')}
        </Notice>
        <div class="new-secret">
          <Copy text={secret} />
        </div>
        <details>
          <summary>{t('webhooks.verify')}</summary>
          <div class="stack">
            <p>{t('webhooks.verifyHelp')}</p>
            <pre class="json" tabIndex={0} aria-label={t('webhooks.verify')}>
              <code>{example}</code>
            </pre>
          </div>
        </details>
        <footer>
          <Button kind="primary" onClick={onClose}>
            {t('webhooks.secretKept')}
          </Button>
        </footer>
      </div>
    </Dialog>
  )
}
