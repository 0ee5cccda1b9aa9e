// Texts that people write: inline Markdown as the API renders it (docs/behaviour/campaigns.md#markdown), and empty
// lines between paragraphs. It makes elements rather than HTML, so no text can bring markup or scripts of its own.
import type { JSX } from 'preact'

export function Prose({ text }: { text: string }): JSX.Element {
  return (
    <>
      {text.split(/\n[ \t]*\n\s*/).map((paragraph, i) => (
        <p key={i} dir="auto">
          {inline(paragraph, 0)}
        </p>
      ))}
    </>
  )
}

const maxLevels = 16
const maxSpan = 2000 // characters between two signs, so that many signs without a partner cost little

// signs matches what has a meaning. What does not match is text.
const signs = new RegExp(
  [
    '\\\\([!-/:-@[-`{-~])', // 1: a sign that is meant as it is
    '(`{1,3})(?!`)(.{0,N}?[^`])\\2(?!`)', // 3: code
    '!?\\[([^\\]]{0,N})\\]\\(\\s*<?([^\\s()<>]{0,N})>?(?:\\s+"[^"]{0,N}")?\\s*\\)', // 4, 5: a link or a picture
    '<((?:https?:|mailto:)[^\\s<>]+)>', // 6: an address
    '(\\*\\*|~~)(?=\\S)(.{0,N}?\\S)\\7', // 7, 8: strong, or struck through
    '\\b(__)(?=\\S)(.{0,N}?\\S)__\\b', // 9, 10: strong
    '\\*(?=[^\\s*])(.{0,N}?[^\\s*])\\*', // 11: emphasis
    '\\b_(?=[^\\s_])(.{0,N}?[^\\s_])_\\b', // 12: emphasis
    '\\b(https?://[^\\s<>]*[^\\s<>.,;:!?\'")])', // 13: an address
    '( {2,}|\\\\)\\n', // 14: the end of a line
  ]
    .join('|')
    .replaceAll('N', String(maxSpan)),
  'gs',
)

type Part = JSX.Element | string

function inline(text: string, level: number): Part[] {
  if (level > maxLevels) return [text]
  const parts: Part[] = []
  let end = 0
  for (const m of text.matchAll(signs)) {
    if (m.index > end) parts.push(text.slice(end, m.index))
    parts.push(element(m, parts.length, level + 1))
    end = m.index + m[0].length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

function element(m: RegExpMatchArray, key: number, level: number): Part {
  const [all, escaped, , code, label, target, address, sign, strong, , underlined, starred, emphasis, bare] = m
  if (escaped !== undefined) return escaped
  if (code !== undefined) return <code key={key}>{code}</code>
  // Pictures of other servers are not shown: they would tell them who reads the text.
  if (label !== undefined) return link(target ?? '', label ? inline(label, level) : [target ?? ''], key)
  if (address !== undefined) return link(address, [address.replace(/^mailto:/, '')], key)
  if (sign === '~~') return <del key={key}>{inline(strong!, level)}</del>
  if (sign !== undefined) return <strong key={key}>{inline(strong!, level)}</strong>
  if (underlined !== undefined) return <strong key={key}>{inline(underlined, level)}</strong>
  if (starred !== undefined || emphasis !== undefined) return <em key={key}>{inline(starred ?? emphasis!, level)}</em>
  if (bare !== undefined) return link(bare, [bare], key)
  return all.endsWith('\n') ? <br key={key} /> : all
}

// link leads to http, https and mailto only; another target stays text.
function link(target: string, content: Part[], key: number): JSX.Element {
  if (!/^(https?:\/\/|mailto:)/i.test(target)) return <span key={key}>{content}</span>
  return (
    <a key={key} href={target} target="_blank" rel="noreferrer">
      {content}
    </a>
  )
}
