import type { JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Failure, url, write } from '../../api/client'
import type { BrandingFileView } from '../../api/types'
import { t } from '../../i18n/i18n'
import { Button, failureText, fieldText } from '../../ui/basics'
import { Confirm, toast } from '../../ui/dialog'
import { Icon } from '../../ui/icons'

// Upload stores a picture, or a document, of the store at once: chosen, or dropped on it.
export function Upload({ name, label, help, stored, mayEdit, document: isDocument }: {
  name: string; label: string; help: string; stored: BrandingFileView | undefined; mayEdit: boolean; document?: boolean
}): JSX.Element {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [preview, setPreview] = useState('') // of the file that is being sent
  const [version, setVersion] = useState(0) // shows a new picture at the same address
  const [busy, setBusy] = useState(false)
  const [over, setOver] = useState(false)
  const [error, setError] = useState('')
  const [asking, setAsking] = useState(false)
  useEffect(() => () => URL.revokeObjectURL(preview), [preview])
  const path = isDocument ? '/api/{store}/settings/conditions-file' : `/api/{store}/settings/photo/${name}`
  const send = async (file: File | null | undefined): Promise<void> => {
    if (!file || busy) return
    setBusy(true)
    setError('')
    if (!isDocument && file.type.startsWith('image/')) setPreview(URL.createObjectURL(file))
    const body = new FormData()
    body.set(isDocument ? 'conditions[file]' : 'photo[file]', file)
    try {
      await write('POST', path, body)
      setVersion(version + 1)
      toast(t('settings.fileSaved', { label }))
    } catch (e) {
      const field = e instanceof Failure ? Object.values(e.fields).flat()[0] : undefined
      setError(field ? fieldText(field) : e instanceof Failure ? failureText(e) : String(e))
    }
    setPreview('')
    setBusy(false)
    if (input.current) input.current.value = ''
  }
  const shown = preview || (stored && `${stored.path}?v=${version}`)
  return (
    <div class={over ? 'upload over' : 'upload'}
      onDragOver={(event) => { if (mayEdit) { event.preventDefault(); setOver(true) } }} onDragLeave={() => setOver(false)}
      onDrop={(event) => { event.preventDefault(); setOver(false); if (mayEdit) void send(event.dataTransfer?.files[0]) }}>
      {!isDocument && (
        <div class="upload-picture">{shown ? <img src={shown} alt={label} /> : <Icon name="image" size={32} />}</div>
      )}
      <div class="field">
        <label class="label" for={id}>{label}</label>
        {isDocument && (
          stored ? <a href={url(path)} target="_blank" rel="noopener">{t('settings.openFile')}</a> : <span class="muted">{t('settings.noFile')}</span>
        )}
        <div class="help" id={`${id}-help`}>{help}</div>
        {error && <div class="error" role="alert"><Icon name="warning" size={16} />{error}</div>}
      </div>
      {mayEdit && (
        <div class="row">
          <span class="file-button">
            <input ref={input} id={id} type="file" accept={isDocument ? 'application/pdf' : 'image/png,image/gif,image/jpeg'}
              aria-describedby={`${id}-help`} onChange={(event) => void send(event.currentTarget.files?.[0])} />
            <span class="button small" aria-hidden="true">
              {busy ? <span class="spinner" /> : <Icon name="upload" size={16} />}{t(stored ? 'settings.replaceFile' : 'settings.chooseFile')}
            </span>
          </span>
          {stored && <Button small kind="plain" icon="trash" onClick={() => setAsking(true)}>{t('action.remove')}<span class="hidden"> {label}</span></Button>}
        </div>
      )}
      {asking && (
        <Confirm title={t('settings.removeFile', { label })} action={t('action.remove')} onClose={() => setAsking(false)}
          onConfirm={() => write('DELETE', path)}>{t(isDocument ? 'settings.removeTermsHelp' : 'settings.removePictureHelp')}</Confirm>
      )}
    </div>
  )
}
