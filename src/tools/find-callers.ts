/** `find_callers`: the definitions that use one definition, and what calls those in turn. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { findImpact } from '../code-index/query/impact.ts'
import { fileArgument, symbolArgument } from './arguments.ts'
import { defineTool, type ToolOutput } from './contract.ts'
import { emptinessIn } from './find-definition.ts'
import { mostUses, targetOf } from './uses.ts'

export const findCallers = defineTool({
  name: 'find_callers',
  cost: 'fair',
  about:
    'Functions, methods and tests that use one definition; depth 2 or 3 also gives those that use them. path picks one of several of the same name.',
  args: z.object({
    symbol: symbolArgument,
    path: fileArgument.optional(),
    depth: z.int().min(1).max(3).default(1),
  }),
  limits: { lines: mostUses, lineLength: 240, bytes: 6 * 1024 },
  version: 1,
  keeps: true,
  async run({ symbol, path, depth }, scope): Promise<ToolOutput> {
    const tree = await scope.tree()
    const answer = await findImpact(tree, await targetOf(tree, symbol, path), { depth, steps: 100 })
    const direct = answer.steps.filter((step) => step.depth === 1).length
    return {
      lines: answer.steps.map((step) => {
        const what = step.symbol ? `${step.symbol.kind} ${step.symbol.signature}` : 'top level of the file'
        const line = step.symbol?.line ?? 1
        return `${step.depth === 1 ? '' : `depth ${step.depth}: `}${step.path}:${line} ${what} (${step.how})`
      }),
      remarks: [
        `${direct} direct callers of ${answer.target.path}:${answer.target.line}, from the index`,
        ...(answer.unresolved > 0
          ? [`${count(answer.unresolved, 'more use')} of the name could not be resolved`]
          : []),
        ...answer.cut,
        ...(answer.emptiness ? [emptinessIn(answer.emptiness)] : []),
      ],
    }
  },
})
