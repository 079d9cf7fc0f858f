/** `sightline impact NAME | FILE:LINE`: callers, their callers, and so on. */
import { defineCommand } from '../command.ts'
import { integer } from '../input/options.ts'
import { askOfTarget, targetOptions } from '../questions/ask-of-target.ts'
import { describeImpact } from '../questions/describe.ts'
import { describeElsewhere, withElsewhere, workspaceOption } from '../questions/elsewhere.ts'

export const impact = defineCommand({
  name: 'impact',
  summary: 'List what a change to a definition may affect: its callers, their callers, and so on.',
  operand: 'NAME | FILE:LINE',
  options: {
    depth: integer(1, 20, 'Number of steps to follow. Default: 3.'),
    ...targetOptions,
    ...workspaceOption,
  },
  examples: ['sightline impact parsePrice --depth 2  # callers and their callers'],
  async run(invocation) {
    const { findImpact } = await import('../../index.ts')
    const { depth, workspace } = invocation.values
    return await askOfTarget(
      invocation,
      withElsewhere(workspace, (tree, target) =>
        findImpact(tree, target, depth === undefined ? {} : { depth }),
      ),
      (answer) => describeImpact(answer) + describeElsewhere(answer),
    )
  },
})
