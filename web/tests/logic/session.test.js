import { emit, serve, token } from './browser.js'
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import * as session from '../../api/session'
import { load, readRecent, recent } from '../../till/known'
import { loadSeller, seller } from '../../till/seller'

session.start('till', 'DEFAULT')
const at = 'punchcard.till.DEFAULT'
const of = (id, seconds) => ({ token: token(id, seconds), refresh: `refresh of ${id}` })
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

// other does in another tab what changes the tokens that both share.
function other(tokens) {
  if (tokens) localStorage.setItem(at, JSON.stringify(tokens))
  else localStorage.removeItem(at)
  emit('storage', { key: at })
}

beforeEach(async () => {
  localStorage.items.clear()
  session.keep(null)
  session.keep(of('sam'))
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
  session.keep(null) // as after a new password by a link
  assertForgotten()
  assert.deepEqual(forgotten, ['sam false'])
})

test('what is kept ends with signing out', async () => {
  await session.signOut()
  assertForgotten()
  assert.equal(forgotten[0], 'sam true')
})

test('what is kept ends when the server ends the session', () => {
  session.expire()
  assertForgotten()
})

test('what is kept ends when another user signs in', async () => {
  session.keep(of('eva'))
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
  assert.equal(session.tokens.value, null)
})

test('another tab where another user signs in is followed', () => {
  other(of('eva'))
  assertForgotten()
  assert.equal(session.claims.value.id, 'eva')
})

test('a page that the browser shows again is of the present user', () => {
  localStorage.setItem(at, JSON.stringify(of('eva')))
  emit('pageshow')
  assertForgotten()
})

test('a user whose tokens are renewed stays known', async () => {
  session.keep(of('sam', 7200))
  other(of('sam', 9000))
  assert.deepEqual(forgotten, [])
  assert.equal(recent.value.length, 1)
  assert.equal(keys().length, 2)
  serve(() => { throw new TypeError('failed to fetch') })
  assert.equal((await load('ida')).fresh, false)
})

test('a response that arrives late is not kept for the next user', async () => {
  const late = load('ida')
  session.keep(of('eva'))
  await late.catch(() => undefined)
  assertForgotten()
})

test('what was left by a session that ended in another way is deleted at the start', () => {
  localStorage.setItem(`${at}.of.kim.customers`, '[]')
  session.switchStore('OTHER')
  session.switchStore('DEFAULT')
  assert.deepEqual(keys(), [`${at}.of.sam.customers`, `${at}.of.sam.seller`])
})
