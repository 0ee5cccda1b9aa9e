import type { JSX } from 'preact'
import { percent, t, type Key } from '../i18n/i18n'
import { Icon } from '../ui/icons'

const most = 9.99 // larger changes, as of a program that has just begun, are not shown exactly

// Change compares a value with the one of an earlier period. The title names that period and its value.
export function Change({ value, before, title }: { value: number; before: number; title: string }): JSX.Element {
  if (before === 0) return <span class="figure-change" title={title}>{t(value === 0 ? 'overview.unchanged' : 'overview.noneBefore')}</span>
  const ratio = (value - before) / Math.abs(before)
  const way: Key = ratio > 0 ? 'overview.up' : ratio < 0 ? 'overview.down' : 'overview.unchanged'
  return (
    <span class="figure-change" title={title}>
      {ratio !== 0 && <Icon name={ratio > 0 ? 'up' : 'down'} size={14} />}
      <span class={ratio === 0 ? '' : 'hidden'}>{t(way)} </span>
      {ratio !== 0 && (ratio > most ? `> ${percent(most)}` : percent(Math.abs(ratio)))}
    </span>
  )
}
