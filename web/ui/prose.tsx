// Texts of campaigns, in which **bold** and _italic_ words and empty lines mean what they do in Markdown.
import type { JSX } from 'preact'

export function Prose({ text }: { text: string }): JSX.Element {
  return <>{text.split(/\n\s*\n/).map((paragraph, i) => <p key={i}>{words(paragraph)}</p>)}</>
}

function words(text: string): (JSX.Element | string)[] {
  return text.split(/(\*\*[^*]+\*\*|\b_[^_]+_\b)/).map((part, i) =>
    i % 2 === 0 ? part
    : part.startsWith('**') ? <strong key={i}>{part.slice(2, -2)}</strong>
    : <em key={i}>{part.slice(1, -1)}</em>)
}
