// The screen of an enrolled till that is locked: a seller chooses their name and types their PIN.
import type { JSX } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { Failure, write } from '../api/client'
import * as session from '../api/session'
import type { TillDeviceView } from '../api/types'
import { t } from '../i18n/i18n'
import { Button, failureText, Notice, Skeleton } from '../ui/basics'
import icon from '../ui/icon.svg'
import { LanguageChoice } from '../ui/signin'
import { setEnrolled } from './enrolled'

// reason says why a call failed.
function reason(e: unknown): string {
  if (!(e instanceof Failure)) return String(e)
  return e.kind === 'network' ? t('till.switchOffline') : failureText(e)
}

export default function Switch({ onPassword }: { onPassword: () => void }): JSX.Element {
  const [device, setDevice] = useState<TillDeviceView | null>(null)
  const [failed, setFailed] = useState('')
  const [chosen, setChosen] = useState<TillDeviceView['sellers'][number] | null>(null)
  document.title = `${t('signIn.till')} · Punchcard`
  const load = async (): Promise<void> => {
    setFailed('')
    try {
      const found = await write('POST', '/api/{store}/till/device', { body: {}, key: null })
      if (found.enrolled) return setDevice(found)
      setEnrolled(false)
      onPassword()
    } catch (e) {
      setFailed(reason(e))
    }
  }
  useEffect(() => {
    const again = (): void => void load()
    again()
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [])
  return (
    <main class="sign-in" id="main" tabIndex={-1}>
      <div>
        <div class="brand">
          <img src={icon} alt="" /> {device?.name ?? t('signIn.till')}
        </div>
        <h1>{chosen ? t('till.pinOf', { name: chosen.name }) : t('till.who')}</h1>
        {failed && (
          <Notice tone="warning">
            <p>{failed}</p>
            <Button icon="refresh" onClick={() => void load()}>
              {t('action.retry')}
            </Button>
          </Notice>
        )}
        {!device && !failed && <Skeleton />}
        {device &&
          !chosen &&
          (device.sellers.length > 0 ? (
            <ul class="people">
              {device.sellers.map((one) => (
                <li key={one.sellerId}>
                  <button type="button" class="button" onClick={() => setChosen(one)}>
                    <strong>{one.name}</strong>
                  </button>
                </li>
              ))}
            </ul>
          ) : (
            <p class="muted">{t('till.nobody')}</p>
          ))}
        {chosen && <PinForm sellerId={chosen.sellerId} onBack={() => setChosen(null)} />}
        <p class="others">
          <button type="button" class="text-button" onClick={onPassword}>
            {t('till.withPassword')}
          </button>
        </p>
        <LanguageChoice />
      </div>
    </main>
  )
}

function PinForm({ sellerId, onBack }: { sellerId: string; onBack: () => void }): JSX.Element {
  const id = useId()
  const [pin, setPin] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (busy || !pin) return
    setBusy(true)
    setError(await enter(sellerId, pin))
    setPin('')
    setBusy(false)
  }
  return (
    <form class="form" onSubmit={(event) => void submit(event)} noValidate>
      {error && <Notice tone="danger">{error}</Notice>}
      <div class="field">
        <label class="label" for={id}>
          {t('till.pin')}
        </label>
        <input
          class="input"
          id={id}
          type="password"
          inputMode="numeric"
          autoComplete="off"
          maxLength={8}
          autofocus
          ref={(at) => at?.focus()}
          value={pin}
          onInput={(e) => setPin(e.currentTarget.value)}
        />
      </div>
      <Button kind="primary" type="submit" busy={busy}>
        {t('till.enter')}
      </Button>
      <Button onClick={onBack}>{t('till.otherSeller')}</Button>
    </form>
  )
}

// enter begins the session of a seller, and returns what went wrong.
async function enter(seller: string, pin: string): Promise<string> {
  try {
    await session.finishSignOut() // it must not end the new session
    const begun = await write('POST', '/api/{store}/till/session', { body: { seller, pin }, key: null })
    session.signedOut.value = false
    session.begin(begun)
    return ''
  } catch (e) {
    return reason(e)
  }
}
