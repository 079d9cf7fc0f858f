/** The syntactic diff: what became of every symbol in the changed files. */
import type { FactStore, FileFacts } from '../../code-index/contract.ts'
import type { ChangeSet, FileChange } from '../../domain/change-set.ts'
import type { SymbolChange, SymbolChangeKind } from '../../domain/code-symbol.ts'
import type { FileText, RepoSnapshot } from '../../domain/snapshot.ts'
import { type Pair, pairSymbols } from './symbols/pair.ts'
import type { SideSymbol } from './symbols/side.ts'
import { signatureDelta } from './symbols/signature-delta.ts'

export type SymbolDiffInput = { change: ChangeSet; base: RepoSnapshot; head: RepoSnapshot; facts: FactStore }

/**
 * Files that are not source or test code, or whose language has no table, yield nothing. In order of path and line
 * at the head (at the base for what is gone).
 */
export async function diffSymbols({ change, base, head, facts }: SymbolDiffInput): Promise<SymbolChange[]> {
  const files = change.files.filter((file) => file.language !== null && isCode(file))
  const before = await sideSymbols(
    files,
    (file) => (file.oldBlob ? (file.oldPath ?? file.path) : null),
    base,
    facts,
  )
  const after = await sideSymbols(files, (file) => (file.newBlob ? file.path : null), head, facts)
  const renames = new Map(files.flatMap((file) => (file.oldPath ? [[file.oldPath, file.path] as const] : [])))
  // A renamed file is one file: its symbols are compared in place, and moved only where the path of the import changes.
  const aligned = before.map((side) => ({ ...side, path: renames.get(side.path) ?? side.path }))
  const originalPath = new Map(aligned.map((side, index) => [side, before[index]?.path ?? side.path]))
  const pathAtBase = (side: SideSymbol) => originalPath.get(side) ?? side.path

  const { pairs, removed, added } = pairSymbols(aligned, after)
  const partner = new Map(pairs.map((pair) => [pair.before, pair.after]))
  const changes = [
    ...pairs.flatMap((pair) => pairedChange(pair, pathAtBase(pair.before), partner) ?? []),
    ...removed.map((side) => describe('removed', { path: pathAtBase(side), side }, null)),
    ...added.map((side) => describe('added', null, side)),
  ]
  return withoutEchoes(changes).sort(byPlace)
}

/** The body of a class changes with every method in it; the method's change says it better. */
function withoutEchoes(changes: readonly SymbolChange[]): SymbolChange[] {
  const scopes = new Set(
    changes.flatMap(({ before, after }) =>
      [before, after].flatMap((end) => {
        const parts = end?.symbol.scope.split('.') ?? []
        return parts.map((_, index) => `${end?.path}\0${parts.slice(0, index + 1).join('.')}`)
      }),
    ),
  )
  return changes.filter(({ kind, after }) => {
    if (kind !== 'body-changed' || !after) return true
    const { scope, name } = after.symbol
    return !scopes.has(`${after.path}\0${scope === '' ? name : `${scope}.${name}`}`)
  })
}

function isCode(file: FileChange): boolean {
  return file.kind === 'text' && (file.role === 'source' || file.role === 'test') && file.omitted === null
}

async function sideSymbols(
  files: readonly FileChange[],
  pathOf: (file: FileChange) => string | null,
  snapshot: RepoSnapshot,
  store: FactStore,
): Promise<SideSymbol[]> {
  const paths = files.flatMap((file) => pathOf(file) ?? [])
  const texts = await snapshot.readMany(paths)
  const facts = await store.facts(
    paths.flatMap((path) => {
      const file = texts.get(path)
      return file ? [{ path, blob: file.blob, text: file.text }] : []
    }),
  )
  return paths.flatMap((path) => {
    const [fileFacts, file] = [facts.get(path), texts.get(path)]
    return fileFacts && file ? symbolsOf(path, fileFacts, file) : []
  })
}

function symbolsOf(path: string, facts: FileFacts, file: FileText): SideSymbol[] {
  const lines = file.text.split('\n')
  const sides: SideSymbol[] = facts.symbols.map((symbol, index) => ({
    path,
    language: facts.language,
    symbol,
    index,
    parent: null,
    text: lines.slice(symbol.startLine - 1, symbol.endLine).join('\n'),
  }))
  for (const side of sides) side.parent = sides[facts.parents[side.index] ?? -1] ?? null
  return sides
}

/** Null when nothing about the symbol itself changed. */
function pairedChange(
  { before, after, similarity }: Pair,
  oldPath: string,
  partner: ReadonlyMap<SideSymbol, SideSymbol>,
): SymbolChange | null {
  const delta = signatureDelta(before.symbol, after.symbol)
  const bodyChanged = before.symbol.bodyHash !== after.symbol.bodyHash
  // A member whose container was renamed or moved follows it: the container's change tells the story.
  const follows =
    before.parent !== null && partner.get(before.parent) === after.parent && after.parent !== null
  const renamed = before.symbol.name !== after.symbol.name
  const moved = !follows && (oldPath !== after.path || before.symbol.scope !== after.symbol.scope)
  if (!renamed && !moved && delta === null && !bodyChanged) return null
  const kind: SymbolChangeKind = renamed
    ? 'renamed'
    : moved
      ? 'moved'
      : delta
        ? 'signature-changed'
        : 'body-changed'
  return {
    ...describe(kind, { path: oldPath, side: before }, after),
    delta,
    bodyChanged,
    similarity,
  }
}

function describe(
  kind: SymbolChangeKind,
  before: { path: string; side: SideSymbol } | null,
  after: SideSymbol | null,
): SymbolChange {
  return {
    kind,
    language: (after ?? before?.side)?.language ?? '',
    before: before && { path: before.path, symbol: before.side.symbol },
    after: after && { path: after.path, symbol: after.symbol },
    delta: null,
    bodyChanged: false,
    similarity: null,
  }
}

function byPlace(a: SymbolChange, b: SymbolChange): number {
  const [x, y] = [a.after ?? a.before, b.after ?? b.before]
  if (!x || !y) return 0
  if (x.path !== y.path) return x.path < y.path ? -1 : 1
  return x.symbol.startLine - y.symbol.startLine
}
