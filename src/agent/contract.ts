/** What the loop asks of a set of tools, and what comes out of a loop. It knows no screen, no host and no repository. */
import type { ModelCall } from '../domain/model-call.ts'

export type ToolCall = { tool: string; args: Readonly<Record<string, unknown>> }

export type CheckedCall =
  | { ok: true; call: ToolCall }
  /** In words for the model: what is wrong with the call, and what would be right. */
  | { ok: false; fault: 'unknown-tool' | 'bad-arguments'; detail: string }

/** Lines of an answer that are lines of a file, verbatim and without gap. */
export type CitedRange = {
  /** What it shows, in a few words, for people: `read src/a.ts`. */
  title: string
  /** Index of its first line among the lines of the answer. */
  at: number
  /** Index of a line that only names the range, such as the signature above the code. */
  heading?: number
  path: string
  blob: string
  side: 'old' | 'new'
  /** 1-based. */
  startLine: number
  lines: readonly string[]
}

export type ToolAnswer = {
  call: ToolCall
  /** What was found, complete lines as the model reads them. See `textOf`. */
  lines: readonly string[]
  /** Which of them are lines of files; in order. */
  ranges: readonly CitedRange[]
  /** How many lines there were before anything was cut. */
  total: number
  /** How many of `lines` were too long and are cut. */
  shortened: number
  /** In our words, below the lines: first how much there is, then doubts; why there is nothing. */
  remarks: readonly string[]
  /** How to ask for what was cut, where it is no range of a file. */
  narrow: string
  /** The tool itself left something out; the remarks say what, and how to get it. */
  isPartial: boolean
  /** True for an empty answer that proves that there is nothing. */
  isConclusive: boolean
  /** The call failed in a way that another call may fix; the remarks say how. */
  isError: boolean
  /** Served from an earlier run on the same tree. */
  cached: boolean
  durationMs: number
}

export interface Toolbox {
  /** For the prompt: every tool with its arguments, its limits and what it costs, cheap ones first. */
  readonly guide: string
  /** In the order of the guide. */
  readonly names: readonly string[]
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
  /** Of all answers together, as the model reads them; the seed step does not count. */
  evidenceBytes: number
}

export type DroppedCall = {
  tool: string
  /**
   * `repeated`: asked and answered before; `over-limit`: beyond the calls of an iteration or of the loop; `no-room`:
   * it ran, and hardly any of its answer fitted into the evidence that was left.
   */
  fault: 'unknown-tool' | 'bad-arguments' | 'repeated' | 'over-limit' | 'no-room'
  /** For invalid arguments what is wrong with them; otherwise the key of the call. */
  detail: string
}

/**
 * What became of one call. `whole`: all of its answer is evidence; `cut`: its first lines are, and `detail` says where to
 * go on; `empty`: it proves that there is nothing, which is evidence too; `left-out`: nothing of it is, and `detail` says
 * why.
 */
export type CallAccount = {
  call: string
  outcome: 'whole' | 'cut' | 'empty' | 'left-out'
  detail: string
}

export type Iteration = {
  /** 0 is the seed step, which no model asked for and which is no evidence. */
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
