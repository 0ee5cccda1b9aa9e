// What a country proposes for a new store.
import type { Language } from '../../i18n/i18n'
import { languages } from '../../i18n/i18n'

const euroCountries = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ')
const currencies: Record<string, string> = {
  AE: 'AED',
  AR: 'ARS',
  AU: 'AUD',
  BR: 'BRL',
  CA: 'CAD',
  CH: 'CHF',
  CL: 'CLP',
  CN: 'CNY',
  CO: 'COP',
  CZ: 'CZK',
  DK: 'DKK',
  EG: 'EGP',
  GB: 'GBP',
  HK: 'HKD',
  HU: 'HUF',
  ID: 'IDR',
  IL: 'ILS',
  IN: 'INR',
  IS: 'ISK',
  JP: 'JPY',
  KR: 'KRW',
  KW: 'KWD',
  MA: 'MAD',
  MX: 'MXN',
  MY: 'MYR',
  NG: 'NGN',
  NO: 'NOK',
  NZ: 'NZD',
  PE: 'PEN',
  PH: 'PHP',
  PK: 'PKR',
  PL: 'PLN',
  QA: 'QAR',
  RO: 'RON',
  RS: 'RSD',
  SA: 'SAR',
  SE: 'SEK',
  SG: 'SGD',
  TH: 'THB',
  TN: 'TND',
  TR: 'TRY',
  TW: 'TWD',
  UA: 'UAH',
  US: 'USD',
  VN: 'VND',
  ZA: 'ZAR',
}

// currencyOf returns the currency of a country, or another one if it is not known.
export function currencyOf(country: string, otherwise: string): string {
  return euroCountries.includes(country) ? 'EUR' : (currencies[country] ?? otherwise)
}

// languageOfCountry returns the language that most people of a country speak if the apps speak it, otherwise another.
export function languageOfCountry(country: string, otherwise: string): string {
  if (!country) return otherwise
  const spoken = new Intl.Locale(`und-${country}`).maximize().language
  return spoken in languages ? (spoken as Language) : otherwise
}

// zoneOfCountry returns the time zone of a country: that of the browser if the country has it, otherwise its first.
// Some browsers do not know the zones of countries; then it is that of the browser.
export function zoneOfCountry(country: string, ofBrowser: string): string {
  if (!country) return ofBrowser
  const locale: Intl.Locale & { getTimeZones?: () => string[] | undefined } = new Intl.Locale(`und-${country}`)
  const zones = locale.getTimeZones?.() ?? []
  return zones.includes(ofBrowser) ? ofBrowser : (zones[0] ?? ofBrowser)
}
