// Merging joins the changes that two people made to the values of a form.
type Tree = Record<string, unknown>

export interface Merged<T> {
  mine: T // all changes; where both changed the same, mine
  theirs: T // the same with theirs
  clashes: string[] // paths of the values that both changed, not to the same
}

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value) as null)

// same compares values of forms. Files are the same only if they are one.
const same = (a: unknown, b: unknown): boolean =>
  a === b || (!(a instanceof Blob) && !(b instanceof Blob) && JSON.stringify(a) === JSON.stringify(b))

// merge joins two changes of base. Lists are changed as a whole, other objects by their members.
export function merge<T extends object>(base: T, mine: T, theirs: T): Merged<T> {
  const result = { mine: {} as Tree, theirs: {} as Tree, clashes: [] as string[] }
  const [b, m, o] = [base as Tree, mine as Tree, theirs as Tree]
  for (const name of new Set([...Object.keys(m), ...Object.keys(o)])) {
    if (same(m[name], o[name]) || same(b[name], o[name])) result.mine[name] = result.theirs[name] = m[name]
    else if (same(b[name], m[name])) result.mine[name] = result.theirs[name] = o[name]
    else if (isTree(m[name]) && isTree(o[name])) {
      const inner = merge(isTree(b[name]) ? b[name] : {}, m[name], o[name])
      result.mine[name] = inner.mine
      result.theirs[name] = inner.theirs
      result.clashes.push(...inner.clashes.map((path) => `${name}.${path}`))
    } else {
      result.mine[name] = m[name]
      result.theirs[name] = o[name]
      result.clashes.push(name)
    }
  }
  return result as Merged<T>
}
