/** `sightline search QUERY…`: chunks of code by words, names, paths and, with an embedder, by meaning. */
import { exitCodes, UserError } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { RepositorySearch } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { flag, integer, list } from '../input/options.ts'
import { readTree, requireOperand, treeOptions } from '../questions/ask-of-target.ts'
import { describeSearch } from '../questions/describe-search.ts'
import { printAnswer } from '../terminal.ts'

export const search = defineCommand({
  name: 'search',
  summary: 'Search code by words, names and, with an embedder, by meaning.',
  operand: 'QUERY...',
  options: {
    limit: integer(1, 100, 'Maximum number of hits. Default: 10.'),
    debug: flag('Also show the ranking of each stage, with scores.'),
    lexical: flag('Do not use an embedder or reranker. Nothing is sent.'),
    near: list('PATH', 'Rank code higher that is close to this file by imports or by changing together.'),
    workspace: flag('Search the repositories of the workspace instead, each as it was read last.'),
    ...treeOptions,
  },
  examples: [
    'sightline search parse config file --limit 5  # words or an identifier',
    'sightline search retry --near src/upload.ts --debug  # show how hits were ranked',
  ],
  async run({ values, operands, terminal, shell, signal }) {
    const query = requireOperand(operands.join(' '), 'What to search for')
    const options = readTree(values, shell, signal)
    const { searchCode, searchWorkspace } = await import('../../index.ts')
    const { debug, near, lexical, limit = 10 } = values
    const how = { limit, nearby: debug, near, lexical }
    if (values.workspace) {
      if (near.length > 0) throw new UserError('usage', '--workspace and --near cannot be used together.')
      const found = await searchWorkspace(options, query, how)
      await printAnswer(terminal, values.json, found, () => describeAll(found, debug))
      return exitCodes.clean
    }
    const answer = await searchCode(options, query, how)
    const { stages, fused, reranked, nearby, ...short } = answer
    await printAnswer(terminal, values.json, values.debug ? answer : short, () =>
      describeSearch(answer, values.debug),
    )
    return exitCodes.clean
  },
})

function describeAll(found: readonly RepositorySearch[], debug: boolean): string {
  if (found.length === 0)
    return 'No repository of the workspace was read yet; run `sightline workspace --update`.\n'
  return found
    .map(
      ({ repository, commit, answer }) =>
        `${visibleLine(repository)} at ${commit.slice(0, 7)}\n${describeSearch(answer, debug)}`,
    )
    .join('\n')
}
