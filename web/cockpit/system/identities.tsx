// Links the own account with identity providers.
import type { JSX } from 'preact'
import { useQuery, write } from '../../api/client'
import { relative, t } from '../../i18n/i18n'
import { Button, ErrorState, Notice, Skeleton } from '../../ui/basics'
import { Dialog, toast, toastFailure } from '../../ui/dialog'
import { leaveFor } from '../../ui/providers'

export default function Identities({ onClose }: { onClose: () => void }): JSX.Element {
  const { data, error, reload } = useQuery('/api/me/identities')
  const unlink = async (id: string): Promise<void> => {
    try {
      await write('DELETE', '/api/me/identities/{identity}', { params: { identity: id } })
      toast(t('sso.unlinked'))
    } catch (failure) {
      toastFailure(failure)
    }
    reload()
  }
  return (
    <Dialog title={t('sso.own')} onClose={onClose}>
      <p class="muted">{t('sso.ownText')}</p>
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
            <Button small label={t('sso.unlinkOf', { name: i.provider })} onClick={() => void unlink(i.identityId)}>{t('sso.unlink')}</Button>
          </li>
        ))}
        {data?.providers.map((p) => (
          <li key={p.providerId}>
            <span>{p.name}<small>{t('sso.notLinked')}</small></span>
            <Button small kind="primary" label={t('sso.linkOf', { name: p.name })}
              onClick={() => void leaveFor('/api/me/identities/start', p.providerId).catch(() => undefined)}>{t('sso.link')}</Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
