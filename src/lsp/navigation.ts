/** References and call hierarchies by the index, in the languages that an editor names: those for which it has no other server. */

import { basename } from 'node:path'
import {
  type CallHierarchyItem,
  type CancellationToken,
  type Connection,
  type Location,
  type Position,
  type PositionEncodingKind,
  type Range,
  SymbolKind,
} from 'vscode-languageserver'
import { remembered } from '../base/remembered.ts'
import { visibleLine } from '../base/visible-text.ts'
import { languageOf } from '../code-index/language-of.ts'
import { columnOf, definitionAtCursor, findCallees, wordAt } from '../code-index/query/at-cursor.ts'
import { callerKey } from '../code-index/query/callers.ts'
import type { CodeTree, ReferenceEdge, SymbolSite } from '../code-index/query/contract.ts'
import { findTargets, siteOf } from '../code-index/query/definitions.ts'
import { findReferences } from '../code-index/query/references.ts'
import type { SymbolKind as CodeKind } from '../domain/code-symbol.ts'
import { abortable, unlessAborted } from './abortable.ts'
import type { EditorSession, ReviewedTree } from './contract.ts'
import { Lines, unitsIn } from './positions.ts'
import type { OpenRepository } from './repositories.ts'
import { inReviewedTree } from './reviewed-tree.ts'

export type NavigationParts = {
  session: EditorSession
  /** Ids of the index, such as `ruby`. */
  languages(): readonly string[]
  repositoryOf(uri: string): { repository: OpenRepository; path: string } | null
  settled(uri: string, token: CancellationToken): Promise<ReviewedTree | null>
  uriOf(repository: OpenRepository, path: string): string
  encoding(): PositionEncodingKind
}

/** A line of a file from 1, and where a name is on it: from 0, in UTF-16 units; null where only the line is known. */
type NamePlace = { path: string; line: number; column: number | null; name: string }

type Asked = {
  tree: CodeTree
  path: string
  uriOf(path: string): string
  rangeOf(place: NamePlace): Promise<Range>
  columnOf(position: Position): Promise<number>
}

export function serveNavigation(connection: Connection, parts: NavigationParts): void {
  connection.onReferences(({ textDocument: { uri }, position, context }, token) =>
    ask(parts, uri, token, async (asked) => {
      const { tree } = asked
      const target = await targetAt(parts, position, asked)
      if (!target) return []
      const { references } = await findReferences(tree, target)
      const { name, line, path: definedIn } = siteOf(target)
      const uses = references.map((edge) => placeOf(edge, name))
      const own = { path: definedIn, line, column: null, name }
      return await Promise.all((context.includeDeclaration ? [own, ...uses] : uses).map(locate))

      async function locate(place: NamePlace): Promise<Location> {
        return { uri: asked.uriOf(place.path), range: await asked.rangeOf(place) }
      }
    }),
  )

  const { callHierarchy } = connection.languages
  callHierarchy.onPrepare(({ textDocument: { uri }, position }, token) =>
    ask(parts, uri, token, async (asked) => {
      const target = await targetAt(parts, position, asked)
      return target ? [await itemOf(siteOf(target), asked)] : []
    }),
  )

  callHierarchy.onIncomingCalls(({ item }, token) =>
    ask(parts, item.uri, token, async (asked) => {
      const target = await definitionOf(item, asked)
      if (!target) return []
      const { references } = await findReferences(asked.tree, target)
      const calls = Map.groupBy(
        references.filter(({ role }) => role !== 'import' && role !== 'export'),
        ({ path, within }) => callerKey(path, within),
      )
      return await Promise.all(
        [...calls.values()].map(async (edges) => {
          const [{ path, within }] = edges as [ReferenceEdge, ...ReferenceEdge[]]
          const from = within ? await itemOf(within, asked) : fileItem(path, asked)
          const places = edges.map((edge) => placeOf(edge, siteOf(target).name))
          return { from, fromRanges: await Promise.all(places.map(asked.rangeOf)) }
        }),
      )
    }),
  )

  callHierarchy.onOutgoingCalls(({ item }, token) =>
    ask(parts, item.uri, token, async (asked) => {
      const caller = await definitionOf(item, asked)
      if (!caller) return []
      const callees = await findCallees(asked.tree, caller)
      return await Promise.all(
        callees.map(async ({ called, calls }) => ({
          to: await itemOf(siteOf(called), asked),
          fromRanges: await Promise.all(calls.map((call) => asked.rangeOf({ ...call, path: asked.path }))),
        })),
      )
    }),
  )
}

/** Null where nothing of it is reviewed. */
async function ask<Answer>(
  parts: NavigationParts,
  uri: string,
  token: CancellationToken,
  answer: (asked: Asked) => Promise<Answer>,
): Promise<Answer | null> {
  const reviewed = await parts.settled(uri, token)
  const found = parts.repositoryOf(uri)
  if (!reviewed || !found) return null
  const { repository, path } = found
  const { root, workTree, settings } = repository
  const { signal } = abortable(repository.signal, token)
  const place = { session: parts.session, root, workTree, settings, reviewed, signal }
  const answered = inReviewedTree(place, async ({ tree }) => {
    const uriOf = (one: string) => parts.uriOf(repository, one)
    return await answer({ tree, path, uriOf, ...placesIn(tree, path, parts.encoding()) })
  })
  return await unlessAborted(signal, answered)
}

/** Places in the texts of the tree, as the editor counts them. */
function placesIn(
  tree: CodeTree,
  path: string,
  encoding: PositionEncodingKind,
): Pick<Asked, 'rangeOf' | 'columnOf'> {
  const texts = new Map<string, Promise<Lines>>()
  const read = async (one: string) => new Lines((await tree.world.text(one)) ?? '')
  const linesIn = (one: string) => remembered(texts, one, read)
  return {
    rangeOf: async (name) => rangeOf(name, await linesIn(name.path), encoding),
    async columnOf(position) {
      const lines = await linesIn(path)
      return lines.offsetAt(position, encoding) - lines.offsetAt({ ...position, character: 0 }, encoding)
    },
  }
}

async function targetAt(parts: NavigationParts, position: Position, { tree, path, columnOf }: Asked) {
  if (!parts.languages().includes(languageOf(path) ?? '')) return null
  const column = await columnOf(position)
  return await definitionAtCursor(tree, { path, line: position.line + 1, column })
}

function placeOf({ path, line, column }: ReferenceEdge, name: string): NamePlace {
  return { path, line, column, name }
}

/** Of the name there: an alias may stand in the place of `name`. */
function rangeOf({ line, column, name }: NamePlace, lines: Lines, encoding: PositionEncodingKind): Range {
  const text = lines.at(line - 1)
  const from = column ?? columnOf(text, name)
  const { length } = column === null ? name : (wordAt(text, column)?.name ?? name)
  const at = (to: number) => ({ line: line - 1, character: unitsIn(text.slice(0, to), encoding) })
  return { start: at(from), end: at(from + length) }
}

type Named = { line: number }

async function itemOf(site: SymbolSite, { uriOf, rangeOf }: Asked): Promise<CallHierarchyItem> {
  const { path, line, name, scope, kind, startLine, endLine } = site
  const selectionRange = await rangeOf({ path, line, column: null, name })
  const data: Named = { line }
  return {
    name: visibleLine(name),
    kind: kinds[kind],
    detail: visibleLine(scope === '' ? path : `${scope} · ${path}`),
    uri: uriOf(path),
    range: { start: { line: startLine - 1, character: 0 }, end: { line: endLine, character: 0 } },
    selectionRange,
    data,
  }
}

/** The top level of a file, which nothing calls. */
function fileItem(path: string, { uriOf }: Asked): CallHierarchyItem {
  const start = { line: 0, character: 0 }
  const range = { start, end: start }
  const [name, data] = [visibleLine(basename(path)), { line: 0 } satisfies Named]
  return { name, kind: SymbolKind.File, uri: uriOf(path), range, selectionRange: range, data }
}

/** Null for the top level of a file, and where the text has changed since. */
async function definitionOf({ data }: CallHierarchyItem, { tree, path }: Asked) {
  const { line } = data as Named
  const [target] = line > 0 ? await findTargets(tree, `${path}:${line}`) : []
  return target?.path === path && siteOf(target).line === line ? target : null
}

const kinds: Readonly<Record<CodeKind, SymbolKind>> = {
  function: SymbolKind.Function,
  method: SymbolKind.Method,
  class: SymbolKind.Class,
  interface: SymbolKind.Interface,
  type: SymbolKind.Interface,
  enum: SymbolKind.Enum,
  enumerator: SymbolKind.EnumMember,
  variable: SymbolKind.Variable,
  field: SymbolKind.Field,
  module: SymbolKind.Module,
  constant: SymbolKind.Constant,
  struct: SymbolKind.Struct,
  macro: SymbolKind.Function,
  impl: SymbolKind.Class,
  package: SymbolKind.Package,
}
