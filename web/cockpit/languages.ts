// The languages that the store's texts are in.
import { useQuery } from '../api/client'

export interface StoreLanguage {
  code: string
  name: string
}

// useLanguages returns the languages of texts, the default one first.
export function useLanguages(): StoreLanguage[] {
  const list = useQuery('/api/{store}/settings/choices/{type}', { type: 'availableFrontendTranslations' }).data
    ?.choices as (StoreLanguage & { default: boolean })[] | undefined
  return [...(list ?? [])].sort((a, b) => Number(b.default) - Number(a.default))
}
