/** `find_definition`: where a name is defined. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { serveDefinitions } from '../code-index/language-servers/served/serve.ts'
import { findDefinitions } from '../code-index/query/definitions.ts'
import { symbolArgument } from './arguments.ts'
import { defineTool, type ToolOutput } from './contract.ts'
import { sourcesIn } from './uses.ts'

const shownWhole = 2
const linesShown = 30
const mostOthers = 20

export const findDefinition = defineTool({
  name: 'find_definition',
  cost: 'cheap',
  about:
    'Where a name (load) or a qualified name (Store.load) is defined, with its signature; when there are one or two, also their code.',
  args: z.object({ symbol: symbolArgument }),
  limits: { lines: 100, lineLength: 240, bytes: 6 * 1024 },
  version: 2,
  keeps: true,
  async run({ symbol }, scope, signal): Promise<ToolOutput> {
    const tree = await scope.tree()
    const served = await scope.servers?.ask((asked) => serveDefinitions(tree, symbol, asked), signal)
    const answer = served ?? (await findDefinitions(tree, symbol))
    const others = served?.others ?? []
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
      lines: [
        ...lines,
        ...others.slice(0, mostOthers).map(({ path, line, scope: around, name }) => {
          return `${path}:${line} ${around === '' ? name : `${around}.${name}`} (language server)`
        }),
      ],
      remarks: [
        `${count(answer.definitions.length + others.length, 'definition')}, ${sourcesIn(served?.server)}`,
        ...(left > 0 ? [`${left} more are left out`] : []),
        ...(answer.textOnly.length > 0
          ? [
              `${count(answer.textOnly.length, 'file that mentions it is', 'files that mention it are')} text only to the index`,
            ]
          : []),
        ...(answer.emptiness && others.length === 0 ? [emptinessIn(answer.emptiness)] : []),
      ],
    }
  },
})

export function emptinessIn({ isEvidence, why }: { isEvidence: boolean; why: string }): string {
  return isEvidence ? `no match (this is conclusive): ${why}` : `no match (this is not conclusive): ${why}`
}
