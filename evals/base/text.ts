/** Small words and bytes: counts, hashes, JSON that no terminal obeys. */
import { createHash } from 'node:crypto'

/** `3 files`, `1 file`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** SHA-256 in hex of UTF-8 text. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** One text per value: keys sorted, no white space, `undefined` left out. Judgements are found by a hash of it. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  )
}

/** Indented, and ASCII only: cases hold foreign words, and a terminal might obey hidden ones. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
