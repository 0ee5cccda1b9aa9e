import { serve, token } from './browser.js'
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { online } from '../../api/client'
import * as session from '../../api/session'
import { entries, late, remove, send, startQueue, submit, waiting } from '../../till/queue'

session.start('till', 'DEFAULT')
const told = []
startQueue((entry) => told.push(entry.what))

const receipt = (what) => ({ kind: 'receipt', what, customer: 'Ida', path: '/api/{store}/transaction', params: {}, body: { what } })

beforeEach(() => {
  localStorage.items.clear()
  session.begin({ token: token('seller') })
  told.length = 0
  late.value = []
})

// The server, which remembers what it was sent.
function shop(status = () => 200) {
  const sent = []
  serve((_, request) => {
    const what = JSON.parse(request.body).what
    sent.push([what, request.headers['Idempotency-Key']])
    const s = status(what)
    if (s === 0) throw new TypeError('failed to fetch')
    return { status: s, body: s === 200 ? { id: what } : { status: s, detail: 'No', errors: [] } }
  })
  return sent
}

test('an entry is stored before it is sent, and gone once it is confirmed', async () => {
  let stored
  serve(() => { stored = entries.value.length; return { body: { id: 'R1' } } })
  assert.deepEqual(await submit(receipt('R1')), { confirmed: true, response: { id: 'R1' } })
  assert.equal(stored, 1)
  assert.equal(waiting(), 0)
})

test('entries wait for the network, and are sent in order with their keys', async () => {
  let away = true
  const sent = shop(() => (away ? 0 : 200))
  assert.deepEqual(await submit(receipt('R1'), 'key-1'), { confirmed: false })
  assert.deepEqual(await submit(receipt('R2'), 'key-2'), { confirmed: false })
  assert.equal(waiting(), 2)
  away = false
  sent.length = 0
  await send()
  assert.deepEqual(sent, [['R1', 'key-1'], ['R2', 'key-2']])
  assert.deepEqual(told, ['R1', 'R2'])
  assert.deepEqual(late.value.map((l) => l.response), [{ id: 'R1' }, { id: 'R2' }])
  assert.equal(waiting(), 0)
})

test('entries that do not reach the server rest, although other calls do', async () => {
  const sent = shop(() => 0)
  await submit(receipt('R1'))
  assert.equal(online.value, false)
  online.value = true // another call has reached it
  await new Promise((resolve) => setTimeout(resolve))
  assert.equal(sent.length, 1)
})

test('what the server refuses is reported, and does not hold up the others', async () => {
  shop((what) => (what === 'bad' ? 400 : 200))
  await assert.rejects(submit(receipt('bad')), { kind: 'invalid' })
  assert.equal(entries.value.length, 0)
  assert.equal((await submit(receipt('good'))).confirmed, true)
})

test('a refusal of an entry that had waited stays until it is dismissed', async () => {
  let status = 0
  shop(() => status)
  await submit(receipt('R1'), 'key-1')
  status = 400
  await send()
  assert.equal(entries.value.length, 1)
  assert.ok(entries.value[0].refused)
  assert.equal(waiting(), 0)
  remove('key-1')
  assert.equal(entries.value.length, 0)
})

test('an error of the server leaves its entry waiting and lets the next one pass', async () => {
  shop((what) => (what === 'R1' ? 500 : 200))
  assert.deepEqual(await submit(receipt('R1')), { confirmed: false })
  assert.equal((await submit(receipt('R2'))).confirmed, true)
  assert.deepEqual(entries.value.map((e) => e.what), ['R1'])
})

test('an entry that was sent first more than six days ago is not sent again', async () => {
  let away = true
  const sent = shop(() => (away ? 0 : 200))
  await submit(receipt('R1'), 'key-1')
  const at = [...localStorage.items.keys()].find((key) => key.includes('queue'))
  localStorage.setItem(at, JSON.stringify(entries.value.map((e) => ({ ...e, triedAt: Date.now() - 7 * 24 * 3600 * 1000 }))))
  away = false
  sent.length = 0
  await send()
  assert.deepEqual(sent, [])
  assert.equal(entries.value[0].refused.code, 'too_old')
})

test('entries belong to the seller who made them', async () => {
  shop(() => 0)
  await submit(receipt('R1'))
  session.begin({ token: token('another') })
  assert.equal(entries.value.length, 0)
  session.begin({ token: token('seller') })
  assert.equal(entries.value.length, 1)
})

test('what was confirmed late is forgotten with the session', async () => {
  let status = 0
  shop(() => status)
  await submit(receipt('R1'))
  status = 200
  await send()
  assert.equal(late.value.length, 1)
  session.ended()
  assert.equal(late.value.length, 0)
})
