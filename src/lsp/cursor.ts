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
import { UserError } from '../base/errors.ts'
import type { Finding } from '../domain/finding.ts'
import { abortable } from './abortable.ts'
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
  const place = parts.at(uri)
  if (!reviewed || !place) return null
  const { repository, path } = place
  const hasFinding = parts.diagnosticsAt(repository, path, { start: position, end: position }).length > 0
  if (!hasFinding && !reviewed.review.files.some((file) => file.path === path)) return null
  const { root, workTree, settings } = repository
  const { signal } = abortable(repository.signal, token)
  const asked = { path, line: position.line + 1, hasFinding }
  try {
    const { session } = parts
    const facts = await symbolFacts({ session, root, workTree, settings, reviewed, signal }, asked)
    const { uriOf } = parts.placesIn(repository)
    return facts && hoverOf(facts, { isMarkdown: parts.showsMarkdown(), uriOf })
  } catch (error) {
    if (signal.aborted) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'It was cancelled.')
    // What cannot be collected has nothing to be said about; the review says why.
    if (error instanceof UserError) return null
    throw error
  }
}
