/** A bound is one too far, or one too near. */
import { lineMutations } from '../../../src/index.ts'
import type { Operator } from '../contract.ts'
import { atNewLines } from '../sources.ts'

export const offByOne: Operator = {
  name: 'off-by-one',
  category: 'correctness',
  severity: 'high',
  context: 'diff',
  mutate: (ground) =>
    atNewLines(
      ground,
      lineMutations['off-by-one'],
      (line) => `The bound in \`${line}\` is off by one: the value at the end is now taken in, or left out.`,
    ),
}
