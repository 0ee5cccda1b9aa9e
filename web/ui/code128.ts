// Bar codes of the kind Code 128, which scanners at a checkout read. The encoder of JsBarcode needs 6 kB for all kinds
// of text; codes and card numbers need two of its three character sets.

// widths are those of the bars and gaps of each symbol, a bar first.
const widths = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 ' +
  '123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 ' +
  '232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 ' +
  '313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 ' +
  '111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 ' +
  '111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 ' +
  '114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112'
).split(' ')

const toC = 99
const toB = 100
const startB = 104
const startC = 105
const stop = 106

// encode returns the symbols of a text, or null if it has other characters than printable ASCII. Runs of four digits or
// more take half a symbol each.
function encode(text: string): number[] | null {
  if (!/^[ -~]+$/.test(text)) return null
  const symbols: number[] = []
  let pairs: boolean | undefined
  for (const part of text.match(/(?:\d\d){2,}|[^]/g)!) {
    const digits = part.length > 1
    if (digits !== pairs) symbols.push(pairs === undefined ? (digits ? startC : startB) : digits ? toC : toB)
    pairs = digits
    if (digits) symbols.push(...part.match(/../g)!.map(Number))
    else symbols.push(part.charCodeAt(0) - 32)
  }
  const sum = symbols.reduce((total, symbol, i) => total + symbol * Math.max(i, 1), 0)
  return [...symbols, sum % 103, stop]
}

// code128 returns the outline of a bar code, one unit high, and its width in units with quiet zones of ten; null if the
// text cannot be a bar code.
export function code128(text: string): { path: string; width: number } | null {
  const symbols = encode(text)
  if (!symbols) return null
  let at = 10
  let path = ''
  for (const symbol of symbols) {
    ;[...widths[symbol]!].forEach((width, i) => {
      if (i % 2 === 0) path += `M${at} 0h${width}v1h-${width}z`
      at += Number(width)
    })
  }
  return { path, width: at + 10 }
}
