/** What an editor asks about a place: facts about a changed definition, and uses that were not updated. Nothing runs before it asks. */
import {
  type CancellationToken,
  type Connection,
  type Diagnostic,
  type Hover,
  LSPErrorCodes,
  type Position,
  type Range,
  ResponseError,
} from 'vscode-languageserver'
import type { Finding } from '../domain/finding.ts'
import { abortable, unlessAborted } from './abortable.ts'
import type { EditorSession, ReviewedTree } from './contract.ts'
import { rangesIn, type ShownPlaces } from './diagnostics.ts'
import { hoverOf } from './hover.ts'
import { lensesOf, staleUses, withCommand } from './lenses.ts'
import type { OpenDocument } from './open-documents.ts'
import type { OpenRepository } from './repositories.ts'
import { symbolFacts } from './symbol-facts.ts'

type Place = { repository: OpenRepository; path: string; document: OpenDocument }

/** What the server knows. */
export type CursorParts = {
  session: EditorSession
  /** Null for a document that is not open, or whose text was not reviewed yet. */
  at(uri: string): Place | null
  /** Resolves once nothing changes any more. */
  settled(uri: string, token: CancellationToken): Promise<ReviewedTree | null>
  diagnosticsAt(repository: OpenRepository, path: string, range: Range): Diagnostic[]
  /** By fingerprint. */
  findingsOf(repository: OpenRepository): ReadonlyMap<string, Finding>
  placesIn(repository: OpenRepository): ShownPlaces
  showsMarkdown(): boolean
}

export function serveCursor(connection: Connection, parts: CursorParts): void {
  connection.onHover(({ textDocument: { uri }, position }, token) => hover(parts, uri, position, token))

  connection.onCodeLens(async ({ textDocument: { uri } }, token) => {
    await parts.settled(uri, token)
    const place = parts.at(uri)
    if (!place) return []
    const findings = [...parts.findingsOf(place.repository).values()]
    const own = findings.filter(({ anchor }) => anchor.path === place.path)
    return lensesOf(own, place.document, parts.placesIn(place.repository).encoding)
  })

  connection.onCodeLensResolve((lens) => {
    const { uri, finding: name } = lens.data as { uri: string; finding: string }
    const place = parts.at(uri)
    const finding = place && parts.findingsOf(place.repository).get(name)
    // The text has changed since: the editor asks for others.
    if (!place || !finding) throw new ResponseError(LSPErrorCodes.ContentModified, 'The text has changed.')
    const places = parts.placesIn(place.repository)
    const rangeOf = rangesIn(places)
    const locations = staleUses(finding).map(({ path, line }) => ({
      uri: places.uriOf(path),
      range: rangeOf(path, line, line),
    }))
    return withCommand(lens, finding, locations)
  })
}

async function hover(
  parts: CursorParts,
  uri: string,
  position: Position,
  token: CancellationToken,
): Promise<Hover | null> {
  const reviewed = await parts.settled(uri, token)
  const at = parts.at(uri)
  if (!reviewed || !at) return null
  const { repository, path } = at
  const hasFinding = parts.diagnosticsAt(repository, path, { start: position, end: position }).length > 0
  if (!hasFinding && !reviewed.review.files.some((file) => file.path === path)) return null
  const { root, workTree, settings } = repository
  const { signal } = abortable(repository.signal, token)
  const asked = { path, line: position.line + 1, hasFinding }
  const { session } = parts
  const place = { session, root, workTree, settings, reviewed, signal }
  const facts = await unlessAborted(signal, symbolFacts(place, asked))
  const { uriOf } = parts.placesIn(repository)
  return facts && hoverOf(facts, { isMarkdown: parts.showsMarkdown(), uriOf })
}
