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
  type InitializeParams,
  LSPErrorCodes,
  MarkupKind,
  type PositionEncodingKind,
  type ProposedFeatures,
  type Range,
  ResponseError,
  TextDocumentSyncKind,
  type WorkspaceDiagnosticReport,
} from 'vscode-languageserver'
import { canonicalJson, sha256 } from '../base/canonical-json.ts'
import { UserError } from '../base/errors.ts'
import { packageVersion } from '../base/package-root.ts'
import { filePathOf } from '../base/places.ts'
import { remembered } from '../base/remembered.ts'
import { redactText } from '../base/secrets/redact.ts'
import { visibleText } from '../base/visible-text.ts'
import type { Finding } from '../domain/finding.ts'
import type { Review } from '../domain/review.ts'
import { abortable } from './abortable.ts'
import { AskedReviews } from './asked-reviews.ts'
import { actionsFor } from './code-actions.ts'
import { commands } from './command.ts'
import { runCommand } from './commands.ts'
import { type EditorSession, EditorSettings, type ReviewedTree } from './contract.ts'
import { serveCursor } from './cursor.ts'
import { diagnosticsOf, type ShownPlaces } from './diagnostics.ts'
import { editorWindow } from './editor-window.ts'
import { serveNavigation } from './navigation.ts'
import { type OpenDocument, openDocuments, realOrNull, textOnDisk } from './open-documents.ts'
import { chooseEncoding } from './positions.ts'
import { showProgress } from './progress.ts'
import { type OpenRepository, openRepositories, type Repositories, uriIn } from './repositories.ts'

type EditorConnection = ProposedFeatures.Connection | Connection

/** What the editor said of itself when it started. */
type Editor = {
  encoding: PositionEncodingKind
  /** It asks for diagnostics; else they are sent. */
  pulls: boolean
  hasConfiguration: boolean
  /** It tells of changes only who asked to be told. */
  registersConfiguration: boolean
  hasFolders: boolean
  watchesFiles: boolean
  showsProgress: boolean
  isVersioned: boolean
  opensPlaces: boolean
  showsMarkdown: boolean
  settings: EditorSettings
}

/** `close` ends all that runs. */
export function openEditorServer(
  session: EditorSession,
  connection: EditorConnection,
): { close(): Promise<void> } {
  let editor: Editor = editorOf({ processId: null, rootUri: null, capabilities: {} })
  let folders: string[] = []
  const documents = openDocuments(() => editor.encoding)
  /** By repository: what it shows. */
  const shown = new Map<OpenRepository, ReadonlyMap<string, Diagnostic[]>>()
  /** URIs with diagnostics that were sent. */
  const sent = new Map<OpenRepository, ReadonlySet<string>>()
  const asked = new Map<OpenRepository, AskedReviews>()
  let opened: Repositories | null = null

  const repositories = (): Repositories => {
    opened ??= openRepositories({
      session,
      documents: () => documents.all(),
      folders: () => folders,
      settingsOf: readSettings,
      watchesFiles: editor.watchesFiles,
      beginReview: () => showProgress(connection, editor.showsProgress),
      onReviewed: show,
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
    return report(shown.get(place.repository)?.get(place.path) ?? [], previousResultId)
  })

  connection.languages.diagnostics.onWorkspace(async ({ previousResultIds }, token) => {
    const before = new Map(previousResultIds.map(({ uri, value }) => [uri, value]))
    const items: WorkspaceDiagnosticReport['items'] = []
    for (const repository of repositories().all()) {
      await settled(repository, token)
      for (const [path, diagnostics] of shown.get(repository) ?? []) {
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
    const findings = findingsOf(repository)
    const mayProve = repository.settings.trusted && session.services.settings.sandbox.prove.allow
    return diagnosticsAt(repository, path, range).flatMap((diagnostic) => {
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
    settled: settledAt,
    diagnosticsAt,
    findingsOf,
    placesIn,
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
        ...{ asked: askedIn(repository), window, onEvent: progress.onEvent },
        ...{ path, text: documentAt(repository, path)?.text ?? textOnDisk(root, path) },
      })
      if (isRenewed) {
        show(repository, repository.latest.last)
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

  function show(repository: OpenRepository, reviewed: ReviewedTree | null): void {
    const found = new Map<string, Diagnostic[]>()
    for (const review of reviewsOf(repository, reviewed))
      for (const [path, diagnostics] of diagnosticsOf(review, placesIn(repository)))
        remembered(found, path, (): Diagnostic[] => []).push(...diagnostics)
    const before = shown.get(repository)
    shown.set(repository, found)
    if (!editor.pulls) send(repository, reviewed, found)
    else if (canonicalJson([...(before ?? [])]) !== canonicalJson([...found]))
      connection.languages.diagnostics.refresh()
  }

  /** All files with findings, open or not; those without are told so where they had some, or are open. */
  function send(
    repository: OpenRepository,
    reviewed: ReviewedTree | null,
    found: ReadonlyMap<string, Diagnostic[]>,
  ): void {
    const current = new Map(
      [...found].map(([path, diagnostics]) => [uriOf(repository, path), { path, diagnostics }]),
    )
    for (const path of reviewed?.versions.keys() ?? []) {
      const uri = uriOf(repository, path)
      if (!current.has(uri)) current.set(uri, { path, diagnostics: [] })
    }
    for (const [uri, { path, diagnostics }] of current) {
      const version = documentAt(repository, path)?.version
      void connection.sendDiagnostics({ uri, diagnostics, ...(version === undefined ? {} : { version }) })
    }
    for (const uri of sent.get(repository) ?? [])
      if (!current.has(uri)) void connection.sendDiagnostics({ uri, diagnostics: [] })
    sent.set(repository, new Set(current.keys()))
  }

  /** The latest review, and what is still there of those that were asked for. */
  function reviewsOf(repository: OpenRepository, reviewed: ReviewedTree | null): Review[] {
    if (!repository.settings.enabled) return []
    const latest = reviewed ? [reviewed.review] : []
    const known = new Set(latest.flatMap(({ findings }) => findings.map((one) => one.fingerprint)))
    const read = (path: string) => linesOf(documentAt(repository, path)?.text ?? null)
    return [...latest, ...(asked.get(repository)?.current(read, known) ?? [])]
  }

  /** By fingerprint. */
  function findingsOf(repository: OpenRepository): Map<string, Finding> {
    const reviews = reviewsOf(repository, repository.latest.last)
    return new Map(reviews.flatMap(({ findings }) => findings.map((one) => [one.fingerprint, one] as const)))
  }

  function askedIn(repository: OpenRepository): AskedReviews {
    return remembered(asked, repository, () => new AskedReviews())
  }

  function placesIn(repository: OpenRepository): ShownPlaces {
    return {
      encoding: editor.encoding,
      uriOf: (path) => uriOf(repository, path),
      textOf: (path) => documentAt(repository, path)?.text ?? null,
    }
  }

  function diagnosticsAt(repository: OpenRepository, path: string, { start, end }: Range): Diagnostic[] {
    const all = shown.get(repository)?.get(path) ?? []
    return all.filter(({ range }) => range.start.line <= end.line && start.line <= range.end.line)
  }

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

  /** As the editor calls it, where it is open. */
  function uriOf(repository: OpenRepository, path: string): string {
    return documentAt(repository, path)?.uri ?? uriIn(repository.root, path)
  }

  function documentAt({ root }: OpenRepository, path: string): OpenDocument | undefined {
    const file = filePathOf(uriIn(root, path))
    return documents.all().find((one) => one.file === file)
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

function editorOf({ capabilities, initializationOptions }: InitializeParams): Editor {
  const { general, textDocument, workspace, window } = capabilities
  return {
    encoding: chooseEncoding(general?.positionEncodings),
    // An editor that does not ask again after a review would show an old one.
    pulls: textDocument?.diagnostic !== undefined && workspace?.diagnostics?.refreshSupport === true,
    hasConfiguration: workspace?.configuration === true,
    registersConfiguration: workspace?.didChangeConfiguration?.dynamicRegistration === true,
    hasFolders: workspace?.workspaceFolders === true,
    watchesFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    showsProgress: window?.workDoneProgress === true,
    isVersioned: workspace?.workspaceEdit?.documentChanges === true,
    opensPlaces: window?.showDocument?.support === true,
    showsMarkdown: textDocument?.hover?.contentFormat?.includes(MarkupKind.Markdown) === true,
    settings: EditorSettings.parse(initializationOptions ?? {}),
  }
}

function foldersOf({ workspaceFolders, rootUri }: InitializeParams): string[] {
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : [])
  return uris.flatMap((uri) => folderOf(uri) ?? [])
}

function folderOf(uri: string): string | null {
  const folder = filePathOf(uri)
  return folder === null ? null : (realOrNull(folder) ?? folder)
}

function wordsOf(error: unknown): string {
  const known = error instanceof UserError ? error.report : null
  // It quotes paths, branches and what git said, as on a terminal.
  return visibleText(
    redactText(known ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))),
  )
}

function linesOf(text: string | null): string[] | null {
  return text === null ? null : text.split(/\r?\n/)
}
