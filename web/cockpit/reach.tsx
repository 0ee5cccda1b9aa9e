import type { JSX } from 'preact'
import { Failure } from '../api/client'
import { number, t } from '../i18n/i18n'
import { Icon } from '../ui/icons'

interface Reached {
  customers: number
  total: number
  estimate: boolean
  examples: { customerId: string; name?: string }[]
}

// ReachCount shows the result of usePreview: how many customers a draft reaches. The server refuses a draft that is not
// complete: it has no count.
export function ReachCount({ reached }: { reached: Reached | Failure | null }): JSX.Element {
  if (reached === null || reached instanceof Failure) {
    return (
      <div class="reach" role="status" aria-busy={reached === null ? 'true' : undefined}>
        <Icon name="customers" />
        <strong>{t(reached === null ? 'editor.counting' : 'reach.incomplete')}</strong>
      </div>
    )
  }
  const names = reached.examples.map((e) => e.name).filter(Boolean)
  return (
    <div class="reach" role="status">
      <Icon name="customers" />
      <div>
        <strong>
          {t(reached.estimate ? 'editor.reachesAbout' : 'editor.reaches', {
            n: reached.customers,
            total: number(reached.total),
          })}
        </strong>
        {names.length > 0 && <div class="muted">{t('editor.examples', { names: names.join(', ') })}</div>}
      </div>
    </div>
  )
}
