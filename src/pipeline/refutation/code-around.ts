/** The code around a place: the innermost definition or the lines beside it, and the same definition on the other side. */
import { type FileChange, pathOn, type Side } from '../../domain/change-set.ts'
import type { CodeSymbol, SymbolChange } from '../../domain/code-symbol.ts'
import { lineAcross } from '../../domain/diff-lines.ts'
import type { EvidenceDraft } from '../../domain/evidence.ts'
import { fileAt, type Place } from './places.ts'
import { type DossierContext, linesOf, longestDefinition, snapshotOf } from './sources.ts'

/** Lines above and below a finding, of a definition that is too long. */
const aroundDefinition = 100

/** Lines above and below a finding outside any definition. */
const beside = 20

export type Around = { symbol: CodeSymbol | null; path: string; drafts: EvidenceDraft[] }

/** The innermost definition around a place, or the lines beside it; then the same definition on the other side. */
export async function codeAround(place: Place, input: DossierContext): Promise<Around> {
  const { side, startLine, endLine } = place
  const file = fileAt(input.context.change.files, place.path)
  const path = side === 'old' && file ? pathOn(side, file) : place.path
  const source = await snapshotOf(side, input).read(path)
  if (!source) return { symbol: null, path, drafts: [] }
  const known = await input.facts.facts([{ path, blob: source.blob, text: source.text }])
  const symbol = innermost(known.get(path)?.symbols ?? [], startLine, endLine)
  const [from, to] = symbol ? rangeIn(symbol, startLine) : [Math.max(1, startLine - beside), endLine + beside]
  const title = symbol
    ? `the ${symbol.kind} \`${symbol.name}\` around the finding`
    : 'the lines around the finding'
  const own = linesOf(source, { path, side, startLine: from, endLine: to }, title)
  const near = file && counterpartOf(file, side, startLine)
  const other = symbol && (await otherSide({ symbol, path, side, near }, input))
  return { symbol, path, drafts: [own, other].filter((draft) => draft !== null) }
}

/** The line of the other side at the same place; for a changed line, that of the nearest unchanged one above it. */
function counterpartOf(file: FileChange, side: Side, line: number): number | null {
  for (let at = line; at > 0 && file.omitted === null; at--) {
    const across = lineAcross(file, side, at)
    if (across !== null) return across
  }
  return null
}

type OwnSide = { symbol: CodeSymbol; path: string; side: Side; near: number | null }

async function otherSide(
  { symbol, path, side, near }: OwnSide,
  input: DossierContext,
): Promise<EvidenceDraft | null> {
  const [here, there] = side === 'new' ? (['after', 'before'] as const) : (['before', 'after'] as const)
  const isThis = (change: SymbolChange) =>
    change[here]?.path === path &&
    change[here].symbol.name === symbol.name &&
    change[here].symbol.startLine === symbol.startLine
  const counterpart = input.context.symbols.find(isThis)?.[there]
  if (!counterpart) return null
  const other = side === 'new' ? 'old' : 'new'
  const source = await snapshotOf(other, input).read(counterpart.path)
  const [startLine, endLine] = rangeIn(counterpart.symbol, near ?? counterpart.symbol.startLine)
  const place = { path: counterpart.path, side: other, startLine, endLine } as const
  const { kind, name } = counterpart.symbol
  const when = other === 'old' ? 'before' : 'after'
  return source && linesOf(source, place, `the ${kind} \`${name}\` ${when} the change`)
}

function rangeIn({ startLine, endLine }: CodeSymbol, near: number): [number, number] {
  if (endLine - startLine < longestDefinition) return [startLine, endLine]
  return [Math.max(startLine, near - aroundDefinition), Math.min(endLine, near + aroundDefinition)]
}

/** The smallest definition of more than one line that holds all of the lines. */
export function innermost(symbols: readonly CodeSymbol[], from: number, to: number): CodeSymbol | null {
  let best: CodeSymbol | null = null
  for (const symbol of symbols) {
    if (symbol.startLine > from || symbol.endLine < to || symbol.startLine === symbol.endLine) continue
    if (!best || symbol.endLine - symbol.startLine <= best.endLine - best.startLine) best = symbol
  }
  return best
}
