/** `sightline callers NAME | FILE:LINE`: the definitions that use one. */
import { defineCommand } from '../command.ts'
import { askOfTarget, targetOptions } from '../questions/ask-of-target.ts'
import { describeCallers } from '../questions/describe.ts'

export const callers = defineCommand({
  name: 'callers',
  summary: 'List the definitions that use a definition.',
  operand: 'NAME | FILE:LINE',
  options: targetOptions,
  examples: ['sightline callers loadOrder --uncommitted  # in the work tree'],
  async run(invocation) {
    const { findCallers } = await import('../../index.ts')
    return await askOfTarget(invocation, findCallers, describeCallers)
  },
})
