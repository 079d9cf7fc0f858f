/** Which tests name the symbols that a change touches: the first thing a reviewer wants to know after the diff. */
import { isTestPath } from '../../base/file-paths.ts'
import { matchGlobs } from '../../base/globs.ts'
import type { ChangeSet } from '../../domain/change-set.ts'
import type { SymbolChange } from '../../domain/code-symbol.ts'
import type { SymbolTests } from '../../domain/review-context.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'

export type TestQuestion = {
  symbols: readonly SymbolChange[]
  change: ChangeSet
  head: RepoSnapshot
  /** Further test files, by configuration. */
  globs: readonly string[]
}

/** Symbols beyond this many say no more about the change. */
const symbolLimit = 60
const testLimit = 30

/** Names that are everywhere say nothing: `run`, `get`, `id`. */
const shortestName = 4

const kinds: ReadonlySet<string> = new Set(['function', 'method', 'class', 'struct', 'interface', 'macro'])

/** In the order of the symbols; without those whose behaviour did not change or that only their file sees. */
export async function findTests({ symbols, change, head, globs }: TestQuestion): Promise<SymbolTests[]> {
  const isConfigured = matchGlobs(globs)
  const isTest = (path: string) => isTestPath(path) || isConfigured(path)
  const asked = symbols.flatMap(({ kind, after }) =>
    after && kind !== 'moved' && isWorthAsking(after.symbol) && !isTest(after.path)
      ? [{ symbol: after.symbol.name, path: after.path }]
      : [],
  )
  const distinct = [...new Map(asked.map((one) => [`${one.path}\0${one.symbol}`, one])).values()].slice(
    0,
    symbolLimit,
  )
  if (distinct.length === 0) return []
  const files = await head.filesWithWords([...new Set(distinct.map(({ symbol }) => symbol))])
  const changed = new Set(change.files.map(({ path }) => path))
  return distinct.map((one) => ({
    ...one,
    tests: (files.get(one.symbol) ?? [])
      .filter(isTest)
      .slice(0, testLimit)
      .map((path) => ({ path, changed: changed.has(path) })),
  }))
}

function isWorthAsking({
  kind,
  name,
  visibility,
  isTest,
}: NonNullable<SymbolChange['after']>['symbol']): boolean {
  return kinds.has(kind) && visibility !== 'private' && !isTest && name.length >= shortestName
}
