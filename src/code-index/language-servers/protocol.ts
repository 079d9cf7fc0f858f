/**
 * The parts of the protocol that are read, as schemas, since what a server sends is foreign; and how they become places
 * of the snapshot. Unknown keys are dropped.
 */
import { z } from 'zod'
import type { Location, Position, ServerSymbol } from './contract.ts'
import type { Workspace } from './lay-out.ts'

const place = z.object({ line: z.int().min(0), character: z.int().min(0) })
const range = z.object({ start: place, end: place })
export type RangeShape = z.infer<typeof range>

const location = z.object({ uri: z.string(), range })
const locationLink = z.object({ targetUri: z.string(), targetSelectionRange: range })

export const Initialized = z.object({
  capabilities: z.record(z.string(), z.unknown()),
  serverInfo: z.object({ name: z.string().optional(), version: z.string().optional() }).nullish(),
})

/** One, several, or none, in any of the forms that the protocol knows. */
export const Locations = z
  .union([location, z.array(z.union([location, locationLink]))])
  .nullable()
  .transform((answer) => (answer === null ? [] : Array.isArray(answer) ? answer : [answer]))
  .transform((all) =>
    all.map((one) => ('uri' in one ? one : { uri: one.targetUri, range: one.targetSelectionRange })),
  )
export type LocationShape = { uri: string; range: RangeShape }

export type SymbolShape = {
  name: string
  kind: number
  range: RangeShape
  selectionRange: RangeShape
  children?: SymbolShape[] | null | undefined
}

const documentSymbol: z.ZodType<SymbolShape> = z.object({
  name: z.string(),
  kind: z.int(),
  range,
  selectionRange: range,
  get children() {
    return z.array(documentSymbol).nullish()
  },
})

export const FlatSymbol = z.object({
  name: z.string(),
  kind: z.int(),
  containerName: z.string().nullish(),
  location: z.object({ uri: z.string(), range: range.optional() }),
})
export type FlatSymbol = z.infer<typeof FlatSymbol>

/** A tree, or the flat list of older servers. */
export const DocumentSymbols = z
  .union([z.array(documentSymbol), z.array(FlatSymbol)])
  .nullable()
  .transform((answer): SymbolShape[] =>
    (answer ?? []).flatMap((one) => {
      if ('selectionRange' in one) return [one]
      const { name, kind, location } = one
      return location.range ? [{ name, kind, range: location.range, selectionRange: location.range }] : []
    }),
  )

export const WorkspaceSymbols = z
  .array(FlatSymbol)
  .nullable()
  .transform((all) => all ?? [])

export const DiagnosticShape = z.object({
  range,
  message: z.string(),
  severity: z.int().min(1).max(4).optional(),
  code: z.union([z.string(), z.int()]).optional(),
})
export type DiagnosticShape = z.infer<typeof DiagnosticShape>

export const PulledDiagnostics = z.object({ items: z.array(DiagnosticShape).default([]) })
export const PublishedDiagnostics = z.object({
  uri: z.string(),
  version: z.int().nullish(),
  diagnostics: z.array(DiagnosticShape),
})
/** clangd says what it does with a file: `idle` in the end, and maybe for a moment in between. */
export const FileStatus = z.object({ uri: z.string(), state: z.string() })
/** `at`: of `performance.now()`; `version`: of the document, where the server tells. */
export type Published = { version: number | null; diagnostics: readonly DiagnosticShape[]; at: number }

const marked = z.union([z.string(), z.object({ value: z.string() })])

/** What is in the box that editors show, as one text; null when there is nothing to show. */
export const Hover = z
  .object({ contents: z.union([marked, z.array(marked)]) })
  .nullable()
  .transform((answer) => {
    const parts = answer === null ? [] : [answer.contents].flat()
    return answer === null ? null : parts.map((one) => (typeof one === 'string' ? one : one.value)).join('\n')
  })

// From what servers send to places in the snapshot: our paths, in order, each once.

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
