import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { CampaignFull } from '../../api/types'
import { url, write } from '../../api/client'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Button, Card } from '../../ui/basics'
import { Confirm, toast, toastFailure } from '../../ui/dialog'
import { Icon } from '../../ui/icons'

// Pictures shows the photos and the icon of the brand, and takes others by drag and drop or by choosing a file.
export function Pictures({ campaign: c }: { campaign: CampaignFull }): JSX.Element | null {
  const base = `/api/{store}/campaign/${c.campaignId}`
  const photos = c.photos ?? []
  const canModify = may('REWARD_CAMPAIGN', 'MODIFY')
  const [leaving, setLeaving] = useState<string | null>(null)
  if (!canModify && photos.length === 0) return null
  return (
    <Card title={t('pictures.title')}>
      {photos.length > 0 && (
        <ul class="photos">
          {photos.map((p) => (
            <li key={p.photoId}>
              <img src={url(`${base}/photo/${p.photoId}`)} alt={p.orginalName} loading="lazy" />
              {canModify && <Button small icon="trash" label={t('pictures.delete', { name: p.orginalName })} onClick={() => setLeaving(p.photoId)} />}
            </li>
          ))}
        </ul>
      )}
      {canModify && <Drop label={t('pictures.add')} name="photo[file]" path={`${base}/photo`} />}
      {canModify && (
        <div class="row">
          {c.brandIcon && <img class="brand-icon" src={url(`${base}/brand_icon`)} alt={t('pictures.icon')} />}
          <Drop label={t(c.brandIcon ? 'pictures.changeIcon' : 'pictures.addIcon')} name="brand_icon[file]" path={`${base}/brand_icon`} small />
        </div>
      )}
      {leaving && (
        <Confirm title={t('pictures.deleteTitle')} action={t('pictures.deleteNow')} onClose={() => setLeaving(null)}
          onConfirm={() => write('DELETE', `${base}/photo/${leaving}`)}>{t('pictures.deleteHelp')}</Confirm>
      )}
    </Card>
  )
}

// Drop takes pictures that are dropped on it, and uploads them one after the other.
export function Drop({ label, name, path, small, onDone }: {
  label: string; name: string; path: string; small?: boolean; onDone?: () => void
}): JSX.Element {
  const [over, setOver] = useState(false)
  const [busy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const upload = async (files: FileList | null | undefined): Promise<void> => {
    if (!files?.length || busy) return
    setBusy(true)
    try {
      for (const file of files) {
        const body = new FormData()
        body.set(name, file)
        await write('POST', path, body)
      }
      toast(t('pictures.saved'))
      onDone?.()
    } catch (failure) {
      toastFailure(failure)
    }
    setBusy(false)
  }
  return (
    <label class={['drop', over && 'over', small && 'small'].filter(Boolean).join(' ')} aria-busy={busy ? 'true' : undefined}
      onDragOver={(event) => { event.preventDefault(); setOver(true) }} onDragLeave={() => setOver(false)}
      onDrop={(event) => { event.preventDefault(); setOver(false); void upload(event.dataTransfer?.files) }}>
      <input ref={input} class="hidden" type="file" accept="image/png,image/jpeg,image/gif" multiple={!small}
        onChange={(event) => { void upload(event.currentTarget.files); event.currentTarget.value = '' }} />
      {busy ? <span class="spinner" /> : <Icon name="image" />}
      <span>{label}</span>
      {!small && <small class="muted">{t('pictures.limits')}</small>}
    </label>
  )
}
