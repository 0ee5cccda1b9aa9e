import { serve, token } from './browser.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure, get, online, url, write } from '../../api/client'
import * as session from '../../api/session'

session.start('till', 'DEFAULT')

const signIn = (seconds) => session.begin({ token: token('ida', seconds) })

test('addresses leave out what is empty, and repeat lists', () => {
  assert.equal(url('/api/{store}/pos', { page: 2, name: '', sort: null, labels: ['a b', 'c'] }),
    '/api/DEFAULT/pos?page=2&labels%5B%5D=a+b&labels%5B%5D=c')
})

test('parameters of the path are not in the query', () => {
  assert.equal(url('/api/{store}/campaign/{campaign}', { campaign: 'a/b', withoutCoupons: 1 }), '/api/DEFAULT/campaign/a%2Fb?withoutCoupons=1')
})

test('a body with a file is a form', async () => {
  signIn(3600)
  const sent = []
  serve((_, request) => {
    sent.push(request)
    return { body: {} }
  })
  const file = new Blob(['picture'])
  await write('POST', '/api/{store}/campaign/{campaign}/photo', { params: { campaign: '1' }, body: { photo: { file, name: undefined, big: true } } })
  assert.deepEqual([...sent[0].body.keys()], ['photo[file]', 'photo[big]'])
  assert.equal(await sent[0].body.get('photo[file]').text(), 'picture')
  assert.equal(sent[0].headers['Content-Type'], undefined)
  await write('POST', '/api/{store}/pos', { body: { pos: { name: 'Center', description: undefined } } })
  assert.equal(sent[1].body, '{"pos":{"name":"Center"}}')
})

test('an access token that ends soon is refreshed once, before the call', async () => {
  signIn(10)
  const asked = []
  serve((path, request) => {
    asked.push(path)
    if (path === '/api/session') {
      assert.equal(request.body, '{"app":"till","store":"DEFAULT"}')
      return { body: { token: token('ida') } }
    }
    assert.equal(request.headers.Authorization, `Bearer ${token('ida')}`)
    return { body: { pos: [] } }
  })
  await Promise.all([get('/api/{store}/pos'), get('/api/{store}/pos')])
  assert.deepEqual(asked, ['/api/session', '/api/DEFAULT/pos', '/api/DEFAULT/pos'])
})

test('a session that the server has ended is forgotten', async () => {
  signIn(3600)
  serve(() => ({ status: 401, body: { status: 401, detail: 'Expired JWT Token' } }))
  await assert.rejects(get('/api/{store}/pos'), { kind: 'ended' })
  assert.equal(session.claims.value, null)
  assert.equal(session.signedOut.value, true)
})

test('a write with a key is repeated with the same key, one without is not', async () => {
  signIn(3600)
  const keys = []
  serve((_, request) => {
    keys.push(request.headers['Idempotency-Key'])
    return keys.length < 2 ? { status: 503, body: {}, headers: { 'Retry-After': '0' } } : { body: { ok: true } }
  })
  assert.deepEqual(await write('POST', '/api/{store}/pos', { body: {}, key: 'intent' }), { ok: true })
  assert.deepEqual(keys, ['intent', 'intent'])
  keys.length = 0
  await assert.rejects(write('POST', '/api/{store}/pos', { body: {}, key: null }), { kind: 'limited' })
  assert.equal(keys.length, 1)
})

test('errors come to the fields that they are about', async () => {
  signIn(3600)
  serve(() => ({
    status: 400, headers: { 'X-Request-Id': 'request-1' },
    body: { status: 400, code: 'invalid_form', detail: 'Invalid', errors: [
      { pointer: '#/pos/location/street', code: 'blank', detail: 'This value should not be blank.' },
      { pointer: '#', code: 'whole', detail: 'Of the form' },
    ] },
  }))
  const failure = await write('POST', '/api/{store}/pos', { body: { pos: {} } }).catch((e) => e)
  assert.ok(failure instanceof Failure)
  assert.deepEqual([failure.kind, failure.request, failure.code], ['invalid', 'request-1', 'invalid_form'])
  assert.deepEqual(failure.fields, {
    'location.street': [{ code: 'blank', detail: 'This value should not be blank.' }], '': [{ code: 'whole', detail: 'Of the form' }],
  })
})

test('a server that cannot be reached is no answer', async () => {
  signIn(3600)
  serve(() => { throw new TypeError('failed to fetch') })
  await assert.rejects(get('/api/{store}/pos'), { kind: 'network' })
  assert.equal(online.value, false)
  assert.notEqual(session.claims.value, null)
})
