/**
 * How well one would do without reading: by pointing at random changed lines, or at the largest hunks. Computed, not
 * drawn, so that it is the same each time.
 */

import type { KnownFault, LineRange } from '../cases/eval-case.ts'
import type { ChangedFile } from '../repositories/changed-lines.ts'
import { distanceTo, placesOf } from './places.ts'

/**
 * The probability that one of `guesses` different changed lines, drawn evenly, lies within `tolerance` of the fault. The
 * guesser knows the side: added lines for a fault on the new side, removed ones for one on the old.
 */
export function chanceOfRandomLines(
  changed: readonly ChangedFile[],
  fault: KnownFault,
  guesses: number,
  tolerance: number,
): number {
  const side = placesOf(fault)[0]?.side ?? 'right'
  const pool = changed.flatMap(({ path, hunks }) =>
    hunks.flatMap(({ added, removed }) =>
      (side === 'right' ? added : removed).map(
        (line): LineRange => ({ file: path, start: line, end: line, side }),
      ),
    ),
  )
  const near = pool.filter((place) => distanceTo(place, fault) <= tolerance).length
  return 1 - chanceToMiss(pool.length, near, Math.min(guesses, pool.length))
}

/** Whether one of the `guesses` hunks with the most changed lines lies within `tolerance` of the fault. */
export function isInLargestHunks(
  changed: readonly ChangedFile[],
  fault: KnownFault,
  guesses: number,
  tolerance: number,
): boolean {
  return largestHunks(changed, guesses).some((places) =>
    places.some((place) => distanceTo(place, fault) <= tolerance),
  )
}

/** Both sides of each hunk; of two as large, the one that comes first in the change. */
function largestHunks(changed: readonly ChangedFile[], count: number): LineRange[][] {
  return changed
    .flatMap(({ path, hunks }) => hunks.map((hunk) => ({ path, hunk })))
    .map((one, order) => ({ ...one, order, size: one.hunk.added.length + one.hunk.removed.length }))
    .sort((a, b) => b.size - a.size || a.order - b.order)
    .slice(0, count)
    .map(({ path, hunk }) => [
      { file: path, start: hunk.newStart, end: hunk.newEnd, side: 'right' },
      { file: path, start: hunk.oldStart, end: hunk.oldEnd, side: 'left' },
    ])
}

/** Of `pool` lines `near` would hit: the probability that `draws` of them, without putting back, all miss. */
function chanceToMiss(pool: number, near: number, draws: number): number {
  let miss = 1
  for (let drawn = 0; drawn < draws; drawn++) miss *= Math.max(0, (pool - near - drawn) / (pool - drawn))
  return miss
}
