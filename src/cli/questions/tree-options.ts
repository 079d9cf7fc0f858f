/** Which tree a question about code is asked of, and in which form the answer is wanted. */
import { UserError } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { QuestionOptions } from '../../index.ts'
import { flag, text } from '../input/options.ts'
import type { Terminal } from '../terminal.ts'

export const treeOptions = {
  ref: text('REF', 'The commit to look at; HEAD when not given.'),
  uncommitted: flag('Look at the work tree, with all that is not committed.'),
  json: flag('Print the answer as JSON.'),
  repo: text('PATH', 'The repository; the one around the current folder when not given.'),
}

export type TreeFlags = {
  readonly ref: string | undefined
  readonly uncommitted: boolean
  readonly json: boolean
  readonly repo: string | undefined
}

/** Throws `UserError('usage')` when two trees are named. */
export function readTree(
  flags: TreeFlags,
  signal: AbortSignal,
  terminal?: Pick<Terminal, 'note'>,
): QuestionOptions {
  if (flags.uncommitted && flags.ref !== undefined)
    throw new UserError('usage', '--ref and --uncommitted contradict each other; keep one of them.')
  return {
    folder: flags.repo ?? process.cwd(),
    at: flags.uncommitted ? 'work-tree' : { ref: flags.ref ?? 'HEAD' },
    signal,
    ...(terminal ? { onNote: (note: string) => terminal.note(`sightline: ${visibleLine(note)}\n`) } : {}),
  }
}

/** Throws `UserError('usage')` with what the command is to be told. */
export function requireOperand(operand: string | undefined, what: string): string {
  if (operand !== undefined && operand.trim() !== '') return operand
  throw new UserError('usage', `${what} is missing.`)
}
