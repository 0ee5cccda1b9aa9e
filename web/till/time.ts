// Times of the device, in the form of the API's, so that they are formatted alike.
export function deviceTime(at: number): string {
  const offset = -new Date(at).getTimezoneOffset()
  const two = (n: number): string => String(Math.trunc(Math.abs(n))).padStart(2, '0')
  const wall = new Date(at + offset * 60_000).toISOString().slice(0, 19)
  return `${wall}${offset < 0 ? '-' : '+'}${two(offset / 60)}${two(offset % 60)}`
}
