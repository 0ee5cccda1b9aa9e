// The field that a scanner types into. It takes the focus back, so that the next scan works whatever was touched
// before.
import type { JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../i18n/i18n'
import { Button } from '../ui/basics'
import { CameraDialog, noCamera } from './camera'

export function ScanField({
  busy,
  onScan,
  onClear,
}: {
  busy: boolean
  onScan: (text: string) => void
  onClear: () => void
}): JSX.Element {
  const field = useRef<HTMLInputElement>(null)
  const [camera, setCamera] = useState(false)
  useLayoutEffect(() => {
    // a scanner may type as soon as the field is there
    const free = (): boolean => !document.querySelector('dialog[open]')
    const isField = (e: Element | null): boolean => !!e?.matches('input, textarea, select, [role^=menuitem]')
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!free() || isField(document.activeElement) || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key.length === 1 && event.key !== ' ') field.current?.focus()
    }
    const takeBack = ({ type, target }: Event): void => {
      // After the click or the dialog has done its work: a button that is still there keeps the focus for the keyboard,
      // which has gone past the end of the page if the last one is still there.
      requestAnimationFrame(() => {
        const isLeft =
          type === 'focusout' &&
          target instanceof Element &&
          target.getClientRects().length > 0 &&
          !target.matches(':disabled')
        if (free() && !isLeft && document.activeElement === document.body) field.current?.focus()
      })
    }
    field.current?.focus()
    addEventListener('keydown', onKeyDown)
    addEventListener('focusout', takeBack)
    addEventListener('click', takeBack)
    return () => {
      removeEventListener('keydown', onKeyDown)
      removeEventListener('focusout', takeBack)
      removeEventListener('click', takeBack)
    }
  }, [])
  const submit = (text: string): void => {
    if (field.current) field.current.value = ''
    field.current?.focus()
    if (text.trim() && !busy) onScan(text)
  }
  const missing = noCamera()
  return (
    <form
      class="scan"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        submit(field.current?.value ?? '')
      }}
    >
      <label class="label" for="scan">
        {t('till.scan')}
      </label>
      <div class="scan-row">
        <input
          ref={field}
          id="scan"
          class="input"
          type="text"
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          enterkeyhint="search"
          maxLength={255}
          aria-describedby={missing ? 'no-camera' : undefined}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.currentTarget.value = ''
            onClear()
          }}
        />
        <Button type="submit" kind="primary" icon="search" busy={busy}>
          {t('till.find')}
        </Button>
        {!missing && (
          <Button icon="scan" onClick={() => setCamera(true)}>
            {t('till.camera')}
          </Button>
        )}
      </div>
      {missing && (
        <p class="help" id="no-camera">
          {t(missing)}
        </p>
      )}
      {camera && (
        <CameraDialog
          onClose={() => setCamera(false)}
          onCode={(code) => {
            setCamera(false)
            submit(code)
          }}
        />
      )}
    </form>
  )
}
