/** What stands behind `sightline eval`: one file for each word that may follow it. */
import type { ValuesOf } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import type { evalOptions } from './options.ts'

export type EvalCall = {
  readonly values: ValuesOf<typeof evalOptions>
  /** What follows the word. */
  readonly operands: readonly string[]
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

export interface EvalVerb {
  /** How many operands it takes; the names are for the message. */
  readonly operands: readonly string[]
  /** Resolves to the exit code. */
  run(call: EvalCall): Promise<number>
}
