import type { JSX } from 'preact'
import { t } from '../../i18n/i18n'
import { Button, Card } from '../../ui/basics'
import { QRImage } from '../../ui/qr'

// QRCode shows the code that customers scan, and prints it alone on a page.
export function QRCode({ code, name }: { code: string; name: string }): JSX.Element {
  return (
    <Card
      title={t('rules.qr')}
      class="qr-card"
      actions={
        <Button small onClick={() => print()}>
          {t('rules.print')}
        </Button>
      }
    >
      <QRImage code={code} label={t('rules.qrOf', { code })} />
      <p class="qr-text">
        <strong>{name}</strong> <code>{code}</code>
      </p>
    </Card>
  )
}
