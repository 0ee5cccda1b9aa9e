// Parts of the pictures of a campaign that other screens share, too.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../../i18n/i18n'
import { Button } from '../../ui/basics'
import { toast, toastFailure } from '../../ui/dialog'
import { Icon } from '../../ui/icons'

const types = ['image/png', 'image/jpeg', 'image/gif']
const maxSize = 2_000_000 // bytes, as the server has it

// PictureDrop takes pictures that are dropped on it or chosen. Files that the server would refuse are left out.
export function PictureDrop({
  label,
  small,
  busy,
  onFiles,
}: {
  label: string
  small?: boolean
  busy?: boolean
  onFiles: (files: File[]) => void
}): JSX.Element {
  const [over, setOver] = useState(false)
  const take = (list: FileList | null | undefined): void => {
    const files = [...(list ?? [])].slice(0, small ? 1 : undefined)
    const fitting = files.filter((f) => types.includes(f.type) && f.size <= maxSize)
    if (files.some((f) => !types.includes(f.type))) toast(t('error.file_type_not_allowed'), 'danger')
    if (files.some((f) => f.size > maxSize)) toast(t('error.file_too_large'), 'danger')
    if (fitting.length > 0 && !busy) onFiles(fitting)
  }
  return (
    <label
      class={['drop', over && 'over', small && 'small'].filter(Boolean).join(' ')}
      aria-busy={busy ? 'true' : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer?.files)
      }}
    >
      <input
        class="hidden"
        type="file"
        accept={types.join()}
        multiple={!small}
        onChange={(event) => {
          take(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      {busy ? <span class="spinner" /> : <Icon name="image" />}
      <span>{label}</span>
      {!small && <small class="muted">{t('pictures.limits')}</small>}
    </label>
  )
}

// PictureUpload uploads pictures at once, one after the other.
export function PictureUpload({
  label,
  save,
  small,
  onDone,
}: {
  label: string
  save: (file: File) => Promise<unknown>
  small?: boolean
  onDone?: () => void
}): JSX.Element {
  const [busy, setBusy] = useState(false)
  const upload = async (files: File[]): Promise<void> => {
    setBusy(true)
    try {
      for (const file of files) await save(file)
      toast(t('pictures.saved'))
      onDone?.()
    } catch (failure) {
      toastFailure(failure)
    }
    setBusy(false)
  }
  return <PictureDrop label={label} small={small} busy={busy} onFiles={(files) => void upload(files)} />
}

// Photo is a picture in a list of photos, with a button to delete it.
export function Photo({
  source,
  name,
  onDelete,
}: {
  source: string
  name: string
  onDelete?: () => void
}): JSX.Element {
  return (
    <li>
      <img src={source} alt={name} loading="lazy" />
      {onDelete && <Button small icon="trash" label={t('pictures.delete', { name })} onClick={onDelete} />}
    </li>
  )
}

// useFileURL returns the address of a file on this device, for as long as it is shown.
export function useFileURL(file: File | null | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!file) return setAddress(undefined)
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}
