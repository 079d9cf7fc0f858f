/** What an evaluation command is: one file for each word after `npm run evals --`. */
import type { IndexStore } from '../../src/index.ts'
import type { Values } from './options.ts'

export type EvaluationCall = {
  readonly values: Values
  /** What follows the command. */
  readonly operands: readonly string[]
  readonly output: Output
  /** About files, for all reviews of the call, so that parsers stay warm. */
  readonly facts: IndexStore
  readonly signal: AbortSignal
}

export type Output = {
  /** Text for standard output. */
  result(text: string): void
  /** A line for standard error; nothing with `--quiet`. */
  note(line: string): void
}

export interface EvaluationCommand {
  readonly summary: string
  /** The operands it takes, all of them required; of one that ends with `...` there may be several. */
  readonly operands: readonly string[]
  /** Resolves to the exit code. Rejects with an `EvaluationError` or a `UserError` when the caller can fix it. */
  run(call: EvaluationCall): Promise<number>
}
