/** An editor for tests: a client of the protocol that talks to our server in this process, over streams. */
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import {
  type ClientCapabilities,
  type CodeAction,
  CodeActionRequest,
  type CodeLens,
  CodeLensRequest,
  CodeLensResolveRequest,
  ConfigurationRequest,
  createProtocolConnection,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  DocumentDiagnosticRequest,
  ExecuteCommandRequest,
  ExitNotification,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  MarkupContent,
  MarkupKind,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  RegistrationRequest,
  type ShowDocumentParams,
  ShowDocumentRequest,
  ShowMessageNotification,
  ShowMessageRequest,
  ShutdownRequest,
  type TextDocumentContentChangeEvent,
  WorkspaceDiagnosticRequest,
} from 'vscode-languageserver-protocol/node'
import { prepareModels } from '../../src/assembly/open-models.ts'
import { openServices } from '../../src/assembly/services.ts'
import { serveEditor } from '../../src/lsp/server.ts'
import { Traffic } from './editor-traffic.ts'
import { temporaryFolder } from './git-repo.ts'
import { sharedFacts } from './shared-facts.ts'
import { environment } from './sightline.ts'

export type EditorOptions = {
  /** Asks for diagnostics instead of being sent them. */
  pulls?: boolean
  encodings?: string[]
  settings?: object
  /** What it answers to `workspace/configuration`. */
  configuration?: object
  isTrusted?: boolean
  /** Of the workspace, besides the first. */
  folders?: string[]
  /** Where state is kept; a fresh folder when not given. */
  home?: string
  /** Besides those without any model. */
  environment?: NodeJS.ProcessEnv
  /** The person's answers to questions, by what they begin with; no answer to others. */
  answers?: (question: string) => string | null
  /** Opens places that it is told. */
  opensPlaces?: boolean
  /** Else hovers are plain text. */
  showsMarkdown?: boolean
}

/** Of every editor that was started in this process. */
export const traffics: Traffic[] = []

export class Editor {
  readonly published = new Map<string, PublishDiagnosticsParams>()
  readonly messages: string[] = []
  /** What the person was asked, and the places that were opened. */
  readonly questions: string[] = []
  readonly opened: ShowDocumentParams[] = []
  readonly connection: ReturnType<typeof createProtocolConnection>
  readonly folder: string
  capabilities: InitializeResult['capabilities'] = {}
  private readonly versions = new Map<string, number>()
  private heard: () => void = () => {}

  constructor(folder: string, connection: ReturnType<typeof createProtocolConnection>) {
    this.folder = folder
    this.connection = connection
    connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
      this.published.set(params.uri, params)
      this.heard()
    })
    connection.onNotification(ShowMessageNotification.type, ({ message }) => void this.messages.push(message))
  }

  uri(path: string): string {
    return pathToFileURL(join(this.folder, path)).href
  }

  async open(path: string, text: string): Promise<void> {
    this.versions.set(path, 1)
    const textDocument = { uri: this.uri(path), languageId: 'typescript', version: 1, text }
    await this.connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument })
  }

  async edit(path: string, ...contentChanges: TextDocumentContentChangeEvent[]): Promise<void> {
    const textDocument = { uri: this.uri(path), version: this.nextVersion(path) }
    await this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument,
      contentChanges,
    })
  }

  async saved(path: string): Promise<void> {
    const textDocument = { uri: this.uri(path) }
    await this.connection.sendNotification(DidSaveTextDocumentNotification.type, { textDocument })
  }

  async shut(path: string): Promise<void> {
    const textDocument = { uri: this.uri(path) }
    await this.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument })
  }

  /** Of the current version of an open document. */
  async sent(
    path: string,
    until: (diagnostics: Diagnostic[]) => boolean = () => true,
  ): Promise<Diagnostic[]> {
    for (;;) {
      const last = this.published.get(this.uri(path))
      if (last && last.version === this.versions.get(path) && until(last.diagnostics)) return last.diagnostics
      await new Promise<void>((resolve) => {
        this.heard = resolve
      })
    }
  }

  async pull(path: string): Promise<Diagnostic[]> {
    const textDocument = { uri: this.uri(path) }
    const answer = await this.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument })
    return answer.kind === 'full' ? answer.items : []
  }

  /** Of all files of the workspace, by URI. */
  async pullAll(): Promise<Map<string, Diagnostic[]>> {
    const { items } = await this.connection.sendRequest(WorkspaceDiagnosticRequest.type, {
      previousResultIds: [],
    })
    return new Map(items.map((one) => [one.uri, one.kind === 'full' ? one.items : []]))
  }

  async actions(path: string, diagnostic: Diagnostic): Promise<CodeAction[]> {
    const answer = await this.connection.sendRequest(CodeActionRequest.type, {
      textDocument: { uri: this.uri(path) },
      range: diagnostic.range,
      context: { diagnostics: [diagnostic] },
    })
    return (answer ?? []) as CodeAction[]
  }

  /** In Markdown; null where nothing is shown. */
  async hover(path: string, line: number, character = 0): Promise<string | null> {
    const params = { textDocument: { uri: this.uri(path) }, position: { line, character } }
    const answer = await this.connection.sendRequest(HoverRequest.type, params)
    return answer && MarkupContent.is(answer.contents) ? answer.contents.value : null
  }

  /** With their commands. */
  async lenses(path: string): Promise<CodeLens[]> {
    const textDocument = { uri: this.uri(path) }
    const found = (await this.connection.sendRequest(CodeLensRequest.type, { textDocument })) ?? []
    return await Promise.all(
      found.map((lens) => this.connection.sendRequest(CodeLensResolveRequest.type, lens)),
    )
  }

  async run({ command }: Pick<CodeAction, 'command'>, more: object = {}): Promise<unknown> {
    const [first] = command?.arguments ?? []
    return await this.connection.sendRequest(ExecuteCommandRequest.type, {
      command: command?.command ?? '',
      arguments: [{ ...first, ...more }],
    })
  }

  private nextVersion(path: string): number {
    const version = (this.versions.get(path) ?? 0) + 1
    this.versions.set(path, version)
    return version
  }
}

export async function startEditor(folder: string, options: EditorOptions = {}): Promise<Editor> {
  const { pulls = false, encodings, settings, configuration, isTrusted = true, folders = [] } = options
  const {
    home = temporaryFolder(),
    answers = () => null,
    opensPlaces = false,
    showsMarkdown = true,
  } = options
  const [toServer, toClient] = [new PassThrough(), new PassThrough()]
  const services = await openServices({
    environment: environment({
      HOME: home,
      XDG_STATE_HOME: home,
      XDG_CONFIG_HOME: home,
      ...options.environment,
    }),
    cacheFolder: null,
    facts: sharedFacts(),
  })
  const models = prepareModels({}, services, 'offline')
  const by = { kind: 'person', name: 'ada' } as const
  const served = serveEditor({ services, models, isTrusted, by }, toServer, toClient)
  const connection = createProtocolConnection(toClient, toServer)
  const editor = new Editor(folder, connection)
  connection.onRequest(ConfigurationRequest.type, ({ items }) => items.map(() => configuration ?? null))
  connection.onRequest(RegistrationRequest.type, () => {})
  connection.onRequest('workspace/diagnostic/refresh', () => null)
  connection.onRequest(ShowMessageRequest.type, ({ message, actions = [] }) => {
    editor.questions.push(message)
    return actions.find(({ title }) => title === answers(message)) ?? null
  })
  connection.onRequest(ShowDocumentRequest.type, (params) => {
    editor.opened.push(params)
    return { success: true }
  })
  const traffic = new Traffic()
  traffics.push(traffic)
  toServer.on('data', (bytes: Buffer) => traffic.ofEditor(bytes))
  toClient.on('data', (bytes: Buffer) => traffic.ofServer(bytes))
  connection.listen()
  onTestFinished(async () => {
    await connection.sendRequest(ShutdownRequest.type)
    await connection.sendNotification(ExitNotification.type)
    await served
    connection.dispose()
    await services.close()
  })
  const capabilities: ClientCapabilities = {
    ...(encodings ? { general: { positionEncodings: encodings } } : {}),
    textDocument: {
      ...(pulls ? { diagnostic: {} } : {}),
      hover: { contentFormat: [...(showsMarkdown ? [MarkupKind.Markdown] : []), MarkupKind.PlainText] },
    },
    window: { showDocument: { support: opensPlaces } },
    workspace: {
      ...(pulls ? { diagnostics: { refreshSupport: true } } : {}),
      configuration: configuration !== undefined,
      workspaceEdit: { documentChanges: true },
      workspaceFolders: true,
    },
  }
  const answer = await connection.sendRequest(InitializeRequest.type, {
    processId: null,
    rootUri: null,
    workspaceFolders: [folder, ...folders].map((one) => ({ uri: pathToFileURL(one).href, name: one })),
    capabilities,
    initializationOptions: settings,
  })
  editor.capabilities = answer.capabilities
  await connection.sendNotification(InitializedNotification.type, {})
  return editor
}
