// What people type as a number, and the digits of currencies.
import { number, separators } from './i18n'

// Currencies of ISO 4217 that do not have two digits after the point. The tables of browsers differ from it. The same
// table is in platform/decimal/currency.go.
const otherDigits: Record<string, number> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
}

// currencyDigits returns the digits after the point of amounts in a currency, given by its ISO code.
export function currencyDigits(currency: string): number {
  return otherDigits[currency] ?? 2
}

// money formats an amount in a currency, given by its ISO code.
export function money(n: number, currency: string): string {
  const digits = currencyDigits(currency)
  try {
    return number(n, {
      style: 'currency',
      currency: currency || 'EUR',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
  } catch {
    return `${number(n)} ${currency}`
  }
}

// rate formats a number that others are multiplied with.
export function rate(n: number): string {
  return number(n, { maximumFractionDigits: 6 })
}

// fractionDigits counts the digits after the point of a number as the API takes it, without zeros at the end.
export function fractionDigits(text: string): number {
  return (text.split('.')[1] ?? '').replace(/0+$/, '').length
}

// typedNumber returns a number as the API takes it: 1,100.50 and 1 100,50 are 1100.50. Of a point and a comma, the last
// separates the fraction. One separator before three digits separates thousands if it does so in the language of the
// pages. What is no number stays, so that the server or the form refuses it.
export function typedNumber(text: string): string {
  const typed = text.replace(/[\s'’]/g, '').replace('\u2212', '-')
  const comma = typed.lastIndexOf(',')
  const point = typed.lastIndexOf('.')
  if (comma >= 0 && point >= 0) {
    const [group, decimal] = comma > point ? ['.', ','] : [',', '.']
    const [whole = '', ...fraction] = typed.split(decimal!)
    return isGrouped(whole, group!) && fraction.length === 1 ? `${whole.replaceAll(group!, '')}.${fraction[0]}` : typed
  }
  const separator = comma >= 0 ? ',' : '.'
  const count = typed.split(separator).length - 1
  const thousands = count > 1 || separator === separators().group
  if (thousands && isGrouped(typed, separator)) return typed.replaceAll(separator, '')
  return count === 1 ? typed.replace(separator, '.') : typed
}

function isGrouped(text: string, separator: string): boolean {
  const [first = '', ...groups] = text.split(separator)
  return /^[+-]?\d{1,3}$/.test(first) && groups.length > 0 && groups.every((g) => /^\d{3}$/.test(g))
}
