/** `find_references`: every resolved use of one definition. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { serveReferences } from '../code-index/language-servers/served/serve.ts'
import { findReferences as findReferencesOf } from '../code-index/query/references.ts'
import { fileArgument, lineArgument, symbolArgument } from './arguments.ts'
import { defineTool, type ToolOutput } from './contract.ts'
import { doubtsIn, mostUses, sourcesIn, tellOfEach, usesByName } from './uses.ts'

export const findReferences = defineTool({
  name: 'find_references',
  cost: 'fair',
  about:
    'Every use of one definition (imports, types, calls, values), resolved; uses whose meaning is not known are marked as by name alone, and definitions are left out. path, and line in one file, picks one of several of the same name.',
  args: z.object({
    symbol: symbolArgument,
    path: fileArgument.optional(),
    line: lineArgument.optional(),
  }),
  limits: { lines: mostUses, lineLength: 240, bytes: 6 * 1024 },
  narrow: 'ask find_callers, or grep in one folder',
  version: 6,
  keeps: true,
  async run(asked, scope, signal): Promise<ToolOutput> {
    return await tellOfEach(asked, scope, signal, async (target, tree) => {
      const served = await scope.servers?.ask((servers) => serveReferences(tree, target, servers), signal)
      const answer = served ?? (await findReferencesOf(tree, target))
      const { references, unresolved, emptiness } = answer
      return {
        lines: [
          ...references.map(({ path, line, role, how, text }) => `${path}:${line} ${role} (${how}): ${text}`),
          ...usesByName(unresolved),
        ],
        remarks: [
          `${count(references.length, 'use')} of ${answer.target.path}:${answer.target.line}, ${sourcesIn(served?.server)}`,
          ...doubtsIn(answer),
        ],
        emptiness,
      }
    })
  },
})
