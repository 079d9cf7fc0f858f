/** Finds the one diff line a tag means, or says why there is none. */
import type { DiffLine, FileChange, Side } from '../../../domain/change-set.ts'
import { lineIndexOf, type Spot } from '../../../domain/diff-lines.ts'
import { type Dropped, drop } from '../step.ts'
import { foldSpace } from './fold-lines.ts'
import type { Quotes } from './quoted.ts'
import { type ReadTag, readTag } from './read-tag.ts'

/** `mended` says how a wrong tag was put right; null for a tag that names its line exactly. */
export type Located = { spot: Spot; mended: string | null }

/**
 * Number and hash of a tag, and the words that the finding quotes, are three witnesses of one line. A tag whose number
 * and hash agree needs no third. Else the words decide between the lines the two point to, and only when they stand in
 * one of those and not in the others: `L42` with the hash of line 43 can be either line, and hashes are short.
 */
export function locateTag(tag: string, file: FileChange, quotes: Quotes): Located | Dropped {
  const read = readTag(tag)
  if (!read) return drop(`\`${tag.slice(0, 40)}\` is not a line tag`)
  const index = lineIndexOf(file)
  const sides: readonly Side[] = read.side === null ? ['new', 'old'] : [read.side]
  const numbered = sides.flatMap((side) => index.at(side, read.line) ?? [])
  const exact = read.isWhole ? numbered.filter(({ line }) => line.hash === read.hash) : []
  const [first] = exact
  if (first && exact.every((spot) => spot.line === first.line)) return { spot: first, mended: null }

  const name = nameOf(read)
  const hashed = read.isWhole ? index.withHash(read.hash) : []
  const pointed = [...new Set([...numbered, ...hashed].map(({ line }) => line))]
  const meant = pointed.find((line) => quotes.hold(line))
  const others = pointed.filter((line) => line !== meant && (quotes.hold(line) || quotes.touch(line)))
  if (meant && others.length > 0)
    return drop(
      `${name} has a wrong number or hash, and the quoted words fit ${others.length + 1} of the lines it may mean`,
    )
  const byHash = hashed.find(({ line }) => line === meant)
  if (byHash) return mendNumber(name, read, byHash, file, hashed.length, quotes)
  const byNumber = numbered.find(({ line }) => line === meant)
  if (byNumber) return mendHash(name, read, byNumber, file, quotes)
  return unquoted(name, read, file)
}

/** The hash and the quoted words agree on a line; the number is another one's, or nobody's. */
function mendNumber(
  name: string,
  read: ReadTag,
  spot: Spot,
  file: FileChange,
  twins: number,
  quotes: Quotes,
): Located | Dropped {
  // A twin elsewhere is enough to doubt: the number may be stale, and the twin the one that was meant.
  if (twins > 1 && !quotes.holdOnly(spot.line))
    return drop(`${name} has a wrong number, and ${twins} lines have its hash`)
  const isNear = lineIndexOf(file).hunksAround(read.line).has(spot.hunk)
  const isTelling = foldSpace(spot.line.text).length >= 8
  return isNear || isTelling
    ? { spot, mended: `${name} had a wrong number; hash and quoted words fit one line only` }
    : drop(`${name} points away from the line with its hash`)
}

/** The number and the quoted words agree on a line; the hash is cut, another one's, or nobody's. */
function mendHash(
  name: string,
  read: ReadTag,
  spot: Spot,
  file: FileChange,
  quotes: Quotes,
): Located | Dropped {
  if (!read.isWhole && !spot.line.hash.startsWith(read.hash))
    return drop(`${name} has a wrong hash, cut short`)
  const hashed = read.isWhole ? lineIndexOf(file).withHash(read.hash) : []
  const isBeside = (one: Spot) => one.hunk === spot.hunk && Math.abs(one.index - spot.index) === 1
  if (hashed.length > 0 && !hashed.some(isBeside))
    return drop(`${name} has the hash of a line further away, and that one is not quoted`)
  // A number can be a few lines off besides, so the words must not stand close by as well.
  const others = (file.hunks[spot.hunk]?.lines ?? []).filter(
    (line) => line !== spot.line && (read.side === null || line[read.side] !== null) && !sharesQuote(line),
  )
  return others.some((line) => quotes.hold(line))
    ? drop(`${name} has a wrong hash, and the quoted words stand in several lines`)
    : { spot, mended: `${name} had a wrong hash; number and quoted words fit one line only` }

  /** Lines of one quote of several lines. */
  function sharesQuote(line: DiffLine): boolean {
    return quotes.holdOnly(spot.line) && quotes.holdOnly(line)
  }
}

/**
 * Without its words a line is found only by the number it has on the other side, and only when the number names no
 * line of the diff on the cited side: then the hash cannot be that of a neighbour.
 */
function unquoted(name: string, { side, line, hash, isWhole }: ReadTag, file: FileChange): Located | Dropped {
  if (!isWhole) return drop(`${name} has no whole hash, and the line with its number is not quoted`)
  const index = lineIndexOf(file)
  const fits = index.withHash(hash)
  const [spot] = fits
  if (!spot) return drop(`No line of the diff has the hash of ${name}`)
  if (fits.length > 1) return drop(`${name} has a wrong number, and ${fits.length} lines have its hash`)
  return side !== null && index.at(side, line) === null && spot.line[otherSide(side)] === line
    ? { spot, mended: `${name} was the line's number on the other side` }
    : drop(`${name} has a wrong number, and the line with its hash is not quoted`)
}

function nameOf({ side, line, hash }: ReadTag): string {
  const letter = side === null ? '' : side === 'new' ? 'L' : 'O'
  return `${letter}${line}${hash === '' ? '' : `#${hash}`}`
}

function otherSide(side: Side): Side {
  return side === 'new' ? 'old' : 'new'
}
