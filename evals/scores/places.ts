/** Whether lines meet lines: the deterministic match of a finding with what is known of a change. */
import type { Finding } from '../../src/index.ts'
import type { KnownFault, LineRange } from '../cases/eval-case.ts'

/** Where a finding is shown. */
export function placeOf({
  anchor,
  side,
  startLine,
  endLine,
}: Pick<Finding, 'anchor' | 'side' | 'startLine' | 'endLine'>): LineRange {
  return { file: anchor.path, start: startLine, end: endLine, side: side === 'old' ? 'left' : 'right' }
}

/** Lines between the two: 0 when they overlap, infinite in another file or on the other side. */
export function distance(a: LineRange, b: LineRange): number {
  if (a.file !== b.file || a.side !== b.side) return Number.POSITIVE_INFINITY
  return Math.max(0, a.start - b.end, b.start - a.end)
}

/** To the nearest of the places at which the fault may be shown. */
export function distanceTo(place: LineRange, fault: KnownFault): number {
  return Math.min(...placesOf(fault).map((one) => distance(place, one)), Number.POSITIVE_INFINITY)
}

export function placesOf({ place, also }: KnownFault): LineRange[] {
  return place ? [place, ...also] : also
}
