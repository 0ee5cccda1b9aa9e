import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Failure } from '../api/client'
import { t } from '../i18n/i18n'
import { Button, failureText, fieldText } from './basics'
import { Confirm, toast } from './dialog'
import { Icon } from './icons'

const version = signal(0)

// latest returns the address of a picture, another one after a picture was replaced: browsers keep what they have
// shown.
export function latest(address: string): string {
  return version.value ? `${address}?v=${version.value}` : address
}

// Upload stores a picture, or a document, at once: chosen, or dropped on it. picture or document is the address of the
// stored one.
export function Upload({
  label,
  help,
  save,
  remove,
  stored,
  picture,
  document,
  removeHelp,
  mayEdit,
}: {
  label: string
  help: string
  save: (file: File) => Promise<unknown>
  remove: () => Promise<unknown>
  stored: boolean
  picture?: string
  document?: string
  removeHelp: string
  mayEdit: boolean
}): JSX.Element {
  const id = useId()
  const isDocument = document !== undefined
  const input = useRef<HTMLInputElement>(null)
  const [preview, setPreview] = useState('') // of the file that is being sent
  const [busy, setBusy] = useState(false)
  const [over, setOver] = useState(false)
  const [error, setError] = useState('')
  const [asking, setAsking] = useState(false)
  useEffect(() => () => URL.revokeObjectURL(preview), [preview])
  const send = async (file: File | null | undefined): Promise<void> => {
    if (!file || busy) return
    setBusy(true)
    setError('')
    if (!isDocument && file.type.startsWith('image/')) setPreview(URL.createObjectURL(file))
    try {
      await save(file)
      version.value = Date.now()
      toast(t('settings.fileSaved', { label }))
    } catch (e) {
      const refused = e instanceof Failure ? Object.values(e.fields).flat()[0] : undefined
      setError(refused ? fieldText(refused) : e instanceof Failure ? failureText(e) : String(e))
    }
    setPreview('')
    setBusy(false)
    if (input.current) input.current.value = ''
  }
  const shown = preview || (stored && picture)
  return (
    <div
      class={over ? 'upload over' : 'upload'}
      onDragOver={(event) => {
        if (mayEdit) {
          event.preventDefault()
          setOver(true)
        }
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (mayEdit) void send(event.dataTransfer?.files[0])
      }}
    >
      {!isDocument && (
        <div class="upload-picture">{shown ? <img src={shown} alt={label} /> : <Icon name="image" size={32} />}</div>
      )}
      <div class="field">
        <label class="label" for={id}>
          {label}
        </label>
        {isDocument &&
          (stored ? (
            <a href={document} target="_blank" rel="noopener">
              {t('settings.openFile')}
            </a>
          ) : (
            <span class="muted">{t('settings.noFile')}</span>
          ))}
        <div class="help" id={`${id}-help`}>
          {help}
        </div>
        {error && (
          <div class="error" role="alert">
            <Icon name="warning" size={16} />
            {error}
          </div>
        )}
      </div>
      {mayEdit && (
        <div class="row">
          <span class="file-button">
            <input
              ref={input}
              id={id}
              type="file"
              accept={isDocument ? 'application/pdf' : 'image/png,image/gif,image/jpeg'}
              aria-describedby={`${id}-help`}
              onChange={(event) => void send(event.currentTarget.files?.[0])}
            />
            <span class="button small" aria-hidden="true">
              {busy ? <span class="spinner" /> : <Icon name="upload" size={16} />}
              {t(stored ? 'settings.replaceFile' : 'settings.chooseFile')}
            </span>
          </span>
          {stored && (
            <Button small kind="plain" icon="trash" onClick={() => setAsking(true)}>
              {t('action.remove')}
              <span class="hidden"> {label}</span>
            </Button>
          )}
        </div>
      )}
      {asking && (
        <Confirm
          title={t('settings.removeFile', { label })}
          action={t('action.remove')}
          onClose={() => setAsking(false)}
          onConfirm={remove}
        >
          {removeHelp}
        </Confirm>
      )}
    </div>
  )
}
