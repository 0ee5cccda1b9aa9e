import type { JSX } from 'preact'
import type { CampaignFull } from '../../api/types'
import { url } from '../../api/client'
import { t } from '../../i18n/i18n'
import { Button, Card } from '../../ui/basics'
import { Photo, PictureDrop, useFileURL } from './pictures'
import type { SectionProps } from './types'

// PicturesSection chooses photos and the icon of the brand. They are uploaded after the campaign is saved.
export function PicturesSection({
  form,
  stored,
}: Pick<SectionProps, 'form'> & { stored: CampaignFull | undefined }): JSX.Element {
  const { photos, removedPhotos, icon, removedIcon } = form.values
  const campaign = stored?.campaignId ?? ''
  const chosenIcon = useFileURL(icon)
  const shownIcon =
    chosenIcon ??
    (stored?.brandIcon && !removedIcon ? url('/api/{store}/campaign/{campaign}/brand_icon', { campaign }) : undefined)
  const kept = (stored?.photos ?? []).filter((p) => !removedPhotos.includes(p.photoId))
  const removeIcon = (): void => {
    form.set('icon', null)
    if (!icon) form.set('removedIcon', true)
  }
  return (
    <Card title={t('pictures.title')}>
      {kept.length + photos.length > 0 && (
        <ul class="photos">
          {kept.map((p) => (
            <Photo
              key={p.photoId}
              source={url('/api/{store}/campaign/{campaign}/photo/{photoId}', { campaign, photoId: p.photoId })}
              name={p.orginalName}
              onDelete={() => form.set('removedPhotos', [...removedPhotos, p.photoId])}
            />
          ))}
          {photos.map((file, i) => (
            <NewPhoto
              key={i}
              file={file}
              onDelete={() =>
                form.set(
                  'photos',
                  photos.filter((other) => other !== file),
                )
              }
            />
          ))}
        </ul>
      )}
      <PictureDrop label={t('pictures.add')} onFiles={(files) => form.set('photos', [...photos, ...files])} />
      <div class="row">
        {shownIcon && <img class="brand-icon" src={shownIcon} alt={t('pictures.icon')} />}
        <PictureDrop
          label={t(shownIcon ? 'pictures.changeIcon' : 'pictures.addIcon')}
          small
          onFiles={([file]) => form.set('icon', file)}
        />
        {shownIcon && <Button icon="trash" label={t('pictures.deleteIcon')} onClick={removeIcon} />}
      </div>
      <p class="help">{t('pictures.afterSaving')}</p>
    </Card>
  )
}

function NewPhoto({ file, onDelete }: { file: File; onDelete: () => void }): JSX.Element | null {
  const source = useFileURL(file)
  return source ? <Photo source={source} name={file.name} onDelete={onDelete} /> : null
}
