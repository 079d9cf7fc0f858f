/** `find_references`: every resolved use of one definition. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { serveReferences } from '../code-index/language-servers/served/serve.ts'
import { findReferences as findReferencesOf } from '../code-index/query/references.ts'
import { fileArgument, symbolArgument } from './arguments.ts'
import { defineTool, type ToolOutput } from './contract.ts'
import { doubtsIn, mostUses, sourcesIn, targetOf } from './uses.ts'

export const findReferences = defineTool({
  name: 'find_references',
  cost: 'fair',
  about:
    'Every use of one definition (imports, types, calls, values), resolved and not by name alone; definitions are left out. path picks one of several of the same name.',
  args: z.object({ symbol: symbolArgument, path: fileArgument.optional() }),
  limits: { lines: mostUses, lineLength: 240, bytes: 6 * 1024 },
  narrow: 'ask find_callers, or grep in one folder',
  version: 3,
  keeps: true,
  async run({ symbol, path }, { tree: openTree, servers }, signal): Promise<ToolOutput> {
    const tree = await openTree()
    const target = await targetOf(tree, symbol, path)
    const served = await servers?.ask((asked) => serveReferences(tree, target, asked), signal)
    const answer = served ?? (await findReferencesOf(tree, target))
    return {
      lines: answer.references.map(
        ({ path, line, role, how, text }) => `${path}:${line} ${role} (${how}): ${text}`,
      ),
      remarks: [
        `${count(answer.references.length, 'use')} of ${answer.target.path}:${answer.target.line}, ${sourcesIn(served?.server)}`,
        ...doubtsIn(answer.unresolved, answer.textOnly, answer.limits),
      ],
      emptiness: answer.emptiness,
    }
  },
})
