/** `sightline def NAME | FILE:LINE`: every definition of a name, or the one at a line. */
import { exitCodes } from '../../base/errors.ts'
import { defineCommand } from '../command.ts'
import { readTree, requireOperand, treeOptions } from '../questions/ask-of-target.ts'
import { describeDefinitions, describeServedDefinitions, serverOption } from '../questions/describe.ts'
import { printAnswer } from '../terminal.ts'

export const def = defineCommand({
  name: 'def',
  summary: 'List every definition of a name, or the one at a line.',
  operand: 'NAME | FILE:LINE',
  options: { ...treeOptions, ...serverOption },
  examples: ['sightline def Store.load  # qualified names work too'],
  async run({ values, operands, terminal, shell, signal }) {
    const name = requireOperand(operands[0], 'A name, or FILE:LINE,')
    const options = readTree(values, shell, signal, terminal)
    const { askCode, findDefinitions, serveDefinitions } = await import('../../index.ts')
    if (values.server) {
      const served = await askCode(options, async (tree, openServers) =>
        serveDefinitions(tree, name, await openServers()),
      )
      await printAnswer(terminal, values.json, served, describeServedDefinitions)
      return exitCodeOf(served.definitions.length + served.others.length)
    }
    const answer = await askCode(options, (tree) => findDefinitions(tree, name))
    await printAnswer(terminal, values.json, answer, describeDefinitions)
    return exitCodeOf(answer.definitions.length)
  },
})

/** A name without a definition is a mistake in the call, as it is for every other question. */
function exitCodeOf(definitions: number): number {
  return definitions > 0 ? exitCodes.clean : exitCodes.usage
}
