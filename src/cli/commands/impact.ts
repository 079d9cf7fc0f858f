/** `sightline impact NAME | FILE:LINE`: callers, their callers, and so on. */
import { defineCommand } from '../command.ts'
import { integer } from '../input/options.ts'
import { askOfTarget, targetOptions } from '../questions/ask-of-target.ts'
import { describeImpact } from '../questions/describe.ts'

export const impact = defineCommand({
  name: 'impact',
  summary: 'List what may feel a change of a definition: callers of callers, to a depth.',
  operand: 'NAME | FILE:LINE',
  options: { depth: integer(1, 20, 'How many steps to follow; 3 when not given.'), ...targetOptions },
  examples: ['sightline impact parsePrice --depth 2  # two steps away'],
  async run(invocation) {
    const { findImpact } = await import('../../index.ts')
    const { depth } = invocation.values
    return await askOfTarget(
      invocation,
      (tree, target) => findImpact(tree, target, depth === undefined ? {} : { depth }),
      describeImpact,
    )
  },
})
