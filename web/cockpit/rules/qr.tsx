import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../../i18n/i18n'
import { Button, Card } from '../../ui/basics'

// QRCode shows the code that customers scan, and prints it alone on a page.
export function QRCode({ code, name }: { code: string; name: string }): JSX.Element {
  const [drawing, setDrawing] = useState<{ size: number; path: string } | null>(null)
  useEffect(() => {
    void import('lean-qr').then(({ generate }) => {
      const bitmap = generate(code)
      let path = ''
      for (let y = 0; y < bitmap.size; y++) {
        for (let x = 0; x < bitmap.size; x++) if (bitmap.get(x, y)) path += `M${x + 2} ${y + 2}h1v1h-1z`
      }
      setDrawing({ size: bitmap.size + 4, path })
    })
  }, [code])
  return (
    <Card title={t('rules.qr')} class="qr-card" actions={<Button small onClick={() => print()}>{t('rules.print')}</Button>}>
      {drawing && (
        <svg class="qr" viewBox={`0 0 ${drawing.size} ${drawing.size}`} role="img" aria-label={t('rules.qrOf', { code })}>
          <rect width={drawing.size} height={drawing.size} class="qr-paper" /><path d={drawing.path} class="qr-ink" />
        </svg>
      )}
      <p class="qr-text"><strong>{name}</strong> <code>{code}</code></p>
    </Card>
  )
}
