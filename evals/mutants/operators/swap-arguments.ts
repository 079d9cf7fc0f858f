/** Two arguments of a call change places. */
import { lineMutations } from '../../../src/index.ts'
import type { Operator } from '../contract.ts'
import { atNewLines } from '../sources.ts'

export const swapArguments: Operator = {
  name: 'swap-arguments',
  category: 'correctness',
  severity: 'high',
  context: 'repo',
  mutate: (ground) =>
    atNewLines(
      ground,
      lineMutations['swap-arguments'],
      (line) => `The arguments of the call in \`${line}\` stand in the wrong order.`,
    ),
}
