// The enrolled tills of a store.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useQuery, write } from '../api/client'
import type { TillView } from '../api/types'
import { dateTime, t } from '../i18n/i18n'
import { Button, ErrorState, Skeleton } from './basics'
import { Confirm, toast } from './dialog'

const shown = 100

export function TillList({ mayRevoke }: { mayRevoke: boolean }): JSX.Element {
  const tills = useQuery('/api/{store}/till', { perPage: shown })
  const [leaving, setLeaving] = useState<TillView | null>(null)
  const all = tills.data?.tills ?? []
  const more = (tills.data?.total ?? 0) - all.length
  const revoke = async (till: string): Promise<void> => {
    await write('DELETE', '/api/{store}/till/{till}', { params: { till } })
    toast(t('tills.revoked'))
  }
  return (
    <div class="stack">
      <p class="muted">{t('tills.text')}</p>
      {tills.error && <ErrorState error={tills.error} retry={tills.reload} />}
      {!tills.data && !tills.error && <Skeleton />}
      {tills.data && all.length === 0 && <p>{t('tills.empty')}</p>}
      <ul class="sessions">
        {all.map((one) => (
          <li key={one.tillId}>
            <span>
              {[one.name, one.posName !== one.name && one.posName].filter(Boolean).join(' · ')}
              <small>{t('tills.enrolled', { name: one.enrolledByName, when: dateTime(one.enrolledAt) })}</small>
            </span>
            {mayRevoke && (
              <Button small label={t('tills.revokeOf', { name: one.name })} onClick={() => setLeaving(one)}>
                {t('tills.revoke')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {more > 0 && <p class="muted">{t('tills.more', { n: more })}</p>}
      {leaving && (
        <Confirm
          title={t('tills.revokeOf', { name: leaving.name })}
          action={t('tills.revoke')}
          onClose={() => setLeaving(null)}
          onConfirm={() => revoke(leaving.tillId)}
        >
          {t('tills.revokeText', { name: leaving.name })}
        </Confirm>
      )}
    </div>
  )
}
