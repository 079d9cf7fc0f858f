/** `find_definition`: where a name is defined. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { findDefinitions } from '../code-index/query/definitions.ts'
import { symbolArgument } from './arguments.ts'
import { defineTool, type ToolOutput } from './contract.ts'

const shownWhole = 2
const linesShown = 30

export const findDefinition = defineTool({
  name: 'find_definition',
  cost: 'cheap',
  about:
    'Where a name (load) or a qualified name (Store.load) is defined, with its signature; when there are one or two, also their code.',
  args: z.object({ symbol: symbolArgument }),
  limits: { lines: 100, lineLength: 240, bytes: 6 * 1024 },
  version: 1,
  keeps: true,
  async run({ symbol }, scope): Promise<ToolOutput> {
    const answer = await findDefinitions(await scope.tree(), symbol)
    const found = answer.definitions.slice(0, 20)
    const texts = await scope.head.readMany(found.map(({ path }) => path))
    const lines = found.flatMap(({ path, line, kind, signature, startLine, endLine }) => {
      const head = `${path}:${line} ${kind} ${signature}`
      if (found.length > shownWhole) return [head]
      const code = texts
        .get(path)
        ?.text.split('\n')
        .slice(startLine - 1, Math.min(endLine, startLine - 1 + linesShown))
      return [head, ...(code ?? []).map((text, at) => `  ${startLine + at}: ${text}`)]
    })
    const left = answer.definitions.length - found.length
    return {
      lines,
      remarks: [
        `${count(answer.definitions.length, 'definition')}, from the index`,
        ...(left > 0 ? [`${left} more are left out`] : []),
        ...(answer.textOnly.length > 0
          ? [
              `${count(answer.textOnly.length, 'file that mentions it is', 'files that mention it are')} text only to the index`,
            ]
          : []),
        ...(answer.emptiness ? [emptinessIn(answer.emptiness)] : []),
      ],
    }
  },
})

export function emptinessIn({ isEvidence, why }: { isEvidence: boolean; why: string }): string {
  return isEvidence ? `nothing, and that is evidence: ${why}` : `nothing found, which proves nothing: ${why}`
}
