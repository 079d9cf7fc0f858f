/** `sightline outline FILE`: what a file defines. */
import { count } from '../../base/count.ts'
import { exitCodes, UserError } from '../../base/errors.ts'
import type { OutlineAnswer, OutlineEntry } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { readTree, requireOperand, treeOptions } from '../questions/ask-of-target.ts'
import { describeRange, describeRanges, lines } from '../questions/describe.ts'
import { printAnswer } from '../terminal.ts'

export const outline = defineCommand({
  name: 'outline',
  summary: 'List what a file defines: kind, lines, visibility, signature.',
  operand: 'FILE',
  options: treeOptions,
  examples: ['sightline outline src/store.ts --ref v1.0  # as of a tag; paths begin at the root'],
  async run({ values, operands, terminal, shell, signal }) {
    const path = requireOperand(operands[0], 'The path of a file').replace(/^(?:\.\/)+/, '')
    const options = readTree(values, shell, signal, terminal)
    const { askCode, outlineFile } = await import('../../index.ts')
    const answer = await askCode(options, (tree) => outlineFile(tree, path))
    if (answer.state === 'absent') throw new UserError('usage', `${path}: ${answer.why}.`)
    await printAnswer(terminal, values.json, answer, describeOutline)
    return exitCodes.clean
  },
})

function describeOutline(answer: OutlineAnswer): string {
  if (answer.state !== 'indexed') return lines([`${answer.path}: ${answer.state}: ${answer.why}.`])
  return lines([
    `${answer.path}  ${answer.language}, ${count(answer.lines ?? 0, 'line')}`,
    ...answer.symbols.flatMap((entry) => entryLines(entry, 1)),
    ...(answer.symbols.length === 0 ? ['No definitions.'] : []),
    ...(answer.errorLines.length > 0
      ? [`Lines with parse errors: ${describeRanges(answer.errorLines)}.`]
      : []),
  ])
}

function entryLines(entry: OutlineEntry, depth: number): string[] {
  const { visibility, kind, signature, isTest } = entry
  const own = `${'  '.repeat(depth)}${describeRange(entry)}  ${visibility} ${kind}${isTest ? ' (test)' : ''}  ${signature}`
  return [own, ...entry.members.flatMap((member) => entryLines(member, depth + 1))]
}
