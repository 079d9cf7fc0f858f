/** `sightline refs NAME | FILE:LINE`: the uses that resolve to one definition. */
import { UserError } from '../../base/errors.ts'
import { defineCommand } from '../command.ts'
import { askOfTarget, targetOptions } from '../questions/ask-of-target.ts'
import { describeReferences, describeServedReferences, serverOption } from '../questions/describe.ts'
import { describeElsewhere, withElsewhere, workspaceOption } from '../questions/elsewhere.ts'

export const refs = defineCommand({
  name: 'refs',
  summary: 'List the references to a definition and how each was resolved.',
  operand: 'NAME | FILE:LINE',
  options: { ...targetOptions, ...serverOption, ...workspaceOption },
  examples: ['sightline refs src/store.ts:12  # the definition at or around that line'],
  async run(invocation) {
    const { findReferences, serveReferences } = await import('../../index.ts')
    const { workspace, server } = invocation.values
    if (workspace && server) throw new UserError('usage', '--workspace and --server cannot be used together.')
    if (server)
      return await askOfTarget(
        invocation,
        async (tree, target, openServers) => serveReferences(tree, target, await openServers()),
        describeServedReferences,
      )
    return await askOfTarget(
      invocation,
      withElsewhere(workspace, findReferences),
      (answer) => describeReferences(answer) + describeElsewhere(answer),
    )
  },
})
