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
  MessageType,
  type PositionEncodingKind,
  type ProposedFeatures,
  ResponseError,
  ShowMessageNotification,
  TextDocumentSyncKind,
  type WorkspaceDiagnosticReport,
} from 'vscode-languageserver'
import { canonicalJson, sha256 } from '../base/canonical-json.ts'
import { UserError } from '../base/errors.ts'
import { packageVersion } from '../base/package-root.ts'
import { filePathOf } from '../base/places.ts'
import { visibleText } from '../base/visible-text.ts'
import { actionsFor } from './code-actions.ts'
import { CommandArguments, commands, runCommand } from './commands.ts'
import { type EditorSession, EditorSettings, type ReviewedTree } from './contract.ts'
import { diagnosticsOf } from './diagnostics.ts'
import { type OpenDocument, openDocuments, realOrNull } from './open-documents.ts'
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
  hasFolders: boolean
  watchesFiles: boolean
  showsProgress: boolean
  isVersioned: boolean
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
    const { encoding: positionEncoding, pulls } = editor
    return {
      serverInfo: { name: 'sightline', version: packageVersion },
      capabilities: {
        positionEncoding,
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
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
    if (editor.hasConfiguration)
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
    const reviewed = place?.repository.latest.last
    if (!place || !document || reviewed?.versions.get(place.path) !== document.version) return []
    const { encoding, isVersioned } = editor
    const around = shown.get(place.repository)?.get(place.path) ?? []
    const findings = new Map(reviewed.review.findings.map((finding) => [finding.fingerprint, finding]))
    return around
      .filter(({ range: { start, end } }) => start.line <= range.end.line && range.start.line <= end.line)
      .flatMap((diagnostic) => {
        const finding = findings.get((diagnostic.data as { finding: string }).finding)
        return finding ? actionsFor(finding, diagnostic, { document, encoding, isVersioned }) : []
      })
  })

  connection.onExecuteCommand(async ({ command, arguments: [first] = [] }, token) => {
    const asked = CommandArguments.safeParse(first)
    const place = asked.success ? repositories().of(asked.data.uri) : null
    if (!asked.success || place === null)
      throw new ResponseError(ErrorCodes.InvalidParams, `${command} needs the uri and the finding.`)
    const { repository } = place
    const { root, workTree, settings, signal } = repository
    const reviewed = await settled(repository, token)
    if (reviewed === null) throw new ResponseError(ErrorCodes.InvalidRequest, 'Nothing was reviewed yet.')
    try {
      const words = await runCommand(command, asked.data, {
        session,
        root,
        workTree,
        settings,
        reviewed,
        signal,
      })
      if (command !== commands.explain) repository.latest.renew()
      // As a message: a request would wait until somebody closes it.
      else
        void connection.sendNotification(ShowMessageNotification.type, {
          type: MessageType.Info,
          message: words,
        })
      return words
    } catch (error) {
      if (error instanceof UserError) throw new ResponseError(ErrorCodes.InvalidRequest, wordsOf(error))
      throw error
    }
  })

  return { close: async () => await opened?.close() }

  function show(repository: OpenRepository, reviewed: ReviewedTree | null): void {
    const places = {
      encoding: editor.encoding,
      uriOf: (path: string) => uriOf(repository, path),
      textOf: (path: string) => documentAt(repository, path)?.text ?? null,
    }
    const found = reviewed ? diagnosticsOf(reviewed.review, places) : new Map<string, Diagnostic[]>()
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
    hasFolders: workspace?.workspaceFolders === true,
    watchesFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    showsProgress: window?.workDoneProgress === true,
    isVersioned: workspace?.workspaceEdit?.documentChanges === true,
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
  if (error instanceof UserError) return visibleText(error.report)
  return visibleText(error instanceof Error ? (error.stack ?? error.message) : String(error))
}
