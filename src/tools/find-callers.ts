/** `find_callers`: the definitions that use one definition, and what calls those in turn. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { serveCallers } from '../code-index/language-servers/served/serve.ts'
import { findImpact } from '../code-index/query/callers.ts'
import type { Caller } from '../code-index/query/contract.ts'
import { findReferences } from '../code-index/query/references.ts'
import { fileArgument, lineArgument, symbolArgument } from './arguments.ts'
import { defineTool, type ToolOutput } from './contract.ts'
import { kindAndSignature, mostUses, sourcesIn, tellOfEach, usesByName } from './uses.ts'

export const findCallers = defineTool({
  name: 'find_callers',
  cost: 'fair',
  about:
    'Functions, methods and tests that use one definition; depth 2 or 3 also gives those that use them. path, and line in one file, picks one of several of the same name.',
  args: z.object({
    symbol: symbolArgument,
    path: fileArgument.optional(),
    line: lineArgument.optional(),
    depth: z.int().min(1).max(3).default(1),
  }),
  limits: { lines: mostUses, lineLength: 240, bytes: 6 * 1024 },
  narrow: 'pass path, or depth 1',
  version: 7,
  keeps: true,
  async run(asked, scope, signal): Promise<ToolOutput> {
    return await tellOfEach(asked, scope, signal, async (target, tree) => {
      const served = await scope.servers?.ask((servers) => serveCallers(tree, target, servers), signal)
      const answer = await findImpact(tree, target, { depth: asked.depth, steps: 100 })
      // Who calls the callers is a question of its own for each: the index answers those.
      const direct = served?.callers ?? answer.steps.filter((step) => step.depth === 1)
      const further = answer.steps.filter((step) => step.depth > 1)
      const { unresolved } = served ?? (await findReferences(tree, target))
      return {
        lines: [
          ...direct.map((caller) => callerIn(caller)),
          ...further.map((step) => `depth ${step.depth}: ${callerIn(step)}`),
          ...usesByName(unresolved),
        ],
        remarks: [
          `${count(direct.length, 'direct caller')} of ${answer.target.path}:${answer.target.line}, ${sourcesIn(served?.server)}`,
          ...(answer.unresolved > 0
            ? [`${count(answer.unresolved, 'more use')} of the name could not be resolved`]
            : []),
          ...answer.cut,
        ],
        emptiness: answer.emptiness,
      }
    })
  },
})

function callerIn({ path, symbol, how }: Pick<Caller, 'path' | 'symbol' | 'how'>): string {
  const what = symbol ? kindAndSignature(symbol) : 'top level of the file'
  return `${path}:${symbol?.line ?? 1} ${what} (${how})`
}
