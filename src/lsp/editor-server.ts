/** What the editor asks and says, and what it is told: each message of the protocol that we take part in. */

import {
  type CancellationToken,
  CodeActionKind,
  type Connection,
  type Diagnostic,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
  ErrorCodes,
  LSPErrorCodes,
  type ProposedFeatures,
  ResponseError,
  TextDocumentSyncKind,
  type WorkspaceDiagnosticReport,
} from 'vscode-languageserver'
import { canonicalJson, sha256 } from '../base/canonical-json.ts'
import { UserError } from '../base/errors.ts'
import { packageVersion } from '../base/package-root.ts'
import { redactText } from '../base/secrets/redact.ts'
import { visibleText } from '../base/visible-text.ts'
import { abortable } from './abortable.ts'
import { actionsFor } from './code-actions.ts'
import { commands } from './command.ts'
import { runCommand } from './commands.ts'
import { type EditorSession, EditorSettings, type ReviewedTree } from './contract.ts'
import { serveCursor } from './cursor.ts'
import { type Editor, editorOf, folderOf, foldersOf } from './editor.ts'
import { editorWindow } from './editor-window.ts'
import { serveNavigation } from './navigation.ts'
import { type OpenDocument, openDocuments, textOnDisk } from './open-documents.ts'
import { showProgress } from './progress.ts'
import { type OpenRepository, openRepositories, type Repositories, uriIn } from './repositories.ts'
import { showReviews } from './shown-reviews.ts'

type EditorConnection = ProposedFeatures.Connection | Connection

/** `close` ends all that runs. */
export function openEditorServer(
  session: EditorSession,
  connection: EditorConnection,
): { close(): Promise<void> } {
  let editor: Editor = editorOf({ processId: null, rootUri: null, capabilities: {} })
  let folders: string[] = []
  const documents = openDocuments(() => editor.encoding)
  const reviews = showReviews({ connection, documents, editor: () => editor })
  const { documentAt, uriOf } = reviews
  let opened: Repositories | null = null

  const repositories = (): Repositories => {
    opened ??= openRepositories({
      session,
      documents: () => documents.all(),
      folders: () => folders,
      settingsOf: readSettings,
      watchesFiles: editor.watchesFiles,
      beginReview: () => showProgress(connection, editor.showsProgress),
      onReviewed: reviews.show,
      onFailure: (_root, error) => connection.console.error(wordsOf(error)),
    })
    return opened
  }

  connection.onInitialize((params) => {
    editor = editorOf(params)
    folders = foldersOf(params)
    const { encoding: positionEncoding, pulls, settings } = editor
    const navigates = settings.navigation.length > 0
    return {
      serverInfo: { name: 'sightline', version: packageVersion },
      capabilities: {
        positionEncoding,
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        codeLensProvider: { resolveProvider: true },
        hoverProvider: true,
        ...(navigates ? { referencesProvider: true, callHierarchyProvider: true } : {}),
        executeCommandProvider: { commands: Object.values(commands) },
        ...(pulls
          ? {
              diagnosticProvider: {
                identifier: 'sightline',
                interFileDependencies: true,
                workspaceDiagnostics: true,
              },
            }
          : {}),
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    }
  })

  connection.onInitialized(() => {
    const { client } = connection
    const all = [{ globPattern: '**/*' }]
    if (editor.watchesFiles)
      void client.register(DidChangeWatchedFilesNotification.type, { watchers: all }).catch(() => {})
    if (editor.registersConfiguration)
      void client.register(DidChangeConfigurationNotification.type, { section: 'sightline' }).catch(() => {})
    if (editor.hasFolders)
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const gone = new Set(removed.map(({ uri }) => folderOf(uri)))
        folders = [
          ...folders.filter((one) => !gone.has(one)),
          ...added.flatMap(({ uri }) => folderOf(uri) ?? []),
        ]
        repositories().renewAll()
      })
  })

  documents.onDidChangeContent(({ document }) => repositories().renewFor(document.uri, !document.isEdited))
  documents.onDidSave(({ document }) => repositories().renewFor(document.uri, true))
  documents.onDidClose(({ document }) => repositories().renewFor(document.uri, true))
  documents.listen(connection)
  connection.onDidChangeWatchedFiles(() => repositories().renewAll())
  connection.onDidChangeConfiguration(() => repositories().renewAll())

  connection.languages.diagnostics.on(async ({ textDocument: { uri }, previousResultId }, token) => {
    const place = repositories().of(uri)
    if (place === null) return report([], previousResultId)
    await settled(place.repository, token)
    return report(reviews.diagnosticsIn(place.repository).get(place.path) ?? [], previousResultId)
  })

  connection.languages.diagnostics.onWorkspace(async ({ previousResultIds }, token) => {
    const before = new Map(previousResultIds.map(({ uri, value }) => [uri, value]))
    const items: WorkspaceDiagnosticReport['items'] = []
    for (const repository of repositories().all()) {
      await settled(repository, token)
      for (const [path, diagnostics] of reviews.diagnosticsIn(repository)) {
        const uri = uriOf(repository, path)
        const version = documentAt(repository, path)?.version ?? null
        items.push({ uri, version, ...report(diagnostics, before.get(uri)) })
        before.delete(uri)
      }
    }
    for (const [uri, value] of before) items.push({ uri, version: null, ...report([], value) })
    return { items }
  })

  connection.onCodeAction(({ textDocument: { uri }, range }) => {
    const place = repositories().of(uri)
    const document = documents.get(uri)
    if (!place || !document || !isReviewed(place.repository, place.path, document)) return []
    const { repository, path } = place
    const { encoding, isVersioned } = editor
    const findings = reviews.findingsOf(repository)
    const mayProve = repository.settings.trusted && session.services.settings.sandbox.prove.allow
    return reviews.diagnosticsAt(repository, path, range).flatMap((diagnostic) => {
      const { finding: name } = diagnostic.data as { finding: string }
      const finding = findings.get(name)
      return finding ? actionsFor(finding, diagnostic, { document, encoding, isVersioned, mayProve }) : []
    })
  })

  serveCursor(connection, {
    at(uri) {
      const place = repositories().of(uri)
      const document = documents.get(uri)
      if (!place || !document || !isReviewed(place.repository, place.path, document)) return null
      return { ...place, document }
    },
    ...reviews,
    settled: settledAt,
    session,
    showsMarkdown: () => editor.showsMarkdown,
  })

  serveNavigation(connection, {
    session,
    languages: () => editor.settings.navigation,
    repositoryOf: (uri) => repositories().of(uri),
    settled: settledAt,
    uriOf,
    encoding: () => editor.encoding,
  })

  connection.onExecuteCommand(async ({ command, arguments: [first] = [] }, token) => {
    const uri = (first as { uri?: unknown } | undefined)?.uri
    const place = typeof uri === 'string' ? repositories().of(uri) : null
    if (place === null)
      throw new ResponseError(ErrorCodes.InvalidParams, `${command} needs the uri of a file.`)
    const { repository, path } = place
    const { root, workTree } = repository
    const reviewed = await settled(repository, token)
    const { signal, end } = abortable(repository.signal, token)
    const progress = showProgress(connection, editor.showsProgress, end)
    const { opensPlaces } = editor
    const window = editorWindow(connection, { opensPlaces, uriOf: (one) => uriOf(repository, one) })
    try {
      const { words, isSaid, isRenewed } = await runCommand(command, first, {
        ...{ session, root, workTree, settings: repository.settings, reviewed, signal },
        ...{ asked: reviews.askedIn(repository), window, onEvent: progress.onEvent },
        ...{ path, text: documentAt(repository, path)?.text ?? textOnDisk(root, path) },
      })
      if (isRenewed) {
        reviews.show(repository, repository.latest.last)
        repository.latest.renew()
      }
      if (isSaid) window.say(words)
      return words
    } catch (error) {
      if (signal.aborted) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'It was cancelled.')
      if (error instanceof UserError) throw new ResponseError(ErrorCodes.InvalidRequest, wordsOf(error))
      throw error
    } finally {
      progress.end()
    }
  })

  return { close: async () => await opened?.close() }

  /** False while what is shown is of another version of the text. */
  function isReviewed({ latest }: OpenRepository, path: string, { version }: OpenDocument): boolean {
    const known = latest.last?.versions.get(path)
    return known === undefined ? latest.last === null : known === version
  }

  async function settledAt(uri: string, token: CancellationToken): Promise<ReviewedTree | null> {
    const place = repositories().of(uri)
    return place && (await settled(place.repository, token))
  }

  /** The latest review, once nothing changes any more. */
  async function settled(repository: OpenRepository, token: CancellationToken): Promise<ReviewedTree | null> {
    const error = new ResponseError(LSPErrorCodes.RequestCancelled, 'It was cancelled.')
    // One that came cancelled does not say so again.
    if (token.isCancellationRequested) throw error
    const cancelled = new Promise<never>((_, reject) => token.onCancellationRequested(() => reject(error)))
    return await Promise.race([repository.latest.settled(), cancelled])
  }

  async function readSettings(root: string): Promise<EditorSettings> {
    const { settings: first, hasConfiguration } = editor
    const item = { scopeUri: uriIn(root, ''), section: 'sightline' }
    const said: unknown = hasConfiguration ? await connection.workspace.getConfiguration(item) : {}
    const later = EditorSettings.parse(said ?? {})
    return {
      enabled: first.enabled && later.enabled,
      trusted: session.isTrusted && first.trusted && later.trusted,
      minSeverity: later.minSeverity ?? first.minSeverity,
      navigation: first.navigation,
    }
  }
}

function report(items: Diagnostic[], previousResultId: string | undefined): DocumentDiagnosticReport {
  const resultId = sha256(canonicalJson(items)).slice(0, 16)
  return resultId === previousResultId
    ? { kind: DocumentDiagnosticReportKind.Unchanged, resultId }
    : { kind: DocumentDiagnosticReportKind.Full, resultId, items }
}

function wordsOf(error: unknown): string {
  const known = error instanceof UserError ? error.report : null
  // It quotes paths, branches and what git said, as on a terminal.
  return visibleText(
    redactText(known ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))),
  )
}
