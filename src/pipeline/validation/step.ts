/** How a step of validation ends: it lets the candidate through, with notes, or drops it. */

/** What a step checked and found to hold, and what it had to take away, both in words. */
export type StepNotes = { verifiedBy: string[]; demotions: string[] }

/** The candidate goes, and this is why. */
export type Dropped = { dropped: string }

export function drop(reason: string): Dropped {
  return { dropped: reason }
}

export function isDropped(result: object): result is Dropped {
  return 'dropped' in result
}
