import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audienceOf, sentAudience } from '../../cockpit/audience'

test('everybody is sent as such, and lists of all levels stay lists', () => {
  const of = (stored) => audienceOf({ levels: [], segments: [], ...stored })
  assert.equal(of({ everybody: true, levels: ['bronze', 'gold'] }).audience, 'all')
  assert.equal(of({}).audience, 'all')
  assert.deepEqual(sentAudience(of({ everybody: true, levels: ['bronze', 'gold'] })), { everybody: true })
  assert.deepEqual(sentAudience(of({ levels: ['bronze', 'gold'] })), { everybody: false, target: 'level', levels: ['bronze', 'gold'] })
  assert.deepEqual(sentAudience(of({ segments: ['tea'] })), { everybody: false, target: 'segment', segments: ['tea'] })
})
