/** A test that passed before is gone. */
import type { Operator } from '../contract.ts'
import { removeLines } from '../sources.ts'
import { oldTests } from './test-blocks.ts'

export const removedTest: Operator = {
  name: 'removed-test',
  category: 'tests',
  severity: 'medium',
  context: 'diff',
  mutate: (ground) =>
    oldTests(ground).map(({ source, index, count }) =>
      removeLines(
        ground,
        source,
        index,
        count,
        `A test of ${source.path} is removed though what it tests is still there.`,
      ),
    ),
}
