/** `find_uses_elsewhere`: who in other repositories of the workspace uses what a definition provides. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { symbolOf } from '../code-index/resolve/symbols.ts'
import { fileArgument, symbolArgument } from './arguments.ts'
import { defineTool, type ToolOutput } from './contract.ts'
import { mostUses, targetOf } from './uses.ts'

export const findUsesElsewhere = defineTool({
  name: 'find_uses_elsewhere',
  cost: 'fair',
  about:
    'Uses of one definition in other repositories that belong together with this one: imports of the package, calls of the route, readers of the field. path picks one of several of the same name.',
  args: z.object({ symbol: symbolArgument, path: fileArgument.optional() }),
  limits: { lines: mostUses, lineLength: 240, bytes: 6 * 1024 },
  narrow: 'ask for one definition',
  version: 1,
  keeps: false,
  async run({ symbol, path }, { tree, elsewhere }): Promise<ToolOutput> {
    const target = await targetOf(await tree(), symbol, path)
    const { startLine: line, endLine } = symbolOf(target)
    const answer = await elsewhere?.({ path: target.path, line, endLine })
    const { uses = [], more = 0, repositories = [] } = answer ?? {}
    const unread = repositories.flatMap(({ name, trouble }) =>
      trouble === null ? [] : `${name}: ${trouble}`,
    )
    return {
      lines: uses.map(
        ({ repository, path: file, line: at, of, how, confidence, text }) =>
          `${repository} ${file}:${at} ${of} (${how}, ${confidence}): ${text.trim().split('\n')[0]}`,
      ),
      remarks: [
        uses.length + more === 0
          ? 'no use in another repository is known'
          : `${count(uses.length + more, 'use')} in other repositories, each at the commit that was read last`,
        ...unread,
      ],
    }
  },
})
