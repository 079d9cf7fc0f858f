/** The loop goes on for twenty turns of a hundred calls, whatever they bring. */
import type { LoopLimits } from '../../../../src/agent/contract.ts'

export * from '../../../../src/agent/explore.ts'

const wide: LoopLimits = {
  iterations: 20,
  callsPerIteration: 100,
  calls: 2_000,
  seconds: 600,
  evidenceBytes: 2_000_000,
}

export function adaptLimits(): LoopLimits {
  return wide
}

export function reachedLimit(_limits: LoopLimits, { iterations }: { iterations: number }) {
  return iterations >= wide.iterations ? { end: 'iterations' as const, detail: 'enough' } : null
}
