/** How far a loop may go. Paranoid on purpose: a thinner bundle is better than a review that never comes. */
import type { LoopLimits } from './contract.ts'

export const usualLimits: LoopLimits = {
  iterations: 5,
  callsPerIteration: 8,
  calls: 40,
  seconds: 30,
  evidenceBytes: 60 * 1024,
}

export type ChangeSize = { files: number; lines: number; symbols: number }

/** Iterations by the size of the change: 2 for a small one, 5 for a usual one, up to 8 for a large one. */
export function iterationsFor({ files, lines, symbols }: ChangeSize): number {
  const size = Math.max(files / 3, lines / 60, symbols / 5)
  if (size <= 1) return 2
  return Math.min(8, 3 + Math.floor(Math.log2(size)))
}

export function adaptLimits(limits: LoopLimits, size: ChangeSize): LoopLimits {
  const adapted = iterationsFor(size)
  // What an operator lowered stays low; the usual number makes room both ways.
  const iterations =
    limits.iterations === usualLimits.iterations ? adapted : Math.min(limits.iterations, adapted)
  return { ...limits, iterations }
}

/** The limit that is reached, or null. Asked after every iteration. */
export function reachedLimit(
  limits: LoopLimits,
  used: { iterations: number; calls: number; seconds: number; bytes: number },
): { end: 'iterations' | 'calls' | 'seconds' | 'evidence'; detail: string } | null {
  if (used.seconds >= limits.seconds) return { end: 'seconds', detail: `${limits.seconds} s were over` }
  if (used.bytes >= limits.evidenceBytes)
    return { end: 'evidence', detail: `${limits.evidenceBytes} bytes of evidence collected` }
  if (used.calls >= limits.calls) return { end: 'calls', detail: `${limits.calls} tool calls were made` }
  if (used.iterations >= limits.iterations)
    return { end: 'iterations', detail: `${limits.iterations} iterations were made` }
  return null
}
