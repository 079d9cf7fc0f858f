/** A test asserts less than before. */
import type { Operator } from '../contract.ts'
import { removeLines } from '../sources.ts'
import { assertionsOf, oldTests } from './test-blocks.ts'

export const removedAssertion: Operator = {
  name: 'removed-assertion',
  category: 'tests',
  severity: 'medium',
  context: 'diff',
  mutate: (ground) =>
    oldTests(ground).flatMap((block) => {
      const found = assertionsOf(block)
      if (found.length < 2) return []
      return found.map(({ index, count }) =>
        removeLines(
          ground,
          block.source,
          index,
          count,
          `A test of ${block.source.path} lost an assertion, and passes whatever that value is.`,
        ),
      )
    }),
}
