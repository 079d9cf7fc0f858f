/** Finds the one diff line that a tag means, or says why there is none. */
import type { DiffLine, FileChange, Side } from '../../../domain/change-set.ts'
import { lineIndexOf, type Spot } from '../../../domain/diff-lines.ts'
import { type Dropped, drop } from '../contract.ts'
import { foldSpace, type Quotes } from './quotes.ts'

/** `correction` says how a wrong tag was corrected; null for a tag that names its line exactly. */
export type Located = { spot: Spot; correction: string | null }

/** `hash` has three characters, or fewer when it was cut; `side` is null when the letter is missing. */
export type ReadTag = { side: Side | null; line: number; hash: string; isWhole: boolean }

/**
 * The number and the hash of a tag, and the words that the finding quotes, each point to a line. When number and hash
 * agree, that is the line. Otherwise the words decide between the two lines, and only if they occur in one of them:
 * `L42` with the hash of line 43 can be either line, and hashes are short.
 */
export function locateTag(tag: string, file: FileChange, quotes: Quotes): Located | Dropped {
  const read = readTag(tag)
  if (!read) return drop(`\`${tag.slice(0, 40)}\` is not a line tag`)
  const index = lineIndexOf(file)
  const sides: readonly Side[] = read.side === null ? ['new', 'old'] : [read.side]
  const numbered = sides.flatMap((side) => index.at(side, read.line) ?? [])
  const exact = read.isWhole ? numbered.filter(({ line }) => line.hash === read.hash) : []
  const [first] = exact
  if (first && exact.every((spot) => spot.line === first.line)) return { spot: first, correction: null }

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
  if (byHash) return correctNumber(name, read, byHash, file, hashed.length, quotes)
  const byNumber = numbered.find(({ line }) => line === meant)
  if (byNumber) return correctHash(name, read, byNumber, file, quotes)
  return unquoted(name, read, file)
}

/** The hash and the quoted words agree on a line; the number is that of another line, or of none. */
function correctNumber(
  name: string,
  read: ReadTag,
  spot: Spot,
  file: FileChange,
  sameHash: number,
  quotes: Quotes,
): Located | Dropped {
  // An identical line elsewhere is reason to doubt: the number may be stale, and that line the one that was meant.
  if (sameHash > 1 && !quotes.holdOnly(spot.line))
    return drop(`${name} has a wrong number, and ${sameHash} lines have its hash`)
  const isNear = lineIndexOf(file).hunksAround(read.line).has(spot.hunk)
  const isTelling = foldSpace(spot.line.text).length >= 8
  return isNear || isTelling
    ? { spot, correction: `${name} had a wrong number; hash and quoted words fit one line only` }
    : drop(`${name} points away from the line with its hash`)
}

/** The number and the quoted words agree on a line; the hash is cut, or that of another line, or of none. */
function correctHash(
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
  // The number can also be a few lines off, so the words must not occur nearby as well.
  const others = (file.hunks[spot.hunk]?.lines ?? []).filter(
    (line) => line !== spot.line && (read.side === null || line[read.side] !== null) && !sharesQuote(line),
  )
  return others.some((line) => quotes.hold(line))
    ? drop(`${name} has a wrong hash, and several lines contain the quoted words`)
    : { spot, correction: `${name} had a wrong hash; number and quoted words fit one line only` }

  /** Both lines belong to the same quote. */
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
    ? { spot, correction: `${name} was the line's number on the other side` }
    : drop(`${name} has a wrong number, and the line with its hash is not quoted`)
}

function nameOf({ side, line, hash }: ReadTag): string {
  const letter = side === null ? '' : side === 'new' ? 'L' : 'O'
  return `${letter}${line}${hash === '' ? '' : `#${hash}`}`
}

function otherSide(side: Side): Side {
  return side === 'new' ? 'old' : 'new'
}

const written =
  /^[+\- ]?[[(`"']{0,2}([LO])?(\d{1,9})(?: ?# ?([0-9a-z]{1,3}))?[\])`"']{0,2}:?(?: {0,2}[+-])?$/i

/**
 * Reads a tag as people and models write it: bare, in brackets or backticks, followed by a sign, with the hash cut short.
 * Null for anything else. The exact form `L42#k7f` has one reading only.
 */
export function readTag(tag: string): ReadTag | null {
  const match = tag.length > 40 ? null : written.exec(tag.trim())
  if (!match) return null
  const [, letter, digits = '', hash = ''] = match
  // A bare number could be anything.
  if (letter === undefined && hash.length < 3) return null
  const side = letter === undefined ? null : letter.toUpperCase() === 'L' ? 'new' : 'old'
  return {
    side,
    line: Number(digits),
    hash: hash.toLowerCase(),
    isWhole: hash.length === 3,
  }
}
