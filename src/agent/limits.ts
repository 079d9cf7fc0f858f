/** How far a loop may go. Paranoid on purpose: a thinner bundle is better than a review that never comes. */
import { count } from '../base/count.ts'
import type { LoopLimits } from './contract.ts'

export const defaultLimits: LoopLimits = {
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
    limits.iterations === defaultLimits.iterations ? adapted : Math.min(limits.iterations, adapted)
  return { ...limits, iterations }
}

/** With less room than this, bytes, no further answer is worth asking for. */
const leastRoom = 400

/** The limit that is reached, or null. Asked after every iteration. */
export function reachedLimit(
  limits: LoopLimits,
  used: { iterations: number; calls: number; seconds: number; bytes: number },
): { end: 'iterations' | 'calls' | 'seconds' | 'evidence'; detail: string } | null {
  if (used.seconds >= limits.seconds) return { end: 'seconds', detail: `${limits.seconds} s were over` }
  if (limits.evidenceBytes - used.bytes < leastRoom)
    return { end: 'evidence', detail: `${limits.evidenceBytes} bytes of evidence collected` }
  if (used.calls >= limits.calls) return { end: 'calls', detail: `${limits.calls} tool calls were made` }
  if (used.iterations >= limits.iterations)
    return { end: 'iterations', detail: `${limits.iterations} iterations were made` }
  return null
}

/** What a model must know of its limits before it asks: which round this is, and what is left. */
export function roundWords(
  { iterations, callsPerIteration, seconds, evidenceBytes }: LoopLimits,
  left: { number: number; calls: number; bytes: number },
): string {
  const room = `${kilobytes(left.bytes)} of ${kilobytes(evidenceBytes)} KB of evidence`
  const calls = Math.max(0, Math.min(callsPerIteration, left.calls))
  const budget = `at most ${count(calls, 'call')}; ${room} left`
  if (left.number >= iterations)
    return `This is round ${left.number} of ${iterations}, the last one: ${budget}. You will not see its answers; they go straight to the reviewer. Make the calls whose answers the reviewer must read, precise ones, with the line ranges.`
  return `This is round ${left.number} of ${iterations}: ${budget}. All rounds together have ${seconds} s; what was answered by then is kept.`
}

function kilobytes(bytes: number): number {
  return Math.round(Math.max(0, bytes) / 1024)
}
