import './browser.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTexts } from '../../i18n/i18n'
import { currencyDigits, fractionDigits, money, typedNumber } from '../../i18n/number'
import en from '../../i18n/en.json'
import pl from '../../i18n/pl.json'
import table from '../../../platform/decimal/currency.go'

async function speak(name) {
  localStorage.setItem('punchcard.language', name)
  await startTexts({ en: async () => ({ default: en }), pl: async () => ({ default: pl }) })
}

test('numbers are understood as they are written in the language', async () => {
  const both = [
    ['1,100.50', '1100.50'], ['1 100,50', '1100.50'], ['1\u00a0100,50', '1100.50'], ['1.100,50', '1100.50'],
    ['1,234,567', '1234567'], ['1.234.567', '1234567'], ["1'100.50", '1100.50'], ['12', '12'], ['12,5', '12.5'],
    ['12.5', '12.5'], ['0.532', '0.532'], ['-2,00', '-2.00'], ['\u22122', '-2'], ['', ''], ['1,', '1.'],
    ['1,2,3', '1,2,3'], ['1,100.50.2', '1,100.50.2'], ['1.10,000', '1.10,000'], ['ten', 'ten'], ['12.500', '12.500'],
  ]
  for (const [language, further] of [['en', [['1,100', '1100']]], ['pl', [['1,100', '1.100']]]]) {
    await speak(language)
    for (const [typed, want] of [...both, ...further]) assert.equal(typedNumber(typed), want, `${typed} in ${language}`)
  }
})

test('amounts have the digits of their currency', async () => {
  await speak('en')
  for (const [currency, digits] of [['EUR', 2], ['JPY', 0], ['KWD', 3], ['IQD', 3], ['CLF', 4], ['HUF', 2], ['LBP', 2]]) {
    assert.equal(currencyDigits(currency), digits, currency)
  }
  assert.equal(money(1.255, 'KWD').replace(/\s/g, ' '), 'KWD 1.255')
  assert.equal(money(1500, 'IQD').replace(/\s/g, ' '), 'IQD 1,500.000')
  assert.deepEqual(['1', '1.250', '1.255', ''].map(fractionDigits), [0, 2, 3, 0])
})

test('the digits of currencies are those of the server', () => {
  const known = [...table.matchAll(/"([A-Z]{3})": (\d)/g)]
  assert.equal(known.length, 26)
  for (const [, currency, digits] of known) assert.equal(currencyDigits(currency), Number(digits), currency)
})
