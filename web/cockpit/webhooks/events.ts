import { tIf } from '../../i18n/i18n'

// eventText returns the name of an event type in the user's language. A star at the end stands for all of a kind.
export function eventText(type: string): string {
  const name = type.replace(/\.\*$/, '').split('.').at(-1) ?? type
  return tIf(`event.${type.endsWith('*') ? 'all.' : ''}${name}`, type)
}

// withKinds adds to the types of events those that stand for all of a kind, such as Platform.Domain.User.*.
export function withKinds(types: string[]): string[] {
  const kinds = new Set(types.map((type) => `${type.split('.').slice(0, -2).join('.')}.*`))
  return [...kinds, ...types]
}
