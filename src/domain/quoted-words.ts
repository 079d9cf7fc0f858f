/** Whether a text holds the words that a citation quotes, and on which lines of a file they are. */
import { holdsWords } from '../base/visible-text.ts'

/** A quote of fewer characters, white space aside, must match exactly. */
const fewest = 6

/**
 * The quoted words as the text has them, or null. They match exactly, or as a model was shown them (see `holdsWords`);
 * when `foldsSpace`, also where they occur exactly once apart from white space.
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

/** The lines of the words that begin at index `at` of a text, whose own first line is `startLine`. */
export function linesOfWords(
  { text, startLine }: { text: string; startLine: number },
  at: number,
  words: string,
): { startLine: number; endLine: number } {
  const first = startLine + lineFeeds(text.slice(0, at))
  return { startLine: first, endLine: first + lineFeeds(words.trimEnd()) }
}

function lineFeeds(text: string): number {
  return text.split('\n').length - 1
}
