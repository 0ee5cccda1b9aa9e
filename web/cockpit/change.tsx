import type { JSX } from 'preact'
import { percent, t, type Key } from '../i18n/i18n'
import { Icon } from '../ui/icons'

const most = 9.99 // larger changes, as of a program that has just begun, are not shown exactly

// Change compares a value with the one of an earlier period: in percent of that one, or a share in percentage points.
// The title names that period and its value.
export function Change({
  value,
  before,
  title,
  share,
}: {
  value: number
  before: number
  title: string
  share?: boolean
}): JSX.Element {
  if (share)
    return (
      <Difference
        by={Math.round((value - before) * 1000) / 10}
        text={(n) => t('overview.percentagePoints', { n })}
        title={title}
      />
    )
  if (before === 0)
    return (
      <span class="figure-change" title={title}>
        {t(value === 0 ? 'overview.unchanged' : 'overview.noneBefore')}
      </span>
    )
  return (
    <Difference
      by={(value - before) / Math.abs(before)}
      text={(ratio) => (ratio > most ? `> ${percent(most)}` : percent(ratio))}
      title={title}
    />
  )
}

function Difference({ by, text, title }: { by: number; text: (size: number) => string; title: string }): JSX.Element {
  const way: Key = by > 0 ? 'overview.up' : by < 0 ? 'overview.down' : 'overview.unchanged'
  return (
    <span class="figure-change" title={title}>
      {by !== 0 && <Icon name={by > 0 ? 'up' : 'down'} size={14} />}
      <span class={by === 0 ? '' : 'hidden'}>{t(way)} </span>
      {by !== 0 && text(Math.abs(by))}
    </span>
  )
}
