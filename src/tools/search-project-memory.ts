/** `search_project_memory`: what the team wrote down about its code, as of the base. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { scopeWords } from '../memory/note-file.ts'
import { searchNotes } from '../memory/search-notes.ts'
import { textArgument } from './arguments.ts'
import { defineTool, type ToolOutput } from './contract.ts'

const shown = 8

export const searchProjectMemory = defineTool({
  name: 'search_project_memory',
  cost: 'cheap',
  about:
    'Notes that the team keeps about this repository and that have words of the query: rules, decisions, known traps. Each with the code it is about.',
  args: z.object({ query: textArgument }),
  limits: { lines: 60, lineLength: 300, bytes: 4 * 1024 },
  narrow: 'use more precise words',
  version: 1,
  keeps: false,
  async run({ query }, { memory }): Promise<ToolOutput> {
    const found = searchNotes(memory, query, shown)
    return {
      lines: found.flatMap((note) => [
        `${note.path}, about ${scopeWords(note)}${note.effect ? ` (findings of ${note.effect.rule})` : ''}:`,
        ...note.text.split('\n'),
      ]),
      remarks: [
        `${found.length} of ${count(memory.length, 'note')} ${found.length === 1 ? 'has' : 'have'} such words`,
      ],
    }
  },
})
