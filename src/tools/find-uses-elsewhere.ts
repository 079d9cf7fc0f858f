/** `find_uses_elsewhere`: who in other repositories of the workspace uses what a definition provides. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { symbolOf } from '../code-index/resolve/symbols.ts'
import { fileArgument, symbolArgument } from './arguments.ts'
import { defineTool, type ToolOutput } from './contract.ts'
import { mostUses, tellOfEach } from './uses.ts'

export const findUsesElsewhere = defineTool({
  name: 'find_uses_elsewhere',
  cost: 'fair',
  about:
    'Uses of one definition in other repositories that belong together with this one: imports of the package, calls of the route, readers of the field. path picks one of several of the same name.',
  args: z.object({ symbol: symbolArgument, path: fileArgument.optional() }),
  limits: { lines: mostUses, lineLength: 240, bytes: 6 * 1024 },
  narrow: 'ask for one definition',
  version: 2,
  keeps: false,
  async run(asked, scope, signal): Promise<ToolOutput> {
    return await tellOfEach(asked, scope, signal, async (target) => {
      const { startLine: line, endLine } = symbolOf(target)
      const answer = await scope.elsewhere?.({ path: target.path, line, endLine })
      const { uses = [], more = 0, repositories = [] } = answer ?? {}
      const unread = repositories.flatMap(({ name, trouble }) =>
        trouble === null ? [] : `${name}: ${trouble}`,
      )
      return {
        lines: uses.map(
          ({ repository, path, line, of, how, confidence, text }) =>
            `${repository} ${path}:${line} ${of} (${how}, ${confidence}): ${text.trim().split('\n')[0]}`,
        ),
        remarks: [
          uses.length + more === 0
            ? 'no use in another repository is known'
            : `${count(uses.length + more, 'use')} in other repositories, each at the commit that was read last`,
          ...unread,
        ],
      }
    })
  },
})
