/** `search_developer_memory`: what became of the author's earlier changes in the folders of this one. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import type { EarlierChange } from '../domain/memory.ts'
import { searchTexts } from '../memory/search-notes.ts'
import { textArgument } from './arguments.ts'
import { defineTool, type ToolOutput } from './contract.ts'

const shown = 5

export const searchDeveloperMemory = defineTool({
  name: 'search_developer_memory',
  cost: 'cheap',
  about:
    'What became of earlier changes by this author in these folders, as far as words of the query are in them: findings that were right or wrong, reverts, fixes afterwards.',
  args: z.object({ query: textArgument }),
  limits: { lines: 40, lineLength: 240, bytes: 3 * 1024 },
  narrow: 'use more precise words',
  version: 1,
  keeps: false,
  async run({ query }, { developer }): Promise<ToolOutput> {
    const texts = developer.map((change) => linesOf(change).join('\n'))
    const found = searchTexts(texts, query, shown).flatMap((at) => developer[at] ?? [])
    return {
      lines: found.flatMap(linesOf),
      remarks: [
        `${found.length} of ${count(developer.length, 'earlier change')} ${found.length === 1 ? 'has' : 'have'} such words`,
      ],
    }
  },
})

function linesOf({ name, day, subject, paths, isReverted, fixesAfter, findings }: EarlierChange): string[] {
  const after = [
    ...(isReverted ? ['reverted later'] : []),
    ...(fixesAfter > 0 ? [`${count(fixesAfter, 'fix', 'fixes')} within a month`] : []),
  ]
  return [
    `${name} ${day} ${subject} [${paths.join(', ')}]${after.length > 0 ? ` (${after.join(', ')})` : ''}`,
    ...findings.map(
      ({ rule, path, title, outcome }) => `  finding that was ${outcome}: ${rule} in ${path}: ${title}`,
    ),
  ]
}
