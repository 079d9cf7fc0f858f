/** `search_code`: the pieces of code that fit words best. */
import { z } from 'zod'
import { textArgument } from './arguments.ts'
import { defineTool, type ToolOutput } from './contract.ts'

const hits = 10

export const searchCode = defineTool({
  name: 'search_code',
  cost: 'dear',
  about:
    'Functions and classes that fit a few words best, when you do not know the name: words, names, paths and, where an embedder is set up, meaning.',
  args: z.object({ query: textArgument }),
  limits: { lines: hits * 2, lineLength: 240, bytes: 6 * 1024 },
  narrow: 'use more precise words',
  version: 1,
  // With an embedder or a reranker the answer does not follow from the tree alone.
  keeps: false,
  async run({ query }, scope): Promise<ToolOutput> {
    const answer = await (await scope.search()).search(query, hits)
    return {
      lines: answer.hits.flatMap(({ path, startLine, endLine, symbol, line, text }) => [
        `${path}:${startLine}-${endLine}${symbol ? ` ${symbol.kind} ${symbol.name}` : ''}`,
        `  ${line}: ${text}`,
      ]),
      remarks: [answer.mode, ...answer.limits],
      emptiness: answer.emptiness,
    }
  },
})
