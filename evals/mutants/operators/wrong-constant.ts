/** A fixed number is ten times what it should be. */
import { lineMutations } from '../../../src/index.ts'
import type { Operator } from '../contract.ts'
import { atNewLines } from '../sources.ts'

export const wrongConstant: Operator = {
  name: 'wrong-constant',
  category: 'correctness',
  severity: 'medium',
  context: 'repo',
  mutate: (ground) =>
    atNewLines(
      ground,
      lineMutations['wrong-constant'],
      (line) => `The number of \`${line}\` is ten times as large as it was meant to be.`,
    ),
}
