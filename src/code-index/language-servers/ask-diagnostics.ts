/**
 * What a server finds wrong with a file, as it is or as it would be: another text is sent to the server as an edit of the
 * open document, which never reaches the disk and is taken back at once.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type LanguageServer, type ServerDiagnostic, ServerFailure } from './contract.ts'
import { byPlace, type DiagnosticShape, PulledDiagnostics, toLocation } from './protocol.ts'
import type { OpenServer } from './server-handle.ts'

/** A document that is open, and the text that the server has of it. */
export type OpenText = { path: string; uri: string; own: string }

const severities = ['error', 'warning', 'information', 'hint'] as const
const longestMessage = 2_000
/** An absolute path; those in the tree have lost its root. */
const elsewhere = /(?:^|[\s'"`(])(?:file:\/\/|\/[^\s/'"`]+\/|[A-Za-z]:[\\/])/
const pauseMs = 50
/** Some servers publish what they see at first glance, and the rest when they have thought about it. */
const calmMs = 1_500
/** One that says that it does nothing about the file may begin again at once, and does not think long. */
const calmWhenIdleMs = 200
const longestWaitMs = 15_000

/** In order of place. `text` null: the document as it is. Throws `ServerFailure`. */
export async function askDiagnostics(
  opened: OpenServer,
  server: Pick<LanguageServer, 'isAbsence'>,
  document: OpenText,
  text: string | null,
): Promise<ServerDiagnostic[]> {
  const { path, uri, own } = document
  try {
    if (text !== null) change(opened, document, text)
    const raw = await ask(opened, path, uri)
    return raw.map((one) => toDiagnostic(path, one, opened, server)).sort(byPlaceAndMessage)
  } finally {
    if (text !== null) change(opened, document, own)
  }
}

function change({ session, versions }: OpenServer, { path, uri }: OpenText, text: string): void {
  const version = (versions.get(path) ?? 1) + 1
  versions.set(path, version)
  session.published.delete(uri)
  session.notify('textDocument/didChange', {
    textDocument: { uri, version },
    contentChanges: [{ text }],
  })
}

async function ask({ session, versions }: OpenServer, path: string, uri: string) {
  const deadline = performance.now() + longestWaitMs
  while (!answersForFiles(session)) {
    // Published by itself: it counts once the server says no more.
    const said = session.published.get(uri)
    const isCurrent = said && (said.version === null || said.version === (versions.get(path) ?? 1))
    const idleSince = session.idleSince.get(uri) ?? 0
    const calm = said && idleSince >= said.at ? calmWhenIdleMs : calmMs
    if (isCurrent && performance.now() - Math.max(said.at, idleSince) >= calm) return said.diagnostics
    if (performance.now() >= deadline || session.endedWhy !== null)
      throw new ServerFailure('late', 'it published nothing about this file')
    await pause(pauseMs)
  }
  const answer = await session.request(
    'textDocument/diagnostic',
    { textDocument: { uri } },
    PulledDiagnostics,
  )
  return answer.items
}

/** Some say so at their start, others a little later. */
function answersForFiles({ capabilities, registered }: OpenServer['session']): boolean {
  return capabilities.diagnosticProvider !== undefined || registered.has('textDocument/diagnostic')
}

function toDiagnostic(
  path: string,
  { range, message: said, severity, code: name }: DiagnosticShape,
  { workspace }: OpenServer,
  { isAbsence }: Pick<LanguageServer, 'isAbsence'>,
): ServerDiagnostic {
  const code = name === undefined ? null : String(name)
  // The private folder has another name each time, and must not be shown.
  const message = said.replaceAll(`${workspace.root}/`, '').slice(0, longestMessage)
  return {
    ...toLocation(path, range),
    severity: severities[(severity ?? 1) - 1] ?? 'error',
    message,
    code,
    // What it makes of a file that is not of the tree must not be shown, but does not count as nothing wrong either.
    isAbsence: isAbsence({ code, message }) || elsewhere.test(message),
  }
}

function byPlaceAndMessage(a: ServerDiagnostic, b: ServerDiagnostic): number {
  return byPlace(a, b) || (a.message < b.message ? -1 : a.message > b.message ? 1 : 0)
}
