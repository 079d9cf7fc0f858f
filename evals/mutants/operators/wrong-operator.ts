/** Another operator than was meant. */
import { lineMutations } from '../../../src/index.ts'
import type { Operator } from '../contract.ts'
import { atNewLines } from '../sources.ts'

export const wrongOperator: Operator = {
  name: 'wrong-operator',
  category: 'correctness',
  severity: 'high',
  context: 'diff',
  mutate: (ground) =>
    atNewLines(
      ground,
      lineMutations['wrong-operator'],
      (line) =>
        `\`${line}\` should have been written; another operator stands there and gives another value.`,
    ),
}
