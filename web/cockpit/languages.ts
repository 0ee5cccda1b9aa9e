// The languages that the store's texts are in.
import { useQuery } from '../api/client'

export interface StoreLanguage {
  code: string
  name: string
}

// useLanguages returns the languages of texts, the default one first.
export function useLanguages(): StoreLanguage[] {
  const choices = useQuery<{ choices: unknown }>('/api/{store}/settings/choices/availableFrontendTranslations').data?.choices
  if (Array.isArray(choices)) {
    const list = choices as { name: string; code: string; default?: boolean }[]
    return [...list].sort((a, b) => Number(b.default ?? false) - Number(a.default ?? false))
  }
  return Object.entries((choices ?? {}) as Record<string, string>).map(([name, code]) => ({ name, code }))
}
