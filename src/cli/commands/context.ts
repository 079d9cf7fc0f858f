/** `sightline context`: the bundle a review would rest on, for people, for machines, or its name alone. */
import { exitCodes, UserError } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { ShownContext } from '../../index.ts'
import { describeContext } from '../../pipeline/publish/context-text.ts'
import { defineCommand } from '../command.ts'
import { readSelector, readTicket, selectorOptions } from '../input/change.ts'
import { repositoryOption, ticketOption } from '../input/common-options.ts'
import { flag } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'
import { pathIn, servicesIn } from '../shell.ts'
import { afterReport } from '../supervision/background-index.ts'

export const context = defineCommand({
  name: 'context',
  summary: 'Show the code and other context that a review would use. No model is used.',
  operand: 'BRANCH | RANGE | COMMIT | PATCH-FILE | - | PATH...',
  options: {
    ...selectorOptions,
    repo: repositoryOption,
    ticket: ticketOption,
    json: flag('Print the complete bundle as JSON.'),
    hash: flag('Print only the SHA-256 of the bundle.'),
    debug: flag('Also show the results of each retrieval list, with ranks and scores.'),
  },
  examples: ['sightline context HEAD', 'sightline context --base main --hash  # identical on every machine'],
  async run({ values, operands, terminal, shell, signal }) {
    if (values.hash && (values.json || values.debug))
      throw new UserError('usage', '--hash cannot be combined with --json or --debug.')
    const selector = await readSelector(values, operands, shell)
    const ticket = await readTicket(values.ticket, shell)
    const { freezeChange } = await import('../../assembly/show-context.ts')
    const folder = pathIn(shell, values.repo ?? '')
    const shown = await freezeChange({ ...servicesIn(shell), folder, selector, signal, ticket })
    const { context: bundle, graph, advice } = shown
    if (values.hash) await terminal.result(`${bundle.hash}\n`)
    else if (values.json)
      await terminal.result(`${asciiJson(values.debug ? { ...bundle, debug: graph } : bundle, 2)}\n`)
    else await terminal.result(describeContext(bundle) + (values.debug ? describeLists(graph) : ''))
    const { commit } = bundle.request.head
    await afterReport({ shell, terminal, folder, commit, advice })
    return exitCodes.clean
  },
})

/** Every list of the graph retrieval, and the order they were fused into. */
function describeLists(graph: ShownContext['graph']): string {
  if (!graph) return '\nNo lists: this context contains no code around the change.\n'
  const lists = Object.entries(graph.lists).flatMap(([name, passages]) => [
    '',
    `${name} (${passages.length})`,
    ...passages
      .slice(0, 20)
      .map(
        ({ path, startLine, endLine, title }, at) => `  ${at + 1}. ${path}:${startLine}-${endLine}  ${title}`,
      ),
  ])
  const fused = graph.passages.slice(0, 40).map(({ path, startLine, score, ranks }) => {
    const from = Object.entries(ranks).map(([name, rank]) => `${name} ${rank}`)
    return `  ${score.toFixed(4)} ${path}:${startLine}  (${from.join(', ')})`
  })
  return `${[...lists, '', `fused (${graph.passages.length})`, ...fused].map(visibleLine).join('\n')}\n`
}
