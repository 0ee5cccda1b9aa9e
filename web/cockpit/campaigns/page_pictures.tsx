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
  const campaign = c.campaignId
  const photos = c.photos ?? []
  const canModify = may('REWARD_CAMPAIGN', 'MODIFY')
  const [deleting, setDeleting] = useState<(() => Promise<unknown>) | null>(null) // deletes the picture
  const removePhoto = (photoId: string) => (): Promise<unknown> =>
    write('DELETE', '/api/{store}/campaign/{campaign}/photo/{photoId}', { params: { campaign, photoId } })
  const removeIcon = (): Promise<unknown> =>
    write('DELETE', '/api/{store}/campaign/{campaign}/brand_icon', { params: { campaign } })
  if (!canModify && photos.length === 0) return null
  return (
    <Card title={t('pictures.title')}>
      {photos.length > 0 && (
        <ul class="photos">
          {photos.map((p) => (
            <Photo
              key={p.photoId}
              source={url('/api/{store}/campaign/{campaign}/photo/{photoId}', { campaign, photoId: p.photoId })}
              name={p.orginalName}
              onDelete={canModify ? () => setDeleting(() => removePhoto(p.photoId)) : undefined}
            />
          ))}
        </ul>
      )}
      {canModify && (
        <PictureUpload
          label={t('pictures.add')}
          save={(file) =>
            write('POST', '/api/{store}/campaign/{campaign}/photo', { params: { campaign }, body: { photo: { file } } })
          }
        />
      )}
      {canModify && (
        <div class="row">
          {c.brandIcon && (
            <img
              class="brand-icon"
              src={url('/api/{store}/campaign/{campaign}/brand_icon', { campaign })}
              alt={t('pictures.icon')}
            />
          )}
          <PictureUpload
            label={t(c.brandIcon ? 'pictures.changeIcon' : 'pictures.addIcon')}
            small
            save={(file) =>
              write('POST', '/api/{store}/campaign/{campaign}/brand_icon', {
                params: { campaign },
                body: { brand_icon: { file } },
              })
            }
          />
          {c.brandIcon && (
            <Button icon="trash" label={t('pictures.deleteIcon')} onClick={() => setDeleting(() => removeIcon)} />
          )}
        </div>
      )}
      {deleting && (
        <Confirm
          title={t('pictures.deleteTitle')}
          action={t('pictures.deleteNow')}
          onClose={() => setDeleting(null)}
          onConfirm={deleting}
        >
          {t('pictures.deleteHelp')}
        </Confirm>
      )}
    </Card>
  )
}
