import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CampaignFull } from '../../api/types'
import { url, write } from '../../api/client'
import { may } from '../../api/session'
import { t } from '../../i18n/i18n'
import { Button, Card } from '../../ui/basics'
import { Confirm } from '../../ui/dialog'
import { Photo, PictureUpload } from './pictures'

// Pictures shows the photos and the icon of the brand, and uploads others at once.
export function Pictures({ campaign: c }: { campaign: CampaignFull }): JSX.Element | null {
  const base = `/api/{store}/campaign/${c.campaignId}`
  const photos = c.photos ?? []
  const canModify = may('REWARD_CAMPAIGN', 'MODIFY')
  const [deleting, setDeleting] = useState<string | null>(null) // path of the picture
  if (!canModify && photos.length === 0) return null
  return (
    <Card title={t('pictures.title')}>
      {photos.length > 0 && (
        <ul class="photos">
          {photos.map((p) => (
            <Photo key={p.photoId} source={url(`${base}/photo/${p.photoId}`)} name={p.orginalName}
              onDelete={canModify ? () => setDeleting(`${base}/photo/${p.photoId}`) : undefined} />
          ))}
        </ul>
      )}
      {canModify && <PictureUpload label={t('pictures.add')} name="photo[file]" path={`${base}/photo`} />}
      {canModify && (
        <div class="row">
          {c.brandIcon && <img class="brand-icon" src={url(`${base}/brand_icon`)} alt={t('pictures.icon')} />}
          <PictureUpload label={t(c.brandIcon ? 'pictures.changeIcon' : 'pictures.addIcon')} name="brand_icon[file]" path={`${base}/brand_icon`} small />
          {c.brandIcon && <Button icon="trash" label={t('pictures.deleteIcon')} onClick={() => setDeleting(`${base}/brand_icon`)} />}
        </div>
      )}
      {deleting && (
        <Confirm title={t('pictures.deleteTitle')} action={t('pictures.deleteNow')} onClose={() => setDeleting(null)}
          onConfirm={() => write('DELETE', deleting)}>{t('pictures.deleteHelp')}</Confirm>
      )}
    </Card>
  )
}
