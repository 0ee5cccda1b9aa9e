// The user's choice of light or dark, where by default the system decides, and of the height of rows in lists.
import { signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

export const theme = signal<Theme>('system')

function show(value: Theme): void {
  theme.value = value
  if (value === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = value
}

// roomy rows have more than one line, so that a screen holds half as many of them.
export const roomy = signal(false)

function showRoomy(value: boolean): void {
  roomy.value = value
  document.documentElement.toggleAttribute('data-roomy', value)
}

export function chooseRoomy(value: boolean): void {
  localStorage.setItem('punchcard.roomy', value ? '1' : '')
  showRoomy(value)
}

export function startTheme(): void {
  showRoomy(localStorage.getItem('punchcard.roomy') === '1')
  const stored = localStorage.getItem('punchcard.theme')
  show(stored === 'light' || stored === 'dark' ? stored : 'system')
}

export function chooseTheme(value: Theme): void {
  localStorage.setItem('punchcard.theme', value)
  show(value)
}
