// Searches as the user types.
import { useEffect, useState } from 'preact/hooks'

// typingPause is how long a search waits after the last key, in milliseconds.
export const typingPause = 200

export interface Typed {
  text: string // in the field
  words: string // to search for: the text after a pause
  waiting: boolean // the words will change to the text
  type: (text: string) => void
}

// useTyped gives the words of a search, so that not every letter is a call.
export function useTyped(): Typed {
  const [text, type] = useState('')
  const [words, setWords] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setWords(text.trim()), typingPause)
    return () => clearTimeout(timer)
  }, [text])
  return { text, words, waiting: text.trim() !== words, type }
}
