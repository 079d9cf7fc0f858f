/** Finds quoted words in a text. */
import { holdsWords } from '../../../base/holds-quote.ts'

/** Fewer characters than these, white space aside, must stand there exactly. */
const fewest = 6

/**
 * The words as they stand in the text, or null. Exactly, or as a model was shown them (see `holdsWords`); and, when
 * `foldsSpace`, where they stand once and only once but for white space.
 */
export function findQuote(text: string, quote: string, foldsSpace: boolean): string | null {
  if (holdsWords(text, quote)) return quote
  return foldsSpace ? findFolded(text, quote) : null
}

function findFolded(text: string, quote: string): string | null {
  const words = quote.replace(/\s+/g, '')
  if (words.length < fewest || words.length > text.length) return null
  const signs = [...text.matchAll(/\S/g)]
  const bare = signs.map(([sign]) => sign).join('')
  const at = bare.indexOf(words)
  if (at < 0 || bare.indexOf(words, at + 1) >= 0) return null
  const [first, last] = [signs[at], signs[at + words.length - 1]]
  return first && last ? text.slice(first.index, last.index + 1) : null
}
