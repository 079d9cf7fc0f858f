/** `sightline search QUERY…`: chunks of code by words, names, paths and, with an embedder, by meaning. */
import { exitCodes } from '../../base/errors.ts'
import { defineCommand } from '../command.ts'
import { flag, integer, list } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'
import { readTree, requireOperand, treeOptions } from '../questions/ask-of-target.ts'
import { describeSearch } from '../questions/describe-search.ts'

export const search = defineCommand({
  name: 'search',
  summary: 'Search code by words, names and, with an embedder, by meaning.',
  operand: 'QUERY...',
  options: {
    limit: integer(1, 100, 'Maximum number of hits. Default: 10.'),
    debug: flag('Also show the ranking of each stage, with scores.'),
    lexical: flag('Do not use an embedder or reranker. Nothing is sent.'),
    near: list('PATH', 'Rank code higher that is close to this file by imports or by changing together.'),
    ...treeOptions,
  },
  examples: [
    'sightline search parse config file --limit 5  # words or an identifier',
    'sightline search retry --near src/upload.ts --debug  # show how hits were ranked',
  ],
  async run({ values, operands, terminal, shell, signal }) {
    const query = requireOperand(operands.join(' '), 'What to search for')
    const options = readTree(values, shell, signal)
    const { searchCode } = await import('../../index.ts')
    const answer = await searchCode(options, query, {
      limit: values.limit ?? 10,
      nearby: values.debug,
      near: values.near,
      lexical: values.lexical,
    })
    const { stages, fused, reranked, nearby, ...short } = answer
    await terminal.result(
      values.json ? `${asciiJson(values.debug ? answer : short, 2)}\n` : describeSearch(answer, values.debug),
    )
    return exitCodes.clean
  },
})
