/**
 * Guards that can be taken away: for each the module that holds it, the file that stands in for that module, the
 * invariants that it keeps, and the attacks that must get through once it is gone.
 */
import type { Invariant } from '../invariants/contract.ts'

export type Guard = {
  name: string
  /** Below `src`. */
  module: string
  /** Beside this file, in `off`. */
  replacement: string
  keeps: readonly Invariant[]
  attacks: readonly string[]
}

export const guards: readonly Guard[] = [
  {
    name: 'fence around foreign text',
    module: 'base/untrusted/untrusted.ts',
    replacement: 'no-fence.ts',
    keeps: ['I5'],
    attacks: ['says nothing at all'],
  },
  {
    name: 'paths that tools take',
    module: 'tools/arguments.ts',
    replacement: 'any-path.ts',
    keeps: ['I3'],
    attacks: ['asks for forbidden paths', 'calls tools that are none'],
  },
  {
    name: 'schema of a tool call',
    module: 'tools/toolbox.ts',
    replacement: 'any-arguments.ts',
    keeps: ['I3'],
    attacks: ['calls tools that are none', 'asks for forbidden paths'],
  },
  {
    name: 'repeated calls are dropped',
    module: 'agent/answer.ts',
    replacement: 'no-repeats.ts',
    keeps: ['I6'],
    attacks: ['asks the same again and again'],
  },
  {
    name: 'limits of the loop',
    module: 'agent/limits.ts',
    replacement: 'no-loop-limits.ts',
    keeps: ['I6'],
    attacks: ['asks forever'],
  },
  {
    name: 'budget of a run',
    module: 'llm/money/budget.ts',
    replacement: 'no-budget.ts',
    keeps: ['I6'],
    attacks: ['a budget of some cents'],
  },
  {
    name: 'scope of a follow-up',
    module: 'pipeline/reviewer/follow-up/check-request.ts',
    replacement: 'any-follow-up.ts',
    keeps: ['I3'],
    attacks: ['asks for forbidden paths'],
  },
  step('visible words', ['I2'], ['one finding for each hostile title', 'one finding for each hostile text']),
  {
    name: 'hashes of tags',
    module: 'pipeline/validation/anchor/locate-tag.ts',
    replacement: 'any-tag.ts',
    keeps: ['I2'],
    attacks: ['wrong tags, quotes and files', 'speaks of unchanged lines', 'random without restraint'],
  },
  step('something cited', ['I2'], ['wrong tags, quotes and files']),
  step('verbatim quotes', ['I2'], ['wrong tags, quotes and files']),
  step('severity cap', ['I1'], ['talks over what others found']),
  step('protected files', ['I2'], ['plants code in every file']),
  step('visible suggestion', ['I2'], ['plants code that nobody sees']),
  step('foreign literals', ['I2'], ['plants code in every file']),
  {
    name: 'secrets on their way out',
    module: 'base/secrets/find-secrets.ts',
    replacement: 'no-secrets.ts',
    keeps: ['I4'],
    attacks: ['says nothing at all'],
  },
  {
    name: 'words into Markdown',
    module: 'pipeline/publish/markdown/escape.ts',
    replacement: 'raw-markdown.ts',
    keeps: ['I4'],
    attacks: ['one finding for each hostile text'],
  },
  {
    name: 'hidden characters made visible',
    module: 'base/visible-text.ts',
    replacement: 'raw-text.ts',
    keeps: ['I4', 'I5'],
    attacks: ['one finding for each hostile text', 'says nothing at all'],
  },
  {
    name: 'characters spelled in JSON',
    module: 'pipeline/publish/json.ts',
    replacement: 'raw-json.ts',
    keeps: ['I4'],
    attacks: ['says nothing at all'],
  },
  {
    name: 'conclusion by rule',
    module: 'domain/conclusion.ts',
    replacement: 'model-conclusion.ts',
    keeps: ['I1'],
    attacks: ['says nothing at all'],
  },
  {
    name: 'coverage counts what was not answered',
    module: 'pipeline/conclude/coverage.ts',
    replacement: 'always-complete.ts',
    keeps: ['I1'],
    attacks: ['spoils every answer: refused', 'spoils every answer: cut'],
  },
  {
    name: 'configuration of the base',
    module: 'config/load.ts',
    replacement: 'head-config.ts',
    keeps: ['I1', 'I5'],
    attacks: ['says nothing at all'],
  },
]

/** One step of validation, by its name among the steps. */
function step(name: string, keeps: readonly Invariant[], attacks: readonly string[]): Guard {
  return {
    name: `step ${name}`,
    module: 'pipeline/validation/steps.ts',
    replacement: 'without-step.ts',
    keeps,
    attacks,
  }
}
