import './browser.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clock, clockAt, date, dateTime, dateTimeAt, exactTime, instant, language, number, percent, points, relative, showTimesIn, since, startTexts, t, today, until } from '../../i18n/i18n'
import { money } from '../../i18n/number'
import en from '../../i18n/en.json'
import pl from '../../i18n/pl.json'

const texts = { en: async () => ({ default: en }), pl: async () => ({ default: pl }) }

// Blanks that do not break look like blanks.
const plain = (text) => text.replace(/[\u00a0\u202f]/g, ' ')

async function speak(name) {
  localStorage.setItem('punchcard.language', name)
  await startTexts(texts)
}

test('numbers, points and money follow the language', async () => {
  for (const [name, shown] of [
    ['en', ['1,234,567.891', '1,234.5', '€1,234.50', '¥1,235', 'KWD 1,234.500', '12.5%']],
    ['pl', ['1 234 567,891', '1234,5', '1234,50 €', '1235 JPY', '1234,500 KWD', '12,5%']],
  ]) {
    await speak(name)
    assert.deepEqual([
      number(1234567.891), points(1234.5), money(1234.5, 'EUR'), money(1234.5, 'JPY').replace('JP¥', '¥'),
      money(1234.5, 'KWD'), percent(0.125),
    ].map(plain), shown)
  }
  assert.equal(money(5, 'no currency'), '5 no currency')
})

test('times show the wall clock of the store, whatever the zone of the browser', async () => {
  await speak('en')
  for (const zone of ['UTC', 'Asia/Tokyo', 'America/Santiago']) {
    process.env.TZ = zone
    assert.equal(plain(dateTime('2027-09-05T00:30:00-03:00')), '5 Sept 2027, 00:30')
    assert.equal(date('2027-09-05 23:30:00+0900'), '5 Sept 2027')
    assert.equal(clock('2027-09-05T23:30:00Z'.replace('Z', '+00:00')), '23:30')
  }
  assert.equal(instant('2027-09-05T00:30:00-03:00'), Date.UTC(2027, 8, 5, 3, 30))
  assert.equal(plain(until('2027-01-20T09:00:00+01:00')), '20 Jan 2027, 09:00')
  assert.equal(plain(until('2027-01-25T00:00:00+01:00')), '25 Jan 2027, 00:00')
  assert.equal(until('2027-01-25T23:59:59+01:00'), '25 Jan 2027')
  assert.equal(since('2027-01-25T00:00:00+01:00'), '25 Jan 2027')
  assert.equal(plain(since('2027-01-25T08:30:00+01:00')), '25 Jan 2027, 08:30')
  assert.equal(date('nonsense'), '')
  assert.equal(date(null), '')
})

test('times that are in UTC or of the device are shown in the zone of the store, once it is known', async () => {
  await speak('en')
  process.env.TZ = 'Asia/Tokyo'
  assert.equal(clockAt(Date.UTC(2027, 0, 5, 12)), '21:00')
  showTimesIn('Europe/Warsaw')
  assert.equal(clockAt(Date.UTC(2027, 0, 5, 12)), '13:00')
  assert.equal(plain(dateTimeAt(Date.UTC(2027, 0, 5, 23, 30))), '6 Jan 2027, 00:30')
  assert.equal(plain(dateTime('2027-01-05T23:30:00Z')), '6 Jan 2027, 00:30')
  assert.equal(plain(exactTime('2027-01-05T12:00:05.123456+00:00')), '5 Jan 2027, 13:00:05')
  assert.equal(plain(dateTime('2027-07-05T12:00:00+0200')), '5 Jul 2027, 12:00')
  assert.equal(date('2027-01-05'), '5 Jan 2027')
  showTimesIn('Mars/Olympus')
  assert.equal(clock('2027-01-05T12:00:00+00:00'), '12:00')
})

test('today is the day of the store, and that of the device until the zone of the store is known', () => {
  // The two zones are 26 hours apart, so that their days always differ.
  const days = { 'Pacific/Kiritimati': 14, 'Etc/GMT+12': -12 }
  const dayIn = (zone) => new Date(Date.now() + days[zone] * 3_600_000).toISOString().slice(0, 10)
  const expect = (zone) => {
    const [before, shown, after] = [dayIn(zone), today(), dayIn(zone)]
    assert.ok([before, after].includes(shown), `${shown} in ${zone}, want ${after}`)
  }
  for (const [device, store] of [Object.keys(days), Object.keys(days).reverse()]) {
    process.env.TZ = device
    showTimesIn('')
    expect(device)
    showTimesIn(store)
    expect(store)
  }
  showTimesIn('')
})

test('relative times name the largest unit', async () => {
  await speak('en')
  const now = Date.UTC(2027, 8, 5, 12)
  for (const [text, shown] of [
    ['2027-09-05T12:00:30+00:00', 'now'], ['2027-09-05T11:30:00+00:00', '30 minutes ago'],
    ['2027-09-04T12:00:00+00:00', 'yesterday'], ['2027-09-26T12:00:00+00:00', 'in 3 weeks'],
    ['2024-09-05T12:00:00+00:00', '3 years ago'],
  ]) assert.equal(relative(text, now), shown)
})

test('texts have plural forms and values', async () => {
  const key = Object.keys(pl).find((k) => typeof pl[k] === 'object' && pl[k].few && pl[k].many)
  await speak('pl')
  assert.equal(language.value, 'pl')
  const forms = [1, 3, 5].map((n) => t(key, { n }))
  assert.equal(new Set(forms.map((f) => f.replace(/\d+/, ''))).size, 3, forms.join(', '))
  assert.equal(t('a key that does not exist'), 'a key that does not exist')
})

test('names in other scripts do not change the order of a sentence', async () => {
  await speak('en')
  assert.equal(t('attention.receiptNumbers', { number: 'R-1', earlier: 'r-1' }), 'Receipt R-1 is like r-1')
  for (const name of ['عمر', 'דוד']) {
    assert.equal(t('attention.job', { name }), `Background work failed: \u2068${name}\u2069`)
  }
})
