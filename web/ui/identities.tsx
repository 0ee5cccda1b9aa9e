// Links the own account of an administrator or seller with identity providers.
import type { JSX } from 'preact'
import { useQuery, write } from '../api/client'
import { app } from '../api/session'
import { relative, t } from '../i18n/i18n'
import { Button, ErrorState, Notice, Skeleton } from './basics'
import { Dialog, toast, toastFailure } from './dialog'
import { leave } from './providers'

export default function Identities({ onClose }: { onClose: () => void }): JSX.Element {
  const path = app === 'till' ? '/api/{store}/seller/identities' : '/api/me/identities'
  const { data, error, reload } = useQuery(path)
  const unlink = async (id: string): Promise<void> => {
    try {
      await write('DELETE', `${path}/{identity}`, { params: { identity: id } })
      toast(t('sso.unlinked'))
    } catch (failure) {
      toastFailure(failure)
    }
    reload()
  }
  const link = (provider: string): void => {
    leave(write('POST', `${path}/start`, { body: { provider }, key: null })).catch(() => undefined)
  }
  return (
    <Dialog title={t('sso.own')} onClose={onClose}>
      <p class="muted">{t(app === 'till' ? 'sso.ownTextTill' : 'sso.ownText')}</p>
      {error && <ErrorState error={error} retry={reload} />}
      {!data && !error && <Skeleton />}
      {data?.identities.length === 0 && data.providers.length === 0 && <Notice>{t('sso.noProviders')}</Notice>}
      <ul class="sessions">
        {data?.identities.map((i) => (
          <li key={i.identityId}>
            <span>
              {i.provider}
              <small>{i.lastUsedAt ? t('sessions.lastUsed', { when: relative(i.lastUsedAt) }) : t('sso.unused')}</small>
            </span>
            <Button small label={t('sso.unlinkOf', { name: i.provider })} onClick={() => void unlink(i.identityId)}>
              {t('sso.unlink')}
            </Button>
          </li>
        ))}
        {data?.providers.map((p) => (
          <li key={p.providerId}>
            <span>
              {p.name}
              <small>{t('sso.notLinked')}</small>
            </span>
            <Button small kind="primary" label={t('sso.linkOf', { name: p.name })} onClick={() => link(p.providerId)}>
              {t('sso.link')}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
