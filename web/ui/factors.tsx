// The user's second factors: passkeys, the authenticator app and recovery codes.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { mustEnroll, useQuery, write } from '../api/client'
import { create, isAvailable } from '../api/passkeys'
import { app } from '../api/session'
import type { AuthPasskeyView } from '../api/types'
import { dateTime, t } from '../i18n/i18n'
import { Button, Copy, ErrorState, Notice, Skeleton, writeClipboard } from './basics'
import { brand } from './brand'
import { Confirm, Dialog, toast } from './dialog'
import { Form, TextField, useForm } from './form'
import { QRImage } from './qr'

type View = 'list' | 'app' | 'passkey' | { codes: string[] } | { rename: AuthPasskeyView }

export default function Factors({ onClose }: { onClose: () => void }): JSX.Element {
  const own = useQuery('/api/me/factors')
  const [view, setView] = useState<View>('list')
  const [confirming, setConfirming] = useState<{ title: string; text: string; run: () => Promise<unknown> } | null>(
    null,
  )
  const data = own.data
  const hasFactor = data !== undefined && (data.totp !== undefined || data.passkeys.length > 0)
  const back = (): void => setView('list')
  const kept = (): void => {
    mustEnroll.value = false // ends the dialog that asked for a factor, which must not be before the codes were seen
    back()
  }
  const added = (codes: string[] | undefined): void => {
    toast(t('factors.added'))
    if (codes) setView({ codes })
    else kept()
  }
  // A session that has begun at an identity provider needs no password for a while.
  const isConfirmed = !!data?.confirmedUntil && Date.parse(data.confirmedUntil) > Date.now()
  const adding = {
    needsPassword: !hasFactor && !isConfirmed,
    byProvider: !!data?.confirmedUntil,
    done: added,
    cancel: back,
  }
  const hasCodes = typeof view === 'object' && 'codes' in view
  return (
    <Dialog title={t('factors.title')} onClose={hasCodes && mustEnroll.value ? kept : onClose} once={hasCodes}>
      {own.error && <ErrorState error={own.error} retry={own.reload} />}
      {!data && !own.error && <Skeleton />}
      {data && view === 'list' && (
        <div class="stack">
          {mustEnroll.value ? (
            <Notice tone="warning">{t('factors.mustEnroll')}</Notice>
          ) : data.required && !hasFactor ? (
            <Notice tone="warning">{t('factors.requiredFrom', { when: dateTime(data.requiredFrom ?? '') })}</Notice>
          ) : (
            <p class="muted">{t('factors.text')}</p>
          )}
          <h3>{t('factors.passkeys')}</h3>
          {data.passkeys.length > 0 && (
            <ul class="sessions">
              {data.passkeys.map((p) => (
                <li key={p.passkeyId}>
                  <span>
                    {p.name}
                    <small>
                      {t('factors.created', { when: dateTime(p.createdAt) })} ·{' '}
                      {p.lastUsedAt ? t('factors.used', { when: dateTime(p.lastUsedAt) }) : t('factors.neverUsed')}
                    </small>
                  </span>
                  <span class="row">
                    <Button
                      small
                      icon="edit"
                      label={t('factors.renameOf', { name: p.name })}
                      onClick={() => setView({ rename: p })}
                    />
                    <Button
                      small
                      icon="trash"
                      label={t('factors.removeOf', { name: p.name })}
                      onClick={() =>
                        setConfirming({
                          title: t('factors.removePasskey'),
                          text: t('factors.removePasskeyText', { name: p.name }),
                          run: () =>
                            write('DELETE', '/api/me/factors/passkeys/{passkey}', { params: { passkey: p.passkeyId } }),
                        })
                      }
                    />
                  </span>
                </li>
              ))}
            </ul>
          )}
          {isAvailable() ? (
            <div>
              <Button icon="plus" onClick={() => setView('passkey')}>
                {t('factors.addPasskey')}
              </Button>
            </div>
          ) : (
            <p class="muted">{t('factors.unavailable')}</p>
          )}
          {(app !== 'me' || data.totp) && (
            <>
              <h3>{t('factors.app')}</h3>
              {data.totp ? (
                <div class="row">
                  <span class="muted">{t('factors.created', { when: dateTime(data.totp.createdAt) })}</span>
                  <Button
                    small
                    label={t('factors.removeOf', { name: t('factors.app') })}
                    onClick={() =>
                      setConfirming({
                        title: t('factors.removeApp'),
                        text: t('factors.removeAppText'),
                        run: () => write('DELETE', '/api/me/factors/totp'),
                      })
                    }
                  >
                    {t('factors.remove')}
                  </Button>
                </div>
              ) : (
                <div>
                  <Button icon="plus" onClick={() => setView('app')}>
                    {t('factors.addApp')}
                  </Button>
                </div>
              )}
            </>
          )}
          {hasFactor && (
            <>
              <h3>{t('factors.recovery')}</h3>
              <div class="row">
                <span class="muted">{t('factors.codesLeft', { n: data.recoveryCodesLeft })}</span>
                <Button
                  small
                  onClick={() =>
                    setConfirming({
                      title: t('factors.newCodes'),
                      text: t('factors.newCodesText'),
                      run: async () =>
                        setView({
                          codes:
                            (await write('POST', '/api/me/factors/recovery-codes', { body: {}, key: null }))
                              .recoveryCodes ?? [],
                        }),
                    })
                  }
                >
                  {t('factors.newCodes')}
                </Button>
              </div>
            </>
          )}
        </div>
      )}
      {data && view === 'app' && <AddApp {...adding} />}
      {data && view === 'passkey' && <AddPasskey {...adding} />}
      {typeof view === 'object' && 'rename' in view && <Rename passkey={view.rename} done={back} />}
      {hasCodes && <Codes codes={view.codes} done={kept} />}
      {confirming && (
        <Confirm
          title={confirming.title}
          action={confirming.title}
          onConfirm={confirming.run}
          onClose={() => setConfirming(null)}
        >
          {confirming.text}
        </Confirm>
      )}
    </Dialog>
  )
}

interface Adding {
  needsPassword: boolean
  byProvider: boolean // single sign-on began the session
  done: (codes: string[] | undefined) => void
  cancel: () => void
}

function AddPasskey({ needsPassword, byProvider, done, cancel }: Adding): JSX.Element {
  const [failed, setFailed] = useState(false)
  const form = useForm({ name: '', currentPassword: '' }, async ({ name, currentPassword }) => {
    setFailed(false)
    const asked = await write('POST', '/api/me/factors/passkeys/challenge', { body: { currentPassword }, key: null })
    const credential = await create(asked, brand.value || 'Punchcard')
    if (!credential) return setFailed(true)
    const added = await write('POST', '/api/me/factors/passkeys', { body: { name, credential }, key: null })
    done(added.recoveryCodes)
  })
  return (
    <Form form={form} save={t('factors.addPasskey')} cancel={cancel}>
      {failed && <Notice tone="danger">{t('factors.passkeyFailed')}</Notice>}
      <TextField form={form} path="name" label={t('factors.name')} help={t('factors.nameHelp')} autoFocus />
      {needsPassword && (
        <TextField
          form={form}
          path="currentPassword"
          label={t('password.current')}
          type="password"
          autoComplete="current-password"
          help={byProvider && t('factors.byProvider')}
        />
      )}
    </Form>
  )
}

function AddApp({ needsPassword, byProvider, done, cancel }: Adding): JSX.Element {
  const [made, setMade] = useState<{ secret: string; address: string } | null>(null)
  const begin = useForm({ currentPassword: '' }, async (values) => {
    setMade(await write('POST', '/api/me/factors/totp', { body: values, key: null }))
  })
  const confirm = useForm({ code: '' }, async ({ code }) => {
    const answer = await write('POST', '/api/me/factors/totp/confirm', {
      body: { code: code.replace(/\s/g, '') },
      key: null,
    })
    done(answer.recoveryCodes)
  })
  if (!made) {
    return (
      <Form form={begin} save={t('factors.continue')} cancel={cancel}>
        <p class="muted">{t('factors.appText')}</p>
        {needsPassword && (
          <TextField
            form={begin}
            path="currentPassword"
            label={t('password.current')}
            type="password"
            autoComplete="current-password"
            autoFocus
            help={byProvider && t('factors.byProvider')}
          />
        )}
      </Form>
    )
  }
  return (
    <Form form={confirm} save={t('factors.addApp')} cancel={cancel}>
      <p>{t('factors.scan')}</p>
      <QRImage code={made.address} label={t('factors.qr')} />
      <p>
        {t('factors.secret')} <Copy text={made.secret} />
      </p>
      <TextField
        form={confirm}
        path="code"
        label={t('factors.code')}
        help={t('factors.firstCode')}
        autoComplete="one-time-code"
        autoFocus
      />
    </Form>
  )
}

function Rename({ passkey, done }: { passkey: AuthPasskeyView; done: () => void }): JSX.Element {
  const form = useForm({ name: passkey.name }, async (body) => {
    await write('PUT', '/api/me/factors/passkeys/{passkey}', { params: { passkey: passkey.passkeyId }, body })
    done()
  })
  return (
    <Form form={form} cancel={done}>
      <TextField form={form} path="name" label={t('factors.name')} autoFocus />
    </Form>
  )
}

// Codes shows recovery codes, which the server never shows again.
function Codes({ codes, done }: { codes: string[]; done: () => void }): JSX.Element {
  return (
    <div class="stack">
      <Notice tone="warning">{t('factors.codesText')}</Notice>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <footer class="form-bar">
        <Button icon="copy" onClick={() => void writeClipboard(codes.join('\n')).then(() => toast(t('action.copied')))}>
          {t('factors.copy')}
        </Button>
        <Button icon="download" onClick={() => print()}>
          {t('factors.print')}
        </Button>
        <Button kind="primary" onClick={done}>
          {t('factors.kept')}
        </Button>
      </footer>
    </div>
  )
}
