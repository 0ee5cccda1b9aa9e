import loaders from 'help:languages'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failure } from '../api/client'
import { language, t } from '../i18n/i18n'
import { ErrorState, Skeleton } from '../ui/basics'
import { Dialog } from '../ui/dialog'

type Pages = Awaited<ReturnType<(typeof loaders)['en']>>['default']

// HelpDialog shows the help page of a screen. Links of the page lead to other pages.
export function HelpDialog({ page, onClose }: { page: string; onClose: () => void }): JSX.Element {
  const [shown, setShown] = useState(page)
  const [pages, setPages] = useState<Pages>()
  const [error, setError] = useState<Failure>()
  const load = (): void => {
    setError(undefined)
    loaders[language.value]().then(
      (module) => setPages(module.default),
      (e) => setError(new Failure('failed', 0, String(e))),
    )
  }
  useEffect(load, [language.value])
  const found = pages?.[shown]
  const follow = (event: MouseEvent): void => {
    const name = (event.target as Element).closest('a')?.getAttribute('href')
    if (!name) return
    event.preventDefault()
    setShown(name)
  }
  return (
    <Dialog side title={found?.title ?? t('nav.help')} onClose={onClose}>
      {error && <ErrorState error={error} retry={load} />}
      {!error && !found && <Skeleton lines={8} />}
      {/* The pages are part of the program. */}
      {found && <div class="help-page" onClick={follow} dangerouslySetInnerHTML={{ __html: found.html }} />}
      <footer>
        <a href="/docs" target="_blank" rel="noopener">
          {t('nav.apiDocs')}
        </a>
      </footer>
    </Dialog>
  )
}
