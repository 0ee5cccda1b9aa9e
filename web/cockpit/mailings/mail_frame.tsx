// An e-mail as a mail program shows it: in a frame of its own, without scripts, narrow like a telephone or wide.
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../i18n/i18n'
import { Button } from '../../ui/basics'

const widths = { narrow: 360, wide: 640 } as const // pixels

export function MailFrame({ html }: { html: string }): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [width, setWidth] = useState<keyof typeof widths>('narrow')
  const [ready, setReady] = useState(false)
  const [size, setSize] = useState({ room: 0, height: 0 })
  const measure = (): void => {
    const height = frame.current?.contentDocument?.body.scrollHeight ?? 0
    setSize({ room: box.current?.clientWidth ?? 0, height })
  }
  useEffect(() => {
    const observer = new ResizeObserver(measure)
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    if (ready) show(frame.current!, html, measure)
  }, [ready, html])
  useLayoutEffect(measure, [width])
  const scale = size.room > 0 ? Math.min(1, size.room / widths[width]) : 1
  return (
    <div class="stack">
      <div class="chips" role="group" aria-label={t('mailings.width')}>
        {(['narrow', 'wide'] as const).map((name) => (
          <Button key={name} small pressed={width === name} onClick={() => setWidth(name)}>
            {t(`mailings.width.${name}`)}
          </Button>
        ))}
      </div>
      <div ref={box} class="mail-box" style={{ height: `${Math.ceil(size.height * scale)}px` }}>
        <iframe
          ref={frame}
          class="mail-frame"
          title={t('mailings.look')}
          sandbox="allow-same-origin"
          srcdoc="<!DOCTYPE html><title>.</title>"
          tabIndex={-1}
          onLoad={() => setReady(true)}
          style={{ width: `${widths[width]}px`, height: `${size.height}px`, transform: `scale(${scale})` }}
        />
      </div>
    </div>
  )
}

// show puts an e-mail into a frame. The policy of the page allows no styles in markup, so they are set one by one: in
// the HTML of the server each is in double quotes, which texts have escaped. Links lead nowhere.
function show(frame: HTMLIFrameElement, html: string, resized: () => void): void {
  const into = frame.contentDocument!
  const sheet = new (frame.contentWindow as Window & typeof globalThis).CSSStyleSheet()
  const plain = html
    .replace(/<style>([^<]*)<\/style>/, (_, rules: string) => {
      sheet.replaceSync(rules)
      return ''
    })
    .replaceAll(' style="', ' data-style="')
  const mail = new DOMParser().parseFromString(plain, 'text/html')
  for (const link of mail.querySelectorAll('a')) link.removeAttribute('href')
  into.adoptedStyleSheets = [sheet]
  into.documentElement.lang = mail.documentElement.lang
  into.title = mail.title || '.'
  into.body.replaceWith(into.adoptNode(mail.body))
  for (const element of into.querySelectorAll<HTMLElement>('[data-style]'))
    element.style.cssText = element.dataset['style']!
  for (const picture of into.images) picture.addEventListener('load', resized)
  resized()
}
