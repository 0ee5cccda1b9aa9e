// The user's choice of light or dark; by default the system decides.
import { signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

export const theme = signal<Theme>('system')

function show(value: Theme): void {
  theme.value = value
  if (value === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = value
}

export function startTheme(): void {
  const stored = localStorage.getItem('punchcard.theme')
  show(stored === 'light' || stored === 'dark' ? stored : 'system')
}

export function chooseTheme(value: Theme): void {
  localStorage.setItem('punchcard.theme', value)
  show(value)
}
