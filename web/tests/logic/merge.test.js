import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merge } from '../../ui/merge'

test('changes of two people are joined, and what both changed is named', () => {
  const base = { name: 'Tea', price: '5', texts: { en: { name: 'Tea' }, pl: { name: 'Herbata' } }, levels: ['a'], photo: null }
  const mine = { ...base, price: '6', texts: { ...base.texts, en: { name: 'Green tea' } }, levels: ['a', 'b'] }
  assert.deepEqual(merge(base, mine, base), { mine, theirs: mine, clashes: [] })
  assert.deepEqual(merge(base, base, mine), { mine, theirs: mine, clashes: [] })
  assert.deepEqual(merge(base, mine, mine), { mine, theirs: mine, clashes: [] })

  const theirs = { ...base, name: 'Cake', texts: { ...base.texts, pl: { name: 'Ciasto' } } }
  const both = { ...mine, name: 'Cake', texts: { en: { name: 'Green tea' }, pl: { name: 'Ciasto' } } }
  assert.deepEqual(merge(base, mine, theirs), { mine: both, theirs: both, clashes: [] })

  const other = { ...base, name: 'Cake', price: '7', texts: { ...base.texts, en: { name: 'Black tea' } }, levels: [] }
  const met = merge(base, mine, other)
  assert.deepEqual(met.clashes, ['price', 'texts.en.name', 'levels'])
  assert.deepEqual(met.mine, { ...mine, name: 'Cake' })
  assert.deepEqual(met.theirs, other)

  const photo = new Blob(['x'])
  assert.deepEqual(merge(base, { ...base, photo }, { ...base, name: 'Cake' }).mine, { ...base, name: 'Cake', photo })
})
