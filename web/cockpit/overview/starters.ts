// What every program begins with: a level that new customers start in, and a rule by which they earn.
import { write } from '../../api/client'

export async function addLevel(language: string, name: string, key?: string): Promise<void> {
  await write('POST', '/api/{store}/level', {
    body: { level: { active: true, conditionValue: 0, translations: { [language]: { name } } } },
    key,
  })
}

// addRule adds a rule that gives one point for each unit of the currency.
export async function addRule(name: string): Promise<void> {
  await write('POST', '/api/{store}/earningRule', {
    body: {
      earningRule: {
        type: 'points',
        name,
        description: name,
        active: true,
        allTimeActive: true,
        everybody: true,
        pointValue: 1,
      },
    },
  })
}
