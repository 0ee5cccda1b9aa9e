import { emit } from './browser.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
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
  assert.equal(storeOfAddress('/till'), 'DEFAULT')
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
