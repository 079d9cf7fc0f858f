/** Callers by a language server and the index together: the served references, gathered by what is around them. */
import { callerKey, gatherCallers } from '../../query/callers.ts'
import type { CodeTree } from '../../query/contract.ts'
import type { Definition } from '../../resolve/contract.ts'
import type { LanguageServers } from '../contract.ts'
import type { ServedCallers } from './contract.ts'
import { serveReferences } from './serve-references.ts'

export async function serveCallers(
  tree: CodeTree,
  target: Definition,
  servers: LanguageServers,
): Promise<ServedCallers> {
  const { references, ...rest } = await serveReferences(tree, target, servers)
  const sources = new Map<string, Set<string>>()
  for (const edge of references) {
    const name = callerKey(edge.path, edge.within)
    const known = sources.get(name) ?? new Set()
    for (const source of edge.sources) known.add(source)
    sources.set(name, known)
  }
  const callers = gatherCallers(references).map((caller) => ({
    ...caller,
    sources: [...(sources.get(callerKey(caller.path, caller.symbol)) ?? [])].sort(indexFirst),
  }))
  const onlyImported = { isEvidence: true, why: 'it is imported or exported, and used no further' }
  return { ...rest, callers, emptiness: callers.length > 0 ? null : (rest.emptiness ?? onlyImported) }
}

function indexFirst(a: string, b: string): number {
  return Number(b === 'index') - Number(a === 'index')
}
