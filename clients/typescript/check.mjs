// Tries the packed client on the server that the environment names.
import assert from 'node:assert/strict'
import { Punchcard, PunchcardError, verifyWebhook } from '@punchcard/client'

const shop = new Punchcard({ url: process.env.PUNCHCARD_URL, token: process.env.PUNCHCARD_KEY, store: 'DEFAULT' })
const location = { street: 'Quay', address1: '1', postal: '0150', city: 'Oslo', province: 'Oslo', country: 'NO' }
const place = { body: { pos: { name: 'TypeScript', identifier: 'ts-1', location } }, idempotencyKey: 'ts-client-1' }
const first = await shop.post('/api/{store}/pos', place)
const again = await shop.post('/api/{store}/pos', place)
assert.equal(first.posId, again.posId)
await assert.rejects(
  () => shop.post('/api/{store}/pos', { body: { pos: { name: '' } } }),
  (error) => error instanceof PunchcardError && error.status === 400 && error.errors.length > 0 && error.requestId !== '',
)
await assert.rejects(
  () => shop.post('/api/{store}/pos', { body: { pos: { ...place.body.pos, nmae: 'x' } } }),
  (error) => error.errors[0].code === 'unknown_field',
)
let found = 0
for await (const row of shop.pages('/api/{store}/pos', 'pos', { params: { perPage: 2 } })) {
  if (row.identifier === 'ts-1') found++
}
assert.equal(found, 1)
let last = 0
for await (const event of shop.events()) {
  assert.ok(event.id > last)
  last = event.id
  if (last > 3) break
}
let keys = []
const flaky = new Punchcard({
  url: 'http://127.0.0.1',
  token: 'none',
  fetch: (_, init) => {
    keys.push(init.headers['Idempotency-Key'])
    const refused = { status: 503, headers: { 'Retry-After': '0' } }
    return Promise.resolve(new Response(null, keys.length === 1 ? refused : { status: 204 }))
  },
})
await flaky.post('/api/session', {})
assert.equal(keys.length, 2)
assert.ok(keys[0] && keys[0] === keys[1])

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const headers = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const body = '{"test": 2432232314}'
assert.equal((await verifyWebhook(secret, headers, body, 1614265330000)).test, 2432232314)
await assert.rejects(() => verifyWebhook(secret, headers, body + ' ', 1614265330000))
await assert.rejects(() => verifyWebhook(secret, headers, body, 1614269000000))
console.log('done')
