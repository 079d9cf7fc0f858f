/** What is not worth giving to a parser, told from the text alone. */
import type { ParseFailure } from '../contract.ts'

const largest = 1024 * 1024
/** A file is minified when its lines are this long on average, or one of them is this long. */
const longAverage = 500
const longestLine = 50_000
const deepest = 3_000

/** Null when the text may be parsed. */
export function refusal(text: string): ParseFailure['reason'] | null {
  if (text.length > largest) return 'too-large'
  if (isMinified(text)) return 'minified'
  return isTooDeep(text) ? 'too-deep' : null
}

function isMinified(text: string): boolean {
  let lines = 0
  let from = 0
  while (from < text.length) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    if (to - from > longestLine) return true
    lines++
    from = to + 1
  }
  // A short file with one long line is data a parser takes in its stride.
  return text.length > 20_000 && text.length / lines > longAverage
}

/** Counts brackets wherever they stand; strings are not told apart, which only matters for strange files. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 40 || code === 91 || code === 123) {
      depth++
      if (depth > deepest) return true
    } else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth--
  }
  return false
}
