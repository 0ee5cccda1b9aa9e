import assert from 'node:assert/strict'
import { test } from 'node:test'
import './browser.js'
import { startTexts } from '../../i18n/i18n'
import en from '../../i18n/en.json'
import { valueText } from '../../cockpit/audit/words'
import { isDelivery } from '../../cockpit/bought/delivery'
import { placeName } from '../../cockpit/shops/place_name'

test('values that the API names are words', async () => {
  await startTexts({ en: async () => ({ default: en }), pl: async () => ({ default: en }) })
  assert.equal(valueText('discount_code'), en['reward.discount_code'])
  assert.equal(valueText('oloy.customer.activation'), en['messages.event.customer.activation'])
  assert.equal(valueText(['multiply_for_product', 'Ida Berg']), `${en['rule.multiply_for_product']}, Ida Berg`)
  assert.equal(valueText('gold_friend.2'), 'gold_friend.2')
})

test('only what is sent has a delivery', () => {
  const of = (campaignType, status) => isDelivery({ campaignType, deliveryStatus: { status } })
  assert.deepEqual([of('gift_code', ''), of('gift_code', 'ordered'), of('discount_code', 'ordered'), of('discount_code', 'shipped')],
    [false, true, false, true])
})

test('a point of sale has a city or none', () => {
  assert.equal(placeName({ name: 'Harbour', location: { city: 'Oslo' } }), 'Harbour, Oslo')
  assert.equal(placeName({ name: 'Harbour', location: { city: '' } }), 'Harbour')
})
