import type { JSX } from 'preact'
import { t } from '../i18n/i18n'
import type { StoreLanguage } from './languages'

export type Completeness = 'full' | 'half' | 'none'

// LanguageTabs chooses the language of the texts that a form shows, and says which languages have texts.
export function LanguageTabs({
  languages,
  shown,
  onChange,
  completeness,
}: {
  languages: StoreLanguage[]
  shown: string
  onChange: (code: string) => void
  completeness: (code: string) => Completeness
}): JSX.Element | null {
  if (languages.length < 2) return null
  return (
    <div class="language-tabs" role="group" aria-label={t('editor.languages')}>
      {languages.map((l) => {
        const state = completeness(l.code)
        return (
          <button key={l.code} type="button" aria-pressed={l.code === shown} onClick={() => onChange(l.code)}>
            <span class={`dot ${state}`} title={t(`editor.complete.${state}`)} />
            {l.name}
          </button>
        )
      })}
    </div>
  )
}
