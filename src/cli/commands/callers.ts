/** `sightline callers NAME | FILE:LINE`: the definitions that use one. */
import { defineCommand } from '../command.ts'
import { askOfTarget, targetOptions } from '../questions/ask-of-target.ts'
import { describeCallers, describeServedCallers, serverOption } from '../questions/describe.ts'

export const callers = defineCommand({
  name: 'callers',
  summary: 'List the functions, methods and classes that use a definition.',
  operand: 'NAME | FILE:LINE',
  options: { ...targetOptions, ...serverOption },
  examples: ['sightline callers loadOrder --uncommitted  # include uncommitted code'],
  async run(invocation) {
    const { findCallers, serveCallers } = await import('../../index.ts')
    if (invocation.values.server)
      return await askOfTarget(
        invocation,
        async (tree, target, openServers) => serveCallers(tree, target, await openServers()),
        describeServedCallers,
      )
    return await askOfTarget(invocation, findCallers, describeCallers)
  },
})
