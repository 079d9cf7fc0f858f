/** From what servers send to places in the snapshot: our paths, in order, each once. */
import type { Location, Position, ServerSymbol } from './contract.ts'
import type { LocationShape, RangeShape, SymbolShape } from './session/shapes.ts'
import type { Workspace } from './workspace/lay-out.ts'

/** Nesting beyond which symbols are not followed. */
const deepest = 50

export function toLocations(
  answer: readonly LocationShape[],
  { pathOf }: Pick<Workspace, 'pathOf'>,
): { found: Location[]; outside: number } {
  const found: Location[] = []
  let outside = 0
  for (const { uri, range } of answer) {
    const path = pathOf(uri)
    if (path === null) outside++
    else found.push(toLocation(path, range))
  }
  return { found: inOrder(found), outside }
}

export function toLocation(path: string, { start, end }: RangeShape): Location {
  return {
    path,
    line: start.line + 1,
    column: start.character,
    endLine: end.line + 1,
    endColumn: end.character,
  }
}

/** The tree of a file's symbols as a list, in source order. */
export function toSymbols(path: string, shapes: readonly SymbolShape[]): ServerSymbol[] {
  const found: ServerSymbol[] = []
  const walk = (all: readonly SymbolShape[], scope: string, depth: number) => {
    for (const { name, kind, range, selectionRange, children } of all) {
      const { line, character } = selectionRange.start
      const [startLine, endLine] = [range.start.line + 1, range.end.line + 1]
      found.push({ path, name, scope, kind, line: line + 1, column: character, startLine, endLine })
      if (children && depth < deepest) walk(children, scope === '' ? name : `${scope}.${name}`, depth + 1)
    }
  }
  walk(shapes, '', 0)
  return found.sort(byPlace)
}

/** The innermost of a file's symbols around a use; null at the top level. An import is not around itself. */
export function symbolAround(
  symbols: readonly ServerSymbol[],
  { line, column }: Pick<Position, 'line' | 'column'>,
): ServerSymbol | null {
  let best: ServerSymbol | null = null
  for (const symbol of symbols) {
    if (symbol.startLine > line || symbol.endLine < line) continue
    if (symbol.line === line && symbol.column === column) continue
    if (best === null || symbol.endLine - symbol.startLine <= best.endLine - best.startLine) best = symbol
  }
  return best
}

/** Sorted by place, without doubles. */
export function inOrder<Place extends Position>(places: readonly Place[]): Place[] {
  return [...places]
    .sort(byPlace)
    .filter((one, at, all) => at === 0 || byPlace(one, all[at - 1] ?? one) !== 0)
}

export function byPlace(a: Position, b: Position): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return a.line - b.line || a.column - b.column
}
