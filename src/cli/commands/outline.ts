/** `sightline outline FILE`: what a file defines. */
import { exitCodes, UserError } from '../../base/errors.ts'
import { defineCommand } from '../command.ts'
import { asciiJson } from '../output/ascii-json.ts'
import { describeOutline } from '../questions/describe-outline.ts'
import { readTree, requireOperand, treeOptions } from '../questions/tree-options.ts'

export const outline = defineCommand({
  name: 'outline',
  summary: 'List what a file defines: kind, lines, visibility, signature.',
  operand: 'FILE',
  options: treeOptions,
  examples: ['sightline outline src/store.ts --ref v1.0  # as of a tag; paths begin at the root'],
  async run({ values, operands, terminal, signal }) {
    const path = requireOperand(operands[0], 'The path of a file').replace(/^(?:\.\/)+/, '')
    const options = readTree(values, signal, terminal)
    const { askCode, outlineFile } = await import('../../index.ts')
    const answer = await askCode(options, (tree) => outlineFile(tree, path))
    if (answer.state === 'absent') throw new UserError('usage', `${path}: ${answer.why}.`)
    await terminal.result(values.json ? `${asciiJson(answer, 2)}\n` : describeOutline(answer))
    return exitCodes.clean
  },
})
