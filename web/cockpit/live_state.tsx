import type { JSX } from 'preact'
import { t } from '../i18n/i18n'

// LiveState says whether a list grows by itself now, or will again when the server is reached.
export function LiveState({ connected }: { connected: boolean }): JSX.Element {
  return (
    <span class="live" role="status">
      <span class={connected ? 'live-dot' : 'live-dot lost'} />
      {t(connected ? 'latest.live' : 'latest.connecting')}
    </span>
  )
}
