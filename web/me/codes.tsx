// A code as a QR code, as a bar code and in large letters.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { whenLoaded } from '../api/underway'
import { t } from '../i18n/i18n'
import { code128 } from '../ui/code128'

// maxBars is the width of the longest bar code that a scanner reads from the screen of a phone.
const maxBars = 260

export function Codes({ text, label }: { text: string; label: string }): JSX.Element {
  const [square, setSquare] = useState<{ path: string; size: number } | null>(null)
  const bars = code128(text)
  useEffect(() => {
    let left = false
    whenLoaded(import('lean-qr'), ({ generate }) => {
      const code = generate(text)
      let path = ''
      for (let y = 0; y < code.size; y++) {
        for (let x = 0; x < code.size; x++) if (code.get(x, y)) path += `M${x} ${y}h1v1h-1z`
      }
      if (!left) setSquare({ path, size: code.size })
    })
    return () => {
      left = true
    }
  }, [text])
  useAwake()
  return (
    <div class="codes">
      <svg
        class="qr"
        viewBox={square ? `-2 -2 ${square.size + 4} ${square.size + 4}` : '0 0 1 1'}
        role="img"
        aria-label={t('me.qrOf', { name: label })}
        shape-rendering="crispEdges"
      >
        {square && <path d={square.path} />}
      </svg>
      {bars && bars.width <= maxBars && (
        <svg
          class="bars"
          viewBox={`0 0 ${bars.width} 1`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t('me.barsOf', { name: label })}
          shape-rendering="crispEdges"
        >
          <path d={bars.path} />
        </svg>
      )}
      <p class="code" aria-label={text}>
        {/^\d{9,}$/.test(text) ? text.match(/.{1,4}/g)!.join(' ') : text}
      </p>
    </div>
  )
}

// useAwake keeps the screen on while a code is shown, where the browser can.
function useAwake(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    let left = false
    void navigator.wakeLock?.request('screen').then(
      (given) => {
        lock = given
        if (left) void given.release()
      },
      () => undefined, // such as with little battery
    )
    return () => {
      left = true
      void lock?.release()
    }
  }, [])
}
