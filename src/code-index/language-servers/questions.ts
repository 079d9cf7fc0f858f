/** What one server is asked, and how its answers become ours. All of these throw `ServerFailure` for no answer. */
import { byPlace } from '../query/callers.ts'
import { askDiagnostics } from './ask-diagnostics.ts'
import {
  type Limits,
  type Location,
  type Position,
  type Readiness,
  type ServerAnswer,
  type ServerCaller,
  type ServerDiagnostic,
  ServerFailure,
  type ServerSymbol,
} from './contract.ts'
import {
  DocumentSymbols,
  Hover,
  inOrder,
  Locations,
  symbolAround,
  toLocation,
  toLocations,
  toSymbols,
  WorkspaceSymbols,
} from './protocol.ts'
import type { OpenServer, ServerHandle } from './server-handle.ts'
import { settle } from './settle.ts'

type Answer<Found> = Omit<ServerAnswer<Found>, 'source'>
type Read<Found> = { found: Found[]; outside: number }

/** What a file defines is in its text; no project has to be read for it. */
const ofTextAlone: Readiness = { awaitsProgress: false, graceMs: 0, agreeing: 1 }

/** Past this an answer is cut, and called incomplete. */
const mostFound = 50_000
const longestType = 2_000

export function questions({ settleMs, graceMs }: Pick<Limits, 'settleMs' | 'graceMs'>) {
  const once = <Found>(
    handle: ServerHandle,
    ask: (opened: OpenServer) => Promise<Read<Found>>,
    readiness: Readiness = handle.server.readiness,
  ): Promise<Answer<Found>> =>
    handle.ask(async (opened) => {
      const { answer, complete, why } = await settle(
        () => ask(opened),
        opened.session.progress,
        { ...readiness, graceMs: Math.min(readiness.graceMs, graceMs) },
        settleMs,
      )
      const { found, outside } = answer
      if (found.length > mostFound) return incomplete(found.slice(0, mostFound), outside, 'it was cut')
      return complete
        ? { state: 'complete', why: null, found, outside }
        : incomplete(found, outside, why ?? 'it was not ready')
    })

  const atPlace = (
    handle: ServerHandle,
    method: string,
    place: Position,
    more: object,
    readiness = handle.server.readiness,
  ): Promise<Answer<Location>> =>
    once(
      handle,
      async (opened) => {
        const textDocument = await documentOf(handle, opened, place.path)
        const position = { line: place.line - 1, character: place.column }
        const answer = await opened.session.request(method, { textDocument, position, ...more }, Locations)
        return toLocations(answer, opened.workspace)
      },
      readiness,
    )

  return {
    references: async (handle: ServerHandle, place: Position): Promise<Answer<Location>> => {
      const context = { includeDeclaration: handle.server.importsAreDeclarations }
      const answer = await atPlace(handle, 'textDocument/references', place, { context })
      return { ...answer, found: answer.found.filter((one) => !holds(one, place)) }
    },

    definition: (handle: ServerHandle, place: Position) =>
      // One file and what it imports tell that: no second answer is needed.
      atPlace(handle, 'textDocument/definition', place, {}, { ...handle.server.readiness, agreeing: 1 }),

    symbols: (handle: ServerHandle, path: string): Promise<Answer<ServerSymbol>> =>
      once(
        handle,
        async (opened) => {
          const textDocument = await documentOf(handle, opened, path)
          const answer = await opened.session.request(
            'textDocument/documentSymbol',
            { textDocument },
            DocumentSymbols,
          )
          return { found: toSymbols(path, answer), outside: 0 }
        },
        ofTextAlone,
      ),

    symbolsNamed: (handle: ServerHandle, name: string): Promise<Answer<ServerSymbol>> =>
      once(handle, async ({ session, workspace }) => {
        const answer = await session.request('workspace/symbol', { query: name }, WorkspaceSymbols)
        const named = answer.filter((one) => one.name === name || one.name === `${name}()`)
        const found = named.flatMap(({ kind, containerName, location: { uri, range } }): ServerSymbol[] => {
          const path = workspace.pathOf(uri)
          if (path === null || !range) return []
          const { line, column, endLine } = toLocation(path, range)
          return [{ path, line, column, name, scope: containerName ?? '', kind, startLine: line, endLine }]
        })
        return { found: inOrder(found), outside: named.length - found.length }
      }),

    diagnostics: (
      handle: ServerHandle,
      path: string,
      text: string | null,
    ): Promise<Answer<ServerDiagnostic>> =>
      once(
        handle,
        async (opened) => {
          const { uri } = await documentOf(handle, opened, path)
          const own = text === null ? '' : ((await handle.textOf(path)) ?? '')
          return { found: await askDiagnostics(opened, handle.server, { path, uri, own }, text), outside: 0 }
        },
        // By the time another text is shown, all the rest was read; each further answer would be an edit more.
        text === null ? handle.server.readiness : { ...handle.server.readiness, agreeing: 1 },
      ),

    type: (handle: ServerHandle, place: Position): Promise<Answer<string>> =>
      once(
        handle,
        async (opened) => {
          const textDocument = await documentOf(handle, opened, place.path)
          const position = { line: place.line - 1, character: place.column }
          const said = await opened.session.request('textDocument/hover', { textDocument, position }, Hover)
          return { found: said === null ? [] : [said.slice(0, longestType)], outside: 0 }
        },
        { ...handle.server.readiness, agreeing: 1 },
      ),
  }
}

/** Opens the document first, since some servers know only open ones. */
async function documentOf(handle: ServerHandle, opened: OpenServer, path: string): Promise<{ uri: string }> {
  if (!(await handle.open(opened, path)))
    throw new ServerFailure('refused', 'the server does not see this file')
  return { uri: opened.workspace.uriOf(path) }
}

function holds({ path, line, column, endLine, endColumn }: Location, place: Position): boolean {
  if (path !== place.path || line !== place.line || column > place.column) return false
  return endLine > line || endColumn > place.column
}

function incomplete<Found>(found: Found[], outside: number, why: string): Answer<Found> {
  return { state: 'incomplete', why, found, outside }
}

// Callers from references: each use belongs to the innermost definition that the server lists around it.

/** Files whose symbols are asked for; uses in further ones count for the top level of their file. */
const mostFiles = 200

/** In order of path and line. Incomplete when either part is. Throws what the two questions throw. */
export async function askCallers(
  references: () => Promise<Answer<Location>>,
  symbols: (path: string) => Promise<Answer<ServerSymbol>>,
): Promise<Answer<ServerCaller>> {
  const { found: uses, ...rest } = await references()
  const found: ServerCaller[] = []
  let { state, why } = rest
  let files = 0
  for (const [path, all] of Map.groupBy(uses, (use) => use.path)) {
    const isPast = ++files > mostFiles
    const listed = isPast ? null : await symbols(path)
    if (isPast || listed?.state === 'incomplete') {
      state = 'incomplete'
      why ??= isPast ? `it is used in more than ${mostFiles} files` : (listed?.why ?? null)
    }
    const around = Map.groupBy(all, (use) => symbolAround(listed?.found ?? [], use))
    for (const [symbol, own] of around) found.push({ path, symbol, uses: own })
  }
  return { ...rest, state, why, found: found.sort(byPlace) }
}
