/** What the loop asks of a set of tools, and what comes out of a loop. It knows no screen, no host and no repository. */
import type { EvidenceDraft } from '../domain/evidence.ts'
import type { ModelCall } from '../domain/model-call.ts'

export type ToolCall = { tool: string; args: Readonly<Record<string, unknown>> }

export type CheckedCall =
  | { ok: true; call: ToolCall }
  /** In words for the model: what is wrong with the call, and what would be right. */
  | { ok: false; fault: 'unknown-tool' | 'bad-arguments'; detail: string }

export type ToolAnswer = {
  call: ToolCall
  /** What the model reads: compacted, with a line that says what was cut or whether emptiness is evidence. */
  text: string
  /** The call failed in a way that another call may mend; `text` says how. */
  isError: boolean
  /** What of it may be cited, before it is numbered. */
  evidence: readonly EvidenceDraft[]
  /** Served from an earlier run on the same tree. */
  cached: boolean
  durationMs: number
}

export interface Toolbox {
  /** For the prompt: every tool with its arguments and what it costs, cheap ones first. */
  readonly guide: string
  /** Names of all arguments of all tools with their types, sorted: the shape of a call on the wire. */
  readonly argumentTypes: Readonly<Record<string, 'text' | 'number' | 'flag'>>
  /** Never throws. Nulls among the arguments count as left out; unknown arguments are dropped. */
  check(call: ToolCall): CheckedCall
  /** Rejects only with the signal's reason after an abort; everything else is an answer with `isError`. */
  run(call: ToolCall, signal: AbortSignal): Promise<ToolAnswer>
}

export type LoopLimits = {
  iterations: number
  callsPerIteration: number
  calls: number
  /** Wall clock, looked at after every iteration. */
  seconds: number
  /** Of all answers together, as the model reads them. */
  evidenceBytes: number
}

export type DroppedCall = {
  tool: string
  /**
   * `repeated`: asked and answered before; `over-limit`: beyond the calls of an iteration or of the loop; `no-room`:
   * it ran, and its answer did not fit into the evidence that was left.
   */
  fault: 'unknown-tool' | 'bad-arguments' | 'repeated' | 'over-limit' | 'no-room'
  detail: string
}

export type Iteration = {
  /** 0 is the seed step, which no model asked for. */
  number: number
  reasoning: string
  answers: readonly ToolAnswer[]
  dropped: readonly DroppedCall[]
}

/**
 * Why a loop ended. `done`: the model had enough; `nothing-new`: it asked only for what it had; `unusable`: its answer
 * could not be read or it refused; `failed`: no model was available; the others are limits.
 */
export type LoopEnd =
  | 'done'
  | 'nothing-new'
  | 'unusable'
  | 'failed'
  | 'iterations'
  | 'calls'
  | 'seconds'
  | 'evidence'
  | 'money'

export type Exploration = {
  iterations: readonly Iteration[]
  end: LoopEnd
  /** In words: what the model or the limit said. */
  detail: string
  calls: readonly ModelCall[]
}
