/** Which definitions use a definition: its references, gathered by what is around them. */
import type { Definition } from '../resolve/contract.ts'
import type { Caller, CallersAnswer, CodeTree, ReferenceEdge } from './contract.ts'
import { findReferences } from './references.ts'

/**
 * Calls, decorators and values handed on; imports and exports are none. For a type, every use inside a definition.
 * By path and line of the caller; the top level of a file is a caller too.
 */
export async function findCallers(tree: CodeTree, target: Definition): Promise<CallersAnswer> {
  const { references, ...rest } = await findReferences(tree, target)
  const callers = gatherCallers(references)
  return { ...rest, callers, emptiness: callers.length > 0 ? null : (rest.emptiness ?? onlyImported) }
}

const onlyImported = { isEvidence: true, why: 'it is imported or exported, and used no further' }

/** References in order; the callers come out in order too. */
export function gatherCallers(references: readonly ReferenceEdge[]): Caller[] {
  const callers = new Map<string, Caller>()
  for (const { path, line, role, within, how, confidence } of references) {
    if (role === 'import' || role === 'export') continue
    const key = callerKey(path, within)
    const known = callers.get(key)
    if (!known) {
      callers.set(key, { path, symbol: within, uses: [{ line, role }], how, confidence })
      continue
    }
    known.uses.push({ line, role })
    if (confidence > known.confidence) Object.assign(known, { how, confidence })
  }
  return [...callers.values()].sort(byPlace)
}

/** One key for one definition, or for the top level of one file. */
export function callerKey(path: string, symbol: Caller['symbol']): string {
  return symbol === null ? `${path}:0` : `${path}:${symbol.line}:${symbol.scope}.${symbol.name}`
}

function byPlace(a: Caller, b: Caller): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return (a.symbol?.line ?? 0) - (b.symbol?.line ?? 0)
}
