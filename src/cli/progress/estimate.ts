/** How far a run is, and how long the rest may take, from stage events. A guess, and shown as one. */
import type { ReviewEvent } from '../../index.ts'

/** What part of a usual run each stage takes, as measured; they add up to 1. */
const shares: ReadonlyMap<string, number> = new Map([
  ['collect', 0.1],
  ['diff', 0.05],
  ['context', 0.5],
  ['planes', 0.25],
  ['validate', 0.07],
  ['conclude', 0.03],
])

/** Before so much has been done and has passed, a forecast would only jump about. */
const leastFraction = 0.1
const leastElapsedMs = 1_500

export type Estimate = {
  hear(event: ReviewEvent): void
  /** From 0 to 1; never goes back. */
  fraction(): number
  /** Milliseconds still to go, or null while too little is known. */
  restMs(elapsedMs: number): number | null
}

export function createEstimate(): Estimate {
  let ended = 0
  let within = 0
  let highest = 0
  const fraction = () => {
    highest = Math.min(1, Math.max(highest, ended + within))
    return highest
  }
  return {
    hear: (event) => {
      if (event.type === 'stage-progress' && event.total > 0)
        within = (shares.get(event.stage) ?? 0) * Math.min(1, event.done / event.total)
      if (event.type === 'stage-end') {
        ended += shares.get(event.stage) ?? 0
        within = 0
      }
    },
    fraction,
    restMs: (elapsedMs) => {
      const done = fraction()
      if (done < leastFraction || elapsedMs < leastElapsedMs) return null
      return (elapsedMs * (1 - done)) / done
    },
  }
}
