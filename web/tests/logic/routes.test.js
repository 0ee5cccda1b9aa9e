import { emit, serve } from './browser.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { get, isReachable, online } from '../../api/client'
import * as session from '../../api/session'
import { href, match, navigate, place, setQuery, startRouter, storeOfAddress } from '../../ui/router'

const screen = async () => ({ default: () => null })
session.start('till', 'DEFAULT')
startRouter('/till', ['/', '/customers', '/customers/new', '/customers/:customer', '/customers/:customer/:tab']
  .map((path) => ({ path, screen })))

test('a path chooses the route with the fewest parameters', () => {
  assert.equal(match('/').route.path, '/')
  assert.equal(match('/customers/').route.path, '/customers')
  assert.equal(match('/customers/new').route.path, '/customers/new')
  assert.deepEqual(match('/customers/a%20b/points').params, { customer: 'a b', tab: 'points' })
  assert.equal(match('/nowhere'), null)
})

test('addresses name the store and its filters', () => {
  assert.equal(href('/'), '/till/DEFAULT')
  assert.equal(href('/customers', { name: 'Ida & Ole' }), '/till/DEFAULT/customers?name=Ida+%26+Ole')
  assert.equal(storeOfAddress(), 'DEFAULT')
})

test('the address bar follows the screen and its filters, and the screen the address bar', () => {
  navigate('/customers', { page: '2' })
  assert.equal(location.pathname + location.search, '/till/DEFAULT/customers?page=2')
  setQuery({ page: '', name: 'Ida' })
  assert.equal(location.search, '?name=Ida')
  assert.equal(place.value.query.get('name'), 'Ida')
  globalThis.location = new URL('http://till.example/till/OTHER/customers/7')
  emit('popstate')
  assert.equal(session.store.value, 'OTHER')
  assert.equal(place.value.path, '/customers/7')
})

test('an address without a store is understood, and no unknown word is remembered', async () => {
  const open = (address) => {
    globalThis.location = new URL(`http://till.example${address}`)
    emit('popstate')
    return [session.store.value, place.value.path, location.pathname + location.search]
  }
  assert.deepEqual(open('/till/DEFAULT'), ['DEFAULT', '/', '/till/DEFAULT'])
  assert.deepEqual(open('/till/customers?page=2'), ['DEFAULT', '/customers', '/till/DEFAULT/customers?page=2'])
  assert.deepEqual(open('/till/customers/7/points'), ['DEFAULT', '/customers/7/points', '/till/DEFAULT/customers/7/points'])
  assert.deepEqual(open('/till/nonsense'), ['nonsense', '/', '/till/nonsense'])

  serve((path) => (path.startsWith('/api/REAL/') || path.startsWith('/api/customers/') ? { body: {} } : { status: 404, body: {} }))
  await assert.rejects(get('/api/{store}/pos'))
  assert.equal(session.rememberedStore('till'), '')
  open('/till/REAL')
  await get('/api/{store}/pos')
  assert.equal(session.rememberedStore('till'), 'REAL')

  // A store that is called like a screen is a store while it is shown, and when it is remembered.
  session.switchStore('customers')
  await get('/api/{store}/pos')
  assert.deepEqual(open('/till/customers/new'), ['customers', '/new', '/till/customers/new'])
  assert.deepEqual(open('/till/customers'), ['customers', '/', '/till/customers'])
})

test('a server behind a proxy that says no is away, too', async () => {
  serve(() => ({ status: 502, body: {} }))
  assert.equal(await isReachable(), false)
  assert.equal(online.value, false)
  serve(() => ({ body: {} }))
  assert.equal(await isReachable(), true)
  assert.equal(online.value, true)
})
