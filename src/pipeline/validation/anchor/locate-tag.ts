/** Finds the one diff line a tag means, or says why there is none. */
import type { FileChange, Side } from '../../../domain/change-set.ts'
import { type ParsedTag, parseTag } from '../../../domain/line-tag.ts'
import { type Dropped, drop } from '../step.ts'
import { lineIndexOf, type Spot } from './line-index.ts'
import { continuesStatement } from './statement.ts'

/** Of a longer line only so much is looked at to tell where a statement ends. */
const widest = 500

/** `mended` says how a wrong number was put right; null for a tag that names its line exactly. */
export type Located = { spot: Spot; mended: string | null }

/**
 * A tag whose number is wrong is mended only when its hash fits exactly one line of the file's diff and that line
 * is in the hunk the number points into. A number that is neither the line's number on the other side nor one off
 * in the same statement needs the line's own words among the `quotes` besides: a hash of three characters alone is
 * no proof.
 */
export function locateTag(tag: string, file: FileChange, quotes: readonly string[]): Located | Dropped {
  const parsed = parseTag(tag)
  if (!parsed) return drop(`\`${tag.slice(0, 40)}\` is not a line tag`)
  const index = lineIndexOf(file)
  const named = index.at(parsed.side, parsed.line)
  if (named?.line.hash === parsed.hash) return { spot: named, mended: null }

  const name = tag.replace(/^\[|\]$/g, '')
  const fits = index.withHash(parsed.hash)
  const [spot] = fits
  if (!spot) return drop(`No line of the diff has the hash of ${name}`)
  // A twin in another hunk is enough to doubt: the number may be stale, and the twin the one that was meant.
  if (fits.length > 1) return drop(`${name} has a wrong number, and ${fits.length} lines have its hash`)
  if (!index.hunksAround(parsed.line).has(spot.hunk))
    return drop(`${name} points away from the line with its hash`)

  if (spot.line[otherSide(parsed.side)] === parsed.line)
    return { spot, mended: `${name} was the line's number on the other side` }
  if (isOneOff(parsed, spot, file)) return { spot, mended: `${name} was one line off in the same statement` }
  if (isQuoted(spot.line.text, quotes))
    return { spot, mended: `${name} had a wrong number; hash and quoted words fit one line only` }
  return drop(`${name} has a wrong number, and the line with its hash is not quoted`)
}

function otherSide(side: Side): Side {
  return side === 'new' ? 'old' : 'new'
}

function isOneOff({ side, line: cited }: ParsedTag, spot: Spot, file: FileChange): boolean {
  const real = spot.line[side]
  if (real === null || Math.abs(real - cited) !== 1) return false
  const lines = (file.hunks[spot.hunk]?.lines ?? []).filter((line) => line[side] !== null)
  const upper = lines.findIndex((line) => line[side] === Math.min(real, cited))
  const texts = lines.map((line) => line.text.slice(0, widest))
  return upper >= 0 && upper + 1 < lines.length && continuesStatement(texts, upper)
}

/** A line of a few signs must be quoted as a line, or any quote would do. */
function isQuoted(text: string, quotes: readonly string[]): boolean {
  const words = text.trim()
  if (words === '') return false
  if (words.length < 3) return quotes.some((quote) => quote.split('\n').some((line) => line.trim() === words))
  return quotes.some(
    (quote) => quote.includes(words) || (quote.trim().length >= 8 && words.includes(quote.trim())),
  )
}
