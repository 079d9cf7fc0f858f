/**
 * A model that cites a line of the diff by a tag that is not quite right. Once the line is found, its words are a claim
 * about that line, which is checked like any other; evidence that nobody numbered cannot be cited.
 */
import type { Side } from '../../../domain/change-set.ts'
import type { Claim } from '../../../domain/claim.ts'
import { locateTag } from '../anchor/locate-tag.ts'
import type { Place } from '../anchor/place.ts'
import { readQuotes } from '../anchor/quoted.ts'
import { isDropped } from '../step.ts'
import { findQuote } from './find-quote.ts'

/** A quote of more lines is no quote. */
const mostLines = 40

/** One claim for each quoted line; null when the tag names no line of the file, or the words do not stand there. */
export function claimsOfTag(tag: string, quote: string, { file }: Place): Claim[] | null {
  const located = locateTag(tag, file, readQuotes([quote], file))
  if (isDropped(located)) return null
  const { hunk, line } = located.spot
  const side: Side = line.new !== null ? 'new' : 'old'
  const own = (file.hunks[hunk]?.lines ?? []).filter((one) => one[side] !== null)
  const from = own.indexOf(line)
  const shown = own.slice(from, from + Math.min(quote.trim().split('\n').length, mostLines))
  const words = findQuote(shown.map(({ text }) => text).join('\n'), quote.trim(), true)
  if (words === null || words.trim() === '') return null
  const pieces = words.split('\n')
  // The quote may begin below the tagged line.
  const offset = shown.findIndex((_, at) =>
    pieces.every((piece, next) => shown[at + next]?.text.includes(piece)),
  )
  if (offset < 0) return null
  return pieces.flatMap((text, at): Claim[] => {
    const number = shown[offset + at]?.[side]
    return text.trim() === '' || !number
      ? []
      : [{ kind: 'line-contains', side, text, path: file.path, line: number }]
  })
}
