/** `search_open_issues`: open tickets that have words of a query. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { partsOf, tokensOf } from '../code-index/lexical/terms.ts'
import { textArgument } from './arguments.ts'
import { defineTool, type ToolOutput } from './contract.ts'

const shown = 10

export const searchOpenIssues = defineTool({
  name: 'search_open_issues',
  cost: 'cheap',
  about:
    'Open tickets whose titles or labels have words of the query: is this problem known, is someone working on it?',
  args: z.object({ query: textArgument }),
  limits: { lines: shown, lineLength: 240, bytes: 3 * 1024 },
  narrow: 'use more precise words',
  version: 1,
  keeps: false,
  async run({ query }, { openTickets }): Promise<ToolOutput> {
    const words = new Set(tokensOf(query).flatMap(partsOf))
    const known = openTickets ?? []
    const found = known
      .map((ticket) => ({ ticket, score: commonWords(words, `${ticket.title} ${ticket.labels.join(' ')}`) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.ticket.id < b.ticket.id ? -1 : 1))
      .slice(0, shown)
    return {
      lines: found.map(
        ({ ticket: { id, title, labels } }) =>
          `${id}: ${title}${labels.length > 0 ? ` [${labels.join(', ')}]` : ''}`,
      ),
      remarks: [
        `${found.length} of ${count(known.length, 'open ticket')} that were collected ${found.length === 1 ? 'has' : 'have'} such words`,
      ],
    }
  },
})

function commonWords(words: ReadonlySet<string>, text: string): number {
  return new Set(
    tokensOf(text)
      .flatMap(partsOf)
      .filter((word) => word.length > 2 && words.has(word)),
  ).size
}
