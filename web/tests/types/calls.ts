// Calls that the compiler must refuse. It reports a line below that it would accept.
import { get, url, useQuery, write } from '../../api/client'

const pos = { name: 'Center', description: 'In the passage', identifier: '1' }

export async function calls(): Promise<void> {
  await write('POST', '/api/{store}/pos', { body: { pos } })
  // @ts-expect-error a member that the form does not have
  await write('POST', '/api/{store}/pos', { body: { pos: { ...pos, titel: '' } } })
  const location = { city: 'Gdansk', strasse: '' }
  // @ts-expect-error such a member at any depth, of a value that was made before
  await write('POST', '/api/{store}/pos', { body: { pos: { ...pos, location } } })
  const texts = { name: 'Coffee', titel: '' }
  // @ts-expect-error such a member in a map
  await write('POST', '/api/{store}/campaignCategory', { body: { campaign_category: { translations: { en: texts } } } })
  const criterion = { type: 'purchase_period' as const, since: '' }
  // @ts-expect-error such a member in a list
  await write('POST', '/api/{store}/segment', { body: { segment: { name: 'New', parts: [{ criteria: [criterion] }] } } })
  // @ts-expect-error a value that the form does not know
  await write('POST', '/api/{store}/transaction/simulate', { body: { transaction: { transactionData: { documentType: 'gift' } } } })
  // @ts-expect-error a text for a file
  await write('POST', '/api/{store}/level/{level}/photo', { params: { level: '1' }, body: { photo: { file: '' } } })
  // @ts-expect-error no body
  await write('PUT', '/api/{store}/pos/{pos}', { params: { pos: '1' } })
  // @ts-expect-error no parameter of the path
  await write('DELETE', '/api/{store}/level/{level}')
  // @ts-expect-error no parameter of the path
  await get('/api/{store}/pos/{pos}')
  // @ts-expect-error a parameter that the query does not have
  await get('/api/{store}/pos', { perSide: 10 })
  // @ts-expect-error a path that the API does not have
  await get('/api/{store}/positions')
  // @ts-expect-error a method that the path does not have
  await write('DELETE', '/api/{store}/pos')
  // @ts-expect-error a path that is put together
  url(`/api/{store}/level/${pos.identifier}/photo`)
  // @ts-expect-error a member that the answer does not have
  useQuery('/api/{store}/pos').data?.positions
}
