// Counts in an attribute of the document what the page waits for, so that who operates it, such as a test, can tell
// when it is ready.
let count = 0

// underway counts a call, or a part of the app that is loaded, until the page has had the turn to take its result.
// Streams, which do not end, are not counted.
export function underway<T>(work: Promise<T>): Promise<T> {
  show(1)
  const end = (): unknown => setTimeout(() => show(-1))
  work.then(end, end)
  return work
}

// whenLoaded takes a part of the app that is loaded when it is needed. Without a network, the page does without it.
export function whenLoaded<T>(part: Promise<T>, take: (module: T) => void): void {
  void underway(part).then(take, () => undefined)
}

function show(change: number): void {
  count += change
  document.documentElement.dataset['calls'] = String(count)
}
