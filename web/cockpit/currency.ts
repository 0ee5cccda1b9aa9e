// The currency of the store that the cockpit shows.
import { useQuery } from '../api/client'
import { store } from '../api/session'
import { currencyDigits } from '../i18n/number'

// useCurrency returns the currency of the store, empty until it is known.
export function useCurrency(): string {
  const stores = useQuery('/api/store', { perPage: 100 }).data?.stores ?? []
  return stores.find((s) => s.code === store.value)?.currency ?? ''
}

// useMoneyDigits returns the most digits after the point of amounts, undefined until the currency is known.
export function useMoneyDigits(): number | undefined {
  const currency = useCurrency()
  return currency ? currencyDigits(currency) : undefined
}
