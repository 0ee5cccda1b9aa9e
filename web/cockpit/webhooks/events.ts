import { tIf } from '../../i18n/i18n'

// eventText returns the name of an event type in the user's language. A star at the end stands for all of a kind.
export function eventText(type: string): string {
  if (isShort(type)) return tIf(`event.short.${type}`, type)
  const name = type.replace(/\.\*$/, '').split('.').at(-1) ?? type
  return tIf(`event.${type.endsWith('*') ? 'all.' : ''}${name}`, type)
}

// isShort reports whether a name is one of those that older clients know, such as customer.registered.
export function isShort(name: string): boolean {
  return name !== '*' && !name.startsWith('Platform.')
}

// withShortKinds adds to short names those that stand for all of a kind, such as customer.*.
export function withShortKinds(names: string[]): string[] {
  return [...new Set(names.map((name) => `${name.split('.')[0]}.*`)), ...names]
}

// withKinds adds to the types of events those that stand for all of a kind, such as Platform.Domain.User.*.
export function withKinds(types: string[]): string[] {
  const kinds = new Set(types.map((type) => `${type.split('.').slice(0, -2).join('.')}.*`))
  return [...kinds, ...types]
}
