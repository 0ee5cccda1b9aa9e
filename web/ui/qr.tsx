import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { whenLoaded } from '../api/underway'

// QRImage draws a text as a QR code.
export function QRImage({ code, label }: { code: string; label: string }): JSX.Element | null {
  const [drawing, setDrawing] = useState<{ size: number; path: string } | null>(null)
  useEffect(() => {
    whenLoaded(import('lean-qr'), ({ generate }) => {
      const bitmap = generate(code)
      let path = ''
      for (let y = 0; y < bitmap.size; y++) {
        for (let x = 0; x < bitmap.size; x++) if (bitmap.get(x, y)) path += `M${x + 2} ${y + 2}h1v1h-1z`
      }
      setDrawing({ size: bitmap.size + 4, path })
    })
  }, [code])
  return (
    drawing && (
      <svg class="qr" viewBox={`0 0 ${drawing.size} ${drawing.size}`} role="img" aria-label={label}>
        <rect width={drawing.size} height={drawing.size} class="qr-paper" />
        <path d={drawing.path} class="qr-ink" />
      </svg>
    )
  )
}
