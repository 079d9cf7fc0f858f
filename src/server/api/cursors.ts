/** Places in lists whose order is a number. */
import { Refused } from '../http/contract.ts'

/** Null for the beginning. Throws `Refused`. */
export function numberIn(cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  if (!/^\d{1,15}$/.test(cursor)) throw new Refused(400, 'cursor: is not one of this list')
  return Number(cursor)
}
