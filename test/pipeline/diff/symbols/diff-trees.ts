/** The syntactic diff of two small trees, in words that tests can compare. */
import type { FactStore } from '../../../../src/code-index/contract.ts'
import { languageOf } from '../../../../src/code-index/language-of.ts'
import type { FileChange, FileStatus } from '../../../../src/domain/change-set.ts'
import type { CodeSymbol, SymbolChange } from '../../../../src/domain/code-symbol.ts'
import { diffSymbols } from '../../../../src/pipeline/diff/symbol-changes.ts'
import { blobOf, memorySnapshot, type Texts } from '../../../helpers/in-memory/change.ts'

/** Head path → base path. */
export type Origins = { renamed?: Record<string, string>; copied?: Record<string, string> }

export function diffTrees(
  facts: FactStore,
  before: Texts,
  after: Texts,
  origins: Origins = {},
): Promise<SymbolChange[]> {
  const sources = new Set(Object.values(origins.renamed ?? {}))
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  const files = paths
    .filter((path) => after[path] !== undefined || !sources.has(path))
    .map((path) => fileChange(path, before, after, origins))
  const change = { files, overflow: [] }
  return diffSymbols({ change, base: memorySnapshot(before), head: memorySnapshot(after), facts })
}

function fileChange(path: string, before: Texts, after: Texts, origins: Origins): FileChange {
  const renamed = origins.renamed?.[path]
  const copied = origins.copied?.[path]
  const oldPath = renamed ?? copied ?? null
  const [old, now] = [before[oldPath ?? path], after[path]]
  const kept: FileStatus = renamed ? 'renamed' : copied ? 'copied' : 'modified'
  return {
    ...{ path, oldPath, status: old === undefined ? 'added' : now === undefined ? 'deleted' : kept },
    ...{ kind: 'text', role: 'source', language: languageOf(path), similarity: null },
    ...{ oldMode: '100644', newMode: '100644', added: 0, removed: 0, hunks: [], omitted: null },
    oldBlob: old === undefined ? null : blobOf(old),
    newBlob: now === undefined ? null : blobOf(now),
  }
}

/** `renamed a.ts f → a.ts g: +x -y, body`, one line per change. */
export function inWords(changes: readonly SymbolChange[]): string[] {
  return changes.map(({ kind, before, after, delta, bodyChanged }) => {
    const ends = [before, after].flatMap((end) => (end ? `${end.path} ${nameOf(end.symbol)}` : []))
    const place = kind === 'renamed' || kind === 'moved' ? ends.join(' → ') : ends.at(-1)
    const what = [
      ...(delta?.parametersAdded ?? []).map(({ name }) => `+${name}`),
      ...(delta?.parametersRemoved ?? []).map(({ name }) => `-${name}`),
      ...(delta?.parametersChanged ?? []).map(({ name }) => `~${name}`),
      ...(delta?.reordered ? ['order'] : []),
      ...(delta?.returnType ? [`${delta.returnType.before} → ${delta.returnType.after}`] : []),
      ...(delta?.visibility ? [`${delta.visibility.before} → ${delta.visibility.after}`] : []),
      ...(bodyChanged && kind !== 'body-changed' ? ['body'] : []),
    ]
    return `${kind} ${place}${what.length > 0 ? `: ${what.join(', ')}` : ''}`
  })
}

function nameOf({ scope, name }: CodeSymbol): string {
  return scope === '' ? name : `${scope}.${name}`
}
