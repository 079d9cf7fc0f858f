/** How far a run is, and how long the rest may take, from its events. A guess, and shown as one. */
import type { ReviewEvent } from '../../index.ts'

/**
 * What part of a usual run each stage takes, as measured without models; they add up to 1. How long a model takes nobody
 * knows before, so its stages have a small share each, and the time left is computed again when they are over.
 */
const shares: ReadonlyMap<string, number> = new Map([
  ['collect', 0.1],
  ['diff', 0.04],
  ['context', 0.5],
  ['planes', 0.14],
  ['explore', 0.04],
  ['review', 0.07],
  ['mutants', 0.01],
  ['validate', 0.05],
  ['refute', 0.02],
  ['prove', 0.01],
  ['conclude', 0.02],
])

/** Before so much has been done and has passed, a forecast would only jump about. */
const leastFraction = 0.1
const leastElapsedMs = 1_000

export type Estimate = {
  /** `elapsedMs`: since the run began. */
  hear(event: ReviewEvent, elapsedMs: number): void
  /** From 0 to 1; never goes back. */
  fraction(): number
  /** Milliseconds still to go; null while too little is known, and when the last forecast has run out. */
  restMs(elapsedMs: number): number | null
}

export function createEstimate(): Estimate {
  let ended = 0
  let within = 0
  let highest = 0
  // The moment at which the run should end, by the last event that said how far it is. Between two events it stays
  // where it is: a stage that tells nothing on the way must not make the rest grow with every second.
  let endMs: number | null = null
  const advance = (elapsedMs: number) => {
    highest = Math.min(1, Math.max(highest, ended + within))
    endMs = highest < leastFraction ? null : elapsedMs / highest
  }
  return {
    hear: (event, elapsedMs) => {
      if (event.type === 'stage-progress' && event.total > 0) {
        within = (shares.get(event.stage) ?? 0) * Math.min(1, event.done / event.total)
        advance(elapsedMs)
      }
      if (event.type === 'stage-end') {
        ended += shares.get(event.stage) ?? 0
        within = 0
        advance(elapsedMs)
      }
    },
    fraction: () => highest,
    restMs: (elapsedMs) => {
      if (endMs === null || elapsedMs < leastElapsedMs || endMs <= elapsedMs) return null
      return endMs - elapsedMs
    },
  }
}
