// The periods that the overview can show.

// lengths are in days; the first is shown by default.
export const lengths = [30, 90, 365] as const

export interface Period {
  from: string // YYYY-MM-DD
  to: string
  interval: 'day' | 'week'
}

// periodOf returns the days until today, today included.
export function periodOf(today: string, days: number): Period {
  const from = new Date(Date.parse(`${today}T00:00:00Z`) - (days - 1) * 86_400_000)
  return { from: from.toISOString().slice(0, 10), to: today, interval: days > 100 ? 'week' : 'day' }
}
