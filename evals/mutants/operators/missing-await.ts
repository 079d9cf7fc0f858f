/** Work is begun and not waited for. */
import { lineMutations } from '../../../src/index.ts'
import type { Operator } from '../contract.ts'
import { atNewLines } from '../sources.ts'

export const missingAwait: Operator = {
  name: 'missing-await',
  category: 'correctness',
  severity: 'high',
  context: 'repo',
  mutate: (ground) =>
    atNewLines(
      ground,
      lineMutations['missing-await'],
      (line) =>
        `\`${line}\` lost its await: what follows goes on before the work is done, or holds a promise for the value.`,
    ),
}
