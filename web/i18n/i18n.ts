// Texts, numbers and times in the language of the user. The texts of a language are in one file beside this one; they
// are loaded before the first screen is shown.
import { signal } from '@preact/signals'
import { underway } from '../api/underway'
import type english from './en.json'

export type Key = keyof typeof english

type Plural = Partial<Record<Intl.LDMLPluralRule, string>>

type Texts = Record<string, string | Plural>

export const languages = { en: 'English', pl: 'Polski', de: 'Deutsch', fr: 'Français', es: 'Español' } as const

export type Language = keyof typeof languages

export type TextLoaders = Record<Language, () => Promise<{ default: unknown }>>

let loaders: TextLoaders

export const language = signal<Language>('en')

let texts: Texts = {}
let plurals = new Intl.PluralRules('en')

// languageOf returns the first language of a list that there are texts in, otherwise English.
export function languageOf(names: readonly (string | null)[]): Language {
  for (const name of names) {
    const short = name?.slice(0, 2)
    if (short && short in languages) return short as Language
  }
  return 'en'
}

function preferred(): Language {
  return languageOf([localStorage.getItem('punchcard.language'), ...navigator.languages])
}

// startTexts loads the texts of an app, in the language that the user chose or the browser prefers unless another is
// given.
export async function startTexts(ofApp: TextLoaders, chosen: Language = preferred()): Promise<void> {
  loaders = ofApp
  await loadTexts(chosen)
}

async function loadTexts(name: Language): Promise<void> {
  texts = (await underway(loaders[name]())).default as Texts
  plurals = new Intl.PluralRules(name)
  formats.clear()
  document.documentElement.lang = name
  language.value = name
}

export async function chooseLanguage(name: Language): Promise<void> {
  localStorage.setItem('punchcard.language', name)
  await loadTexts(name)
}

export type Values = Record<string, string | number>

// textsIn returns t for another language, for texts that are stored.
export async function textsIn(name: Language): Promise<(key: Key, values?: Values) => string> {
  const others = (await underway(loaders[name]())).default as Texts
  return (key, values = {}) => {
    const text = others[key]
    return typeof text === 'string' ? replaced(text, values) : key
  }
}

// t returns a text, with {name} replaced by values. The value n chooses the plural form; numbers are formatted.
export function t(key: Key, values: Values = {}): string {
  return fill(key, values) ?? key
}

// tIf returns a text of a key that is made at run time, such as error.<code>, or the fallback if there is none.
export function tIf(key: string, fallback: string, values: Values = {}): string {
  return fill(key, values) ?? fallback
}

function fill(key: string, values: Values): string | undefined {
  void language.value // a component that shows a text is drawn again when the language changes
  const entry = texts[key]
  if (entry === undefined) return undefined
  const text =
    typeof entry === 'string' ? entry : (entry[plurals.select(Number(values['n'] ?? 0))] ?? entry.other ?? '')
  return replaced(text, values)
}

function replaced(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? number(value) : isolated(String(value ?? ''))
  })
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/

// isolated keeps a name in a script from right to left from changing the order of the sentence around it.
export function isolated(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text
}

const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>()

function format<T extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>(
  name: string,
  make: (locale: string) => T,
): T {
  let found = formats.get(name)
  if (!found) formats.set(name, (found = make(locale())))
  return found as T
}

// locale is the browser's variant of the chosen language, such as en-GB, or the language itself.
function locale(): string {
  void language.value
  return navigator.languages.find((l) => l.startsWith(language.value)) ?? language.value
}

export function number(n: number, options: Intl.NumberFormatOptions = {}): string {
  return format('n' + JSON.stringify(options), (l) => new Intl.NumberFormat(l, options)).format(n)
}

// points formats an amount of points, which may have decimals.
export function points(n: number): string {
  return number(n, { maximumFractionDigits: 2 })
}

// separators returns what separates thousands and the fraction of a number in the language.
export function separators(): { group: string; decimal: string } {
  const found = { group: '', decimal: '.' }
  for (const { type, value } of new Intl.NumberFormat(locale()).formatToParts(1234567.5)) {
    if (type === 'group' || type === 'decimal') found[type] = value
  }
  return found
}

export function percent(ratio: number, digits = 1): string {
  return number(ratio, { style: 'percent', maximumFractionDigits: digits })
}

// zone is the time zone of the store, empty until it is known.
const zone = signal('')

// showTimesIn makes a time zone that of all times, so that there is one clock on a page. Browsers do not know every
// zone.
export function showTimesIn(name: string | null | undefined): void {
  try {
    zone.value = name ? new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone : ''
  } catch {
    zone.value = ''
  }
}

// Times of the API that belong to a store end in the offset of its zone, so that the wall clock of the store is in the
// text itself. Others are in UTC.
const pattern = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2}))?.*?([+-]\d{2}):?(\d{2})?$/

// instant returns the moment of a time of the API, NaN if it is none.
export function instant(text: string | null | undefined): number {
  const m = pattern.exec(text ?? '')
  return m ? Date.parse(`${m[1]}T${m[2]}:${m[3] ?? '00'}${m[4]}:${m[5] ?? '00'}`) : Date.parse(text ?? '')
}

// wall returns the clock in a text as if it were UTC.
function wall(text: string): number {
  const m = pattern.exec(text)
  return m ? Date.parse(`${m[1]}T${m[2]}:${m[3] ?? '00'}Z`) : Date.parse(text)
}

function time(text: string | null | undefined, name: string, options: Intl.DateTimeFormatOptions): string {
  const isMoment = zone.value && /\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/.test(text ?? '')
  const at = isMoment ? instant(text) : wall(text ?? '')
  if (Number.isNaN(at)) return ''
  return moment(at, name, options, isMoment ? zone.value : 'UTC')
}

function moment(at: number, name: string, options: Intl.DateTimeFormatOptions, timeZone: string | undefined): string {
  return format(`${name} ${timeZone}`, (l) => new Intl.DateTimeFormat(l, { ...options, timeZone })).format(at)
}

const toTheDay = { day: 'numeric', month: 'short', year: 'numeric' } as const
const toTheMinute = { hour: '2-digit', minute: '2-digit' } as const

export function date(text: string | null | undefined): string {
  return time(text, 'date', toTheDay)
}

// exactTime formats a time to the second.
export function exactTime(text: string | null | undefined): string {
  return time(text, 'exact', { ...toTheDay, ...toTheMinute, second: '2-digit' })
}

// clockAt formats a moment of the device's clock as the store's, or as the device's until the zone of the store is
// known.
export function clockAt(at: number): string {
  return moment(at, 'clock', toTheMinute, zone.value || undefined)
}

// today returns the day of the store as YYYY-MM-DD, or that of the device until the zone of the store is known.
export function today(): string {
  return new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone: zone.value || undefined }).format()
}

// dateTimeAt is clockAt with the day.
export function dateTimeAt(at: number): string {
  return moment(at, 'dateTime', { ...toTheDay, ...toTheMinute }, zone.value || undefined)
}

export function dateTime(text: string | null | undefined): string {
  return time(text, 'dateTime', { ...toTheDay, ...toTheMinute })
}

// until formats the end of a period: the day alone if it ends with that day, and otherwise the time, too.
export function until(text: string | null | undefined): string {
  return pattern.exec(text ?? '')?.[2] === '23:59' ? date(text) : dateTime(text)
}

// since formats the beginning of a period: the day alone if it begins with that day.
export function since(text: string | null | undefined): string {
  return pattern.exec(text ?? '')?.[2] === '00:00' ? date(text) : dateTime(text)
}

export function clock(text: string | null | undefined): string {
  return time(text, 'clock', toTheMinute)
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

// relative says how long ago or ahead a time is, such as "3 days ago".
export function relative(text: string | null | undefined, now: number = Date.now()): string {
  const seconds = (instant(text) - now) / 1000
  if (Number.isNaN(seconds)) return ''
  const f = format('relative', (l) => new Intl.RelativeTimeFormat(l, { numeric: 'auto' }))
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return f.format(Math.round(seconds / size), unit)
  }
  return f.format(0, 'second')
}

export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames([locale()], { type: 'region' }).of(code) ?? code
  } catch {
    return code
  }
}

// currencyNames returns the currencies that the browser knows: ISO codes with their names.
export function currencyNames(): [string, string][] {
  const names = new Intl.DisplayNames([locale()], { type: 'currency' })
  return Intl.supportedValuesOf('currency').map((code) => [code, names.of(code) ?? code])
}
