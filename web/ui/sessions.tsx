import type { JSX } from 'preact'
import { useQuery, write } from '../api/client'
import { ended } from '../api/session'
import { relative, t } from '../i18n/i18n'
import { Badge, Button, ErrorState, Skeleton } from './basics'
import { Dialog, toast, toastFailure } from './dialog'

// SessionsDialog lists where the user is signed in, and ends sessions at once.
export function SessionsDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const sessions = useQuery('/api/me/sessions')
  const end = async (id: string, isCurrent: boolean): Promise<void> => {
    try {
      await write('DELETE', '/api/me/sessions/{session}', { params: { session: id } })
      if (isCurrent) return ended()
      toast(t('sessions.ended'))
    } catch (error) {
      toastFailure(error)
    }
    sessions.reload()
  }
  return (
    <Dialog title={t('sessions.title')} onClose={onClose}>
      <p class="muted">{t('sessions.text')}</p>
      {sessions.error && <ErrorState error={sessions.error} retry={sessions.reload} />}
      {!sessions.data && !sessions.error && <Skeleton />}
      <ul class="sessions">
        {sessions.data?.sessions.map((s) => {
          const device = s.device || t('sessions.unknown')
          return (
            <li key={s.sessionId}>
              <span>
                {device} {s.current && <Badge tone="success">{t('sessions.current')}</Badge>}
                <small>
                  {[t(s.app ? `sessions.app.${s.app as 'till'}` : 'sessions.app.program'), s.address]
                    .filter(Boolean)
                    .join(' · ')}
                </small>
                <small>{t('sessions.lastUsed', { when: relative(s.lastUsedAt) })}</small>
              </span>
              <Button small label={t('sessions.endOf', { device })} onClick={() => void end(s.sessionId, s.current)}>
                {t('sessions.end')}
              </Button>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
