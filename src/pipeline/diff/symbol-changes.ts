/** The syntactic diff: what became of every symbol in the changed files. */
import type { SymbolChange, SymbolChangeKind } from '../../domain/code-symbol.ts'
import { matchSymbols } from './symbols/match-symbols.ts'
import type { Matching, Pair } from './symbols/matching.ts'
import type { SymbolDiffInput } from './symbols/read-sides.ts'
import type { SideSymbol } from './symbols/side.ts'
import { signatureDelta } from './symbols/signature-delta.ts'

/**
 * Files that are not source or test code, or whose language has no table, yield nothing; nor do files of which one
 * side cannot be parsed. In order of path and line at the head (at the base for what is gone).
 */
export async function diffSymbols(input: SymbolDiffInput): Promise<SymbolChange[]> {
  const matching = await matchSymbols(input)
  const changes = [
    ...matching.pairs.flatMap((pair) => pairedChange(pair, matching) ?? []),
    ...[...matching.removed].map((side) => describe('removed', side, null)),
    ...[...matching.added].map((side) => describe('added', null, side)),
  ]
  return withoutEchoes(changes).sort(byPlace)
}

/** Null when nothing about the symbol itself changed. */
function pairedChange({ before, after, similarity }: Pair, matching: Matching): SymbolChange | null {
  const delta = signatureDelta(before.symbol, after.symbol)
  const bodyChanged = before.symbol.bodyHash !== after.symbol.bodyHash
  // A member whose container was renamed or moved follows it: the container's change tells the story.
  const follows = before.parent !== null && matching.arePartners(before.parent, after.parent)
  const renamed = before.symbol.name !== after.symbol.name
  const moved = !follows && (before.path !== after.path || before.symbol.scope !== after.symbol.scope)
  if (!renamed && !moved && delta === null && !bodyChanged) return null
  const kind = renamed ? 'renamed' : moved ? 'moved' : delta ? 'signature-changed' : 'body-changed'
  return { ...describe(kind, before, after), delta, bodyChanged, similarity }
}

function describe(kind: SymbolChangeKind, before: SideSymbol | null, after: SideSymbol | null): SymbolChange {
  return {
    kind,
    language: (after ?? before)?.language ?? '',
    before: before && { path: before.path, symbol: before.symbol },
    after: after && { path: after.path, symbol: after.symbol },
    delta: null,
    bodyChanged: false,
    similarity: null,
  }
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

function byPlace(a: SymbolChange, b: SymbolChange): number {
  const [x, y] = [a.after ?? a.before, b.after ?? b.before]
  if (!x || !y) return 0
  if (x.path !== y.path) return x.path < y.path ? -1 : 1
  return x.symbol.startLine - y.symbol.startLine
}
