/** Cursors of lists whose order is a number. */
import { Refused } from '../http/contract.ts'

/** Null for the beginning. Throws `Refused`. */
export function numberIn(cursor: string | undefined): number | null {
  return digitsIn(cursor, 15)
}

/** How many entries come before the page; 0 for the beginning. Throws `Refused`. */
export function shownBefore(cursor: string | undefined): number {
  return digitsIn(cursor, 9) ?? 0
}

function digitsIn(cursor: string | undefined, most: number): number | null {
  if (cursor === undefined) return null
  if (!/^\d+$/.test(cursor) || cursor.length > most) throw new Refused(400, 'cursor: is not one of this list')
  return Number(cursor)
}
