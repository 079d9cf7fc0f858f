/** `sightline refs NAME | FILE:LINE`: the uses that resolve to one definition. */
import { defineCommand } from '../command.ts'
import { askOfTarget, targetOptions } from '../questions/ask-of-target.ts'
import { describeReferences, describeServedReferences, serverOption } from '../questions/describe.ts'

export const refs = defineCommand({
  name: 'refs',
  summary: 'List the references to a definition and how each was resolved.',
  operand: 'NAME | FILE:LINE',
  options: { ...targetOptions, ...serverOption },
  examples: ['sightline refs src/store.ts:12  # the definition at or around that line'],
  async run(invocation) {
    const { findReferences, serveReferences } = await import('../../index.ts')
    if (invocation.values.server)
      return await askOfTarget(
        invocation,
        async (tree, target, openServers) => serveReferences(tree, target, await openServers()),
        describeServedReferences,
      )
    return await askOfTarget(invocation, findReferences, describeReferences)
  },
})
