// Shows what groups of an identity provider give.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Failure, usePreview } from '../../api/client'
import type { SsoPreviewResult, SsoProviderView } from '../../api/types'
import { t } from '../../i18n/i18n'
import { failureText, Notice } from '../../ui/basics'
import { Dialog } from '../../ui/dialog'
import { baseOf } from './sso_new'

export function Preview({
  inStore,
  provider,
  onClose,
}: {
  inStore: boolean
  provider: SsoProviderView
  onClose: () => void
}): JSX.Element {
  const [text, setText] = useState('')
  const groups = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const result = usePreview(
    `${baseOf(inStore)}/preview`,
    groups.length > 0 ? { provider: provider.providerId, groups } : null,
  )
  return (
    <Dialog title={t('sso.previewTitle', { name: provider.name })} onClose={onClose}>
      <div class="stack">
        <label class="field">
          <span class="label">{t('sso.previewGroups')}</span>
          <textarea
            class="input"
            rows={4}
            value={text}
            autofocus
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        {result instanceof Failure && <Notice tone="danger">{failureText(result)}</Notice>}
        {result && !(result instanceof Failure) && <Given result={result} />}
      </div>
    </Dialog>
  )
}

function Given({ result: r }: { result: SsoPreviewResult }): JSX.Element {
  const lines = [
    ...(r.role ? [t('sso.previewRole', { role: r.role, group: r.group ?? '' })] : []),
    ...(r.stores ?? []).map((s) => t('sso.previewStore', { role: s.role, group: s.group, store: s.store })),
    ...(r.seller
      ? [
          r.seller.posName
            ? t('sso.previewSellerAt', { group: r.seller.group, pos: r.seller.posName })
            : t('sso.previewSeller', { group: r.seller.group }),
        ]
      : []),
  ]
  if (lines.length === 0) return <Notice tone="warning">{t('sso.previewNone')}</Notice>
  return (
    <>
      {lines.map((line) => (
        <Notice key={line} tone="success">
          {line}
        </Notice>
      ))}
    </>
  )
}
