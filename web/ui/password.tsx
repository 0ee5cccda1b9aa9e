// A field for a new password. It shows the rules of the server, and which of them are met, while the user types.
import type { JSX } from 'preact'
import { t, type Key } from '../i18n/i18n'
import { TextField, valueAt, type FormState, type PathOf } from './form'
import { Icon } from './icons'

const rules: [Key, (password: string) => boolean][] = [
  ['password.rule.length', (p) => [...p].length >= 8],
  ['password.rule.cases', (p) => /\p{Lu}/u.test(p) && /\p{Ll}/u.test(p)],
  ['password.rule.number', (p) => /\p{N}/u.test(p)],
  ['password.rule.special', (p) => /[^\p{L}\p{N}]/u.test(p)],
]

export function NewPassword<T extends object>({
  form,
  path,
  label,
}: {
  form: FormState<T>
  path: PathOf<T>
  label: string
}): JSX.Element {
  const value = String(valueAt(form.values, path) ?? '')
  const list = (
    <ul class="password-rules">
      {rules.map(([key, isMet]) => (
        <li key={key} class={isMet(value) ? 'met' : ''}>
          <Icon name={isMet(value) ? 'check' : 'dot'} size={16} />
          {t(key)}
          {isMet(value) && <span class="hidden"> {t('password.met')}</span>}
        </li>
      ))}
    </ul>
  )
  return <TextField form={form} path={path} type="password" label={label} help={list} autoComplete="new-password" />
}
