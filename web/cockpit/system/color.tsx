// A field for the color of the customers' app, with a sample of a button.
import type { JSX } from 'preact'
import { t } from '../../i18n/i18n'
import { Field, type FormState } from '../../ui/form'

const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i

export function ColorField<T extends { accentColor: string }>({ form }: { form: FormState<T> }): JSX.Element {
  const color = form.values.accentColor.trim()
  const full = hex.test(color)
    ? color.length === 4
      ? '#' + [...color.slice(1)].map((c) => c + c).join('')
      : color
    : ''
  return (
    <Field
      form={form}
      path="accentColor"
      label={t('settings.accentColor')}
      help={t('settings.accentColorHelp')}
      optional
    >
      {(control) => (
        <div class="row">
          <input
            type="color"
            class="color"
            aria-label={t('settings.pickColor')}
            value={full || '#2f5bd0'}
            onInput={(event) => form.set('accentColor', event.currentTarget.value)}
          />
          <input
            {...control}
            class="input hex"
            value={color}
            placeholder="#2f5bd0"
            maxLength={7}
            spellcheck={false}
            autoComplete="off"
            onInput={(event) => form.set('accentColor', event.currentTarget.value)}
          />
          {full && (
            <span class="color-sample" style={{ background: full, color: isLight(full) ? '#000' : '#fff' }}>
              {t('settings.colorSample')}
            </span>
          )}
        </div>
      )}
    </Field>
  )
}

// isLight reports whether black is easier to read on a color than white, by the luminance of WCAG.
function isLight(color: string): boolean {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179
}
