// What is tried: a basket, a customer and a time. The address of the page holds it, so that a link can be passed on.
import type { QuoteCheckoutForm } from '../../api/types'

export interface Line {
  sku: string
  category: string
  labels: string // key:value;key:value
  quantity: string
  grossValue: string
}

export interface Values {
  customer: string // id; empty for nobody
  items: Line[]
  coupons: string[]
  rewards: string[] // ids of campaigns
  at: string // YYYY-MM-DD HH:mm in the zone of the store; empty for now
}

export const noLine: Line = { sku: '', category: '', labels: '', quantity: '1', grossValue: '' }

const members = ['sku', 'category', 'labels', 'quantity', 'grossValue'] as const

// valuesOf reads the values from an address. What it cannot read is left out.
export function valuesOf(query: URLSearchParams): Values {
  const list = (name: string): string[] => (query.get(name) ?? '').split('\n').filter(Boolean)
  return {
    customer: query.get('customer') ?? '',
    items: itemsOf(query.get('items') ?? ''),
    coupons: list('coupons'),
    rewards: list('rewards'),
    at: query.get('at') ?? '',
  }
}

function itemsOf(text: string): Line[] {
  try {
    const rows = JSON.parse(text) as unknown[][]
    const lines = rows.map(
      (row) => Object.fromEntries(members.map((m, i) => [m, String(row[i] ?? '')])) as unknown as Line,
    )
    return lines.length > 0 ? lines : [noLine]
  } catch {
    return [noLine]
  }
}

// queryOf is the inverse of valuesOf.
export function queryOf({ customer, items, coupons, rewards, at }: Values): Record<string, string> {
  const isEmpty = items.length === 1 && JSON.stringify(items[0]) === JSON.stringify(noLine)
  return {
    customer,
    coupons: coupons.join('\n'),
    rewards: rewards.join('\n'),
    at,
    items: isEmpty ? '' : JSON.stringify(items.map((line) => members.map((m) => line[m]))),
  }
}

// amountOf is the query of a basket of a plain amount.
export function amountOf(value: number): string {
  return JSON.stringify([['', '', '', '1', String(value)]])
}

const isNumber = (text: string): boolean => text !== '' && !Number.isNaN(Number(text))

// bodyOf returns the body of a checkout, and null while a line has no value. Rewards are of customers only.
export function bodyOf({ customer, items, coupons, rewards, at }: Values): QuoteCheckoutForm | null {
  if (!items.every((line) => isNumber(line.grossValue) && isNumber(line.quantity))) return null
  return {
    checkout: {
      ...(customer ? { customer, rewards } : {}),
      coupons: coupons.map((code) => ({ code })),
      items: items.map((line) => ({
        ...(line.sku.trim() ? { sku: { code: line.sku.trim() } } : {}),
        category: line.category.trim() || undefined,
        labels: labelsOf(line.labels),
        quantity: line.quantity,
        grossValue: line.grossValue,
      })),
      ...(at ? { at: at.replace(' ', 'T') } : {}),
    },
  }
}

function labelsOf(text: string): { key: string; value: string }[] {
  return text
    .split(';')
    .map((pair) => pair.trim())
    .filter(Boolean)
    .map((pair) => {
      const [key = '', ...value] = pair.split(':')
      return { key: key.trim(), value: value.join(':').trim() }
    })
}
