/** Reads a tag as people and models write it: bare, in brackets or backticks, with a sign behind it, hash cut short. */
import type { Side } from '../../../domain/change-set.ts'

/** `hash` has three characters, or fewer when it was cut; `side` is null when the letter is missing. */
export type ReadTag = { side: Side | null; line: number; hash: string; isWhole: boolean }

const written =
  /^[+\- ]?[[(`"']{0,2}([LO])?(\d{1,9})(?: ?# ?([0-9a-z]{1,3}))?[\])`"']{0,2}:?(?: {0,2}[+-])?$/i

/** Null when it is no tag. What the exact form `L42#k7f` says is never read otherwise. */
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
