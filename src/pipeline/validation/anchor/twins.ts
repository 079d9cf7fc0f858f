/** Lines that are alike, word for word: which of them is meant is told by what is quoted around them. */
import type { FileChange } from '../../../domain/change-set.ts'
import { lineIndexOf, type Spot } from '../../../domain/diff-lines.ts'
import { occurrencesOf } from './quoted.ts'

/** The other lines of the diff of this file with the same words. */
export function twinsOf({ line }: Spot, file: FileChange): readonly Spot[] {
  return lineIndexOf(file)
    .withHash(line.hash)
    .filter((other) => other.line !== line && other.line.text === line.text)
}

/**
 * Of a line and its twins the one that the quotes of several lines fit. Null when no quote tells, and `'unclear'` when
 * they speak against the line itself without telling which other one is meant.
 */
export function twinQuoted(spot: Spot, file: FileChange, quotes: readonly string[]): Spot | 'unclear' | null {
  const blocks = quotes.filter((quote) => quote.trim().includes('\n'))
  const twins = blocks.length === 0 ? [] : twinsOf(spot, file)
  if (twins.length === 0) return null
  const quoted = new Set(blocks.flatMap((block) => occurrencesOf(block, file)).flat())
  const fitting = [spot, ...twins].filter(({ line }) => quoted.has(line))
  if (fitting.includes(spot) || fitting.length === 0) return null
  const [only] = fitting
  return only && fitting.length === 1 ? only : 'unclear'
}
