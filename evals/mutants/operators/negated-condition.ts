/** A condition says the opposite. */
import { lineMutations } from '../../../src/index.ts'
import type { Operator } from '../contract.ts'
import { atNewLines } from '../sources.ts'

export const negatedCondition: Operator = {
  name: 'negated-condition',
  category: 'correctness',
  severity: 'high',
  context: 'diff',
  mutate: (ground) =>
    atNewLines(
      ground,
      lineMutations['negated-condition'],
      (line) => `The condition of \`${line}\` is turned round, so that the wrong branch is taken.`,
    ),
}
