import { emit, serve, token } from './browser.js'
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import * as session from '../../api/session'
import { load, readRecent, recent } from '../../till/known'
import { loadSeller, seller } from '../../till/seller'

session.start('till', 'DEFAULT')
const at = 'punchcard.till.DEFAULT'
const of = (id, seconds) => ({ token: token(id, seconds) })
const keys = () => [...localStorage.items.keys()].filter((key) => key.includes('.of.')).sort()

let forgotten = []
session.onForget((byUser) => forgotten.push(`${session.claims.value?.id} ${byUser}`))

// The server, which knows one customer.
function shop() {
  serve((path) => {
    if (path.includes('/bought') || path.includes('/available')) return { body: { campaigns: [] } }
    if (path.includes('/status')) return { body: { levelName: 'Gold', currency: 'EUR', points: 10, lockedPoints: 0 } }
    if (path.includes('/seller/me')) return { body: { sellerId: session.claims.value.id, firstName: 'Sam' } }
    return { body: { customerId: 'ida', firstName: 'Ida', lastName: 'Berg', active: true } }
  })
}

// other does in another tab what changes who is signed in there and here.
function other(id) {
  if (id) localStorage.setItem(at, JSON.stringify({ id }))
  else localStorage.removeItem(at)
  emit('storage', { key: at })
}

beforeEach(async () => {
  localStorage.items.clear()
  session.ended()
  session.begin(of('sam'))
  shop()
  await load('ida')
  await loadSeller()
  forgotten = []
  assert.deepEqual(keys(), [`${at}.of.sam.customers`, `${at}.of.sam.seller`])
})

function assertForgotten() {
  assert.deepEqual(keys(), [])
  assert.deepEqual(recent.value, [])
  assert.equal(seller.value, null)
}

test('what is kept ends with the session', () => {
  session.ended() // as after a new password by a link
  assertForgotten()
  assert.deepEqual(forgotten, ['sam false'])
})

test('what is kept ends with signing out', async () => {
  await session.signOut()
  assertForgotten()
  assert.equal(forgotten[0], 'sam true')
})

test('what is kept ends when the server ends the session', async () => {
  serve(() => ({ status: 401, body: {} }))
  assert.equal(await session.refresh(), false)
  assertForgotten()
})

test('what is kept ends when another user signs in', async () => {
  session.begin(of('eva'))
  assertForgotten()
  readRecent()
  assert.deepEqual(recent.value, [])
  serve(() => { throw new TypeError('failed to fetch') })
  await assert.rejects(load('ida'), { kind: 'network' })
  await loadSeller()
  assert.equal(seller.value, null)
})

test('another tab that signs out is followed', () => {
  other(null)
  assertForgotten()
  assert.equal(session.claims.value, null)
  assert.equal(session.token, null)
})

test('another tab where another user signs in is followed', () => {
  other('eva')
  assertForgotten()
  assert.equal(session.token, null)
  assert.equal(session.claims.value.id, 'eva')
})

test('a page that the browser shows again is of the present user', () => {
  localStorage.setItem(at, JSON.stringify({ id: 'eva' }))
  emit('pageshow')
  assertForgotten()
})

test('a user whose tokens are renewed stays known', async () => {
  session.begin(of('sam', 7200))
  other('sam')
  assert.deepEqual(forgotten, [])
  assert.equal(recent.value.length, 1)
  assert.equal(keys().length, 2)
  serve(() => { throw new TypeError('failed to fetch') })
  assert.equal((await load('ida')).fresh, false)
})

test('a response that arrives late is not kept for the next user', async () => {
  const late = load('ida')
  session.begin(of('eva'))
  await late.catch(() => undefined)
  assertForgotten()
})

test('what was left by a session that ended in another way is deleted at the start', () => {
  localStorage.setItem(`${at}.of.kim.customers`, '[]')
  session.switchStore('OTHER')
  session.switchStore('DEFAULT')
  assert.deepEqual(keys(), [`${at}.of.sam.customers`, `${at}.of.sam.seller`])
})

test('no secret is kept', () => {
  assert.ok(![...localStorage.items.values()].some((value) => value.includes(session.token)))
})

test('a sign-out without a network is told to the server when there is one', async () => {
  serve(() => { throw new TypeError('failed to fetch') })
  await session.signOut()
  assert.equal(session.claims.value, null)
  const asked = []
  serve((path, request) => {
    asked.push(path + request.body)
    return { body: {} }
  })
  emit('online')
  await new Promise((resolve) => setImmediate(resolve))
  emit('online')
  assert.deepEqual(asked, ['/api/session{"app":"till","store":"DEFAULT","end":true}'])
})

test('a page begins without an access token, and gets one for its first call', async () => {
  const asked = []
  serve((path) => {
    asked.push(path)
    return { body: path === '/api/session' ? { token: token('eva') } : {} }
  })
  other('eva')
  await load('ida').catch(() => undefined)
  assert.equal(asked[0], '/api/session')
  assert.equal(session.claims.value.id, 'eva')
})
