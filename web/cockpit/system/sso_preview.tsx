// Shows which role groups of an identity provider give.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Failure, usePreview } from '../../api/client'
import type { SsoProviderView } from '../../api/types'
import { t } from '../../i18n/i18n'
import { failureText, Notice } from '../../ui/basics'
import { Dialog } from '../../ui/dialog'

export function Preview({ provider, onClose }: { provider: SsoProviderView; onClose: () => void }): JSX.Element {
  const [text, setText] = useState('')
  const groups = text.split('\n').map((line) => line.trim()).filter(Boolean)
  const result = usePreview('/api/admin/identity-provider/preview', groups.length > 0 ? { provider: provider.providerId, groups } : null)
  return (
    <Dialog title={t('sso.previewTitle', { name: provider.name })} onClose={onClose}>
      <div class="stack">
        <label class="field">
          <span class="label">{t('sso.previewGroups')}</span>
          <textarea class="input" rows={4} value={text} autofocus onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        {result instanceof Failure && <Notice tone="danger">{failureText(result)}</Notice>}
        {result && !(result instanceof Failure) && (result.role
          ? <Notice tone="success">{t('sso.previewRole', { role: result.role, group: result.group ?? '' })}</Notice>
          : <Notice tone="warning">{t('sso.previewNone')}</Notice>)}
      </div>
    </Dialog>
  )
}
