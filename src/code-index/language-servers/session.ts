/** One conversation with one server process: handshake, requests with deadlines, documents, and its end. */
import { Transform, type TransformCallback } from 'node:stream'
import { pathToFileURL } from 'node:url'
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node'
import { z } from 'zod'
import { packageVersion } from '../../base/package-root.ts'
import { type LanguageServer, type Limits, ServerFailure } from './contract.ts'
import { FileStatus, Initialized, type Published, PublishedDiagnostics } from './protocol.ts'
import type { ServerProcess } from './server-process.ts'
import { Progress } from './settle.ts'

const silent = { error() {}, warn() {}, info() {}, log() {} }
/** After this many requests in a row without an answer in time, it is taken for hanging. */
const mostLate = 3

export class Session {
  readonly progress = new Progress()
  /** The latest that the server published by itself, by URI. */
  readonly published = new Map<string, Published>()
  /** Since when it does nothing about a file, by URI, as far as it says so; of `performance.now()`. */
  readonly idleSince = new Map<string, number>()
  capabilities: Readonly<Record<string, unknown>> = {}
  /** Methods that the server offered after its start. */
  readonly registered = new Set<string>()
  version: string | null = null
  private readonly process: ServerProcess
  private readonly connection: MessageConnection
  private readonly guard: FrameGuard
  private readonly limits: Limits
  private readonly waiting = new Set<(failure: ServerFailure) => void>()
  private over: ServerFailure | null = null
  private late = 0

  private constructor(process: ServerProcess, server: LanguageServer, { root }: Surrounded, limits: Limits) {
    this.process = process
    this.limits = limits
    this.guard = new FrameGuard(limits.turnBytes)
    const fail = (error: Error) => this.end(error.message)
    process.output.once('error', fail)
    this.guard.once('error', fail)
    process.output.pipe(this.guard)
    void process.ended.then((why) => this.end(why))
    this.connection = createMessageConnection(
      new StreamMessageReader(this.guard),
      new StreamMessageWriter(process.input),
      silent,
    )
    this.connection.onError(() => this.end('it spoke out of turn'))
    answerServer(this.connection, {
      server,
      folder: root,
      progress: this.progress,
      published: this.published,
      idleSince: this.idleSince,
      register: (method) => this.registered.add(method),
    })
    this.connection.listen()
  }

  /** Throws `ServerFailure` when it does not start; the process has ended then. */
  static async start(
    process: ServerProcess,
    server: LanguageServer,
    around: Surrounded,
    limits: Limits,
  ): Promise<Session> {
    const session = new Session(process, server, around, limits)
    try {
      const answer = await session.request(
        'initialize',
        handshake(around, server),
        Initialized,
        limits.initializeMs,
      )
      session.capabilities = answer.capabilities
      session.version = answer.serverInfo?.version ?? null
      session.notify('initialized', {})
      return session
    } catch (error) {
      session.end(error instanceof Error ? error.message : String(error))
      throw error
    }
  }

  /** Null while it can be asked. */
  get endedWhy(): string | null {
    return this.over?.message ?? null
  }

  get peakBytes(): number | null {
    return this.process.peakBytes()
  }

  /** Throws `ServerFailure`. */
  async request<Shape extends z.ZodType>(
    method: string,
    parameters: object,
    shape: Shape,
    withinMs = this.limits.requestMs,
  ): Promise<z.output<Shape>> {
    const raw = await this.ask(method, parameters, withinMs)
    const read = shape.safeParse(raw)
    if (!read.success) throw new ServerFailure('refused', `its answer to ${method} is not of the protocol`)
    return read.data
  }

  notify(method: string, parameters: object): void {
    if (this.over) return
    this.connection.sendNotification(method, parameters).catch(() => {})
  }

  /** Kills it: nothing that it holds is of use to anybody, so there is no need to wait for its farewell. */
  async close(): Promise<void> {
    this.end('it was closed')
    await this.process.ended
  }

  private ask(method: string, parameters: object, withinMs: number): Promise<unknown> {
    if (this.over) return Promise.reject(this.over)
    this.guard.startTurn()
    const cancel = new CancellationTokenSource()
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer)
        this.waiting.delete(fail)
        act()
      }
      const fail = (failure: ServerFailure) => settle(() => reject(failure))
      const timer = setTimeout(() => {
        cancel.cancel()
        fail(new ServerFailure('late', `no answer to ${method} within ${withinMs} ms`))
        if (++this.late >= mostLate) this.end('it does not answer any more')
      }, withinMs)
      this.waiting.add(fail)
      this.connection.sendRequest(method, parameters, cancel.token).then(
        (answer) => {
          this.late = 0
          settle(() => resolve(answer))
        },
        (error: unknown) => {
          // Its words may quote what it has read.
          const why = error instanceof ResponseError ? `error ${error.code}` : 'the connection broke'
          fail(new ServerFailure('refused', `${method}: ${why}`))
        },
      )
    })
  }

  private end(why: string): void {
    if (this.over) return
    this.over = new ServerFailure('ended', why)
    for (const fail of [...this.waiting]) fail(this.over)
    this.process.kill()
    this.connection.dispose()
    this.guard.destroy()
  }
}

// What a server asks and tells us. Every request gets an answer, else servers wait for it and hang.

type Listeners = {
  server: LanguageServer
  folder: string
  progress: Progress
  published: Map<string, Published>
  idleSince: Map<string, number>
  register: (method: string) => void
}

const Registrations = z.object({ registrations: z.array(z.object({ method: z.string().max(200) })).max(100) })

const ConfigurationRequest = z.object({
  items: z.array(z.object({ section: z.string().optional() })).max(1000),
})

/** Files whose published diagnostics are kept. */
const mostPublished = 1000

function answerServer(
  connection: MessageConnection,
  { server, folder, progress, published, idleSince, register }: Listeners,
) {
  connection.onRequest('client/registerCapability', (parameters: unknown) => {
    const { data } = Registrations.safeParse(parameters)
    for (const { method } of data?.registrations ?? []) register(method)
    return null
  })
  connection.onRequest('workspace/configuration', (parameters: unknown) => {
    const asked = ConfigurationRequest.safeParse(parameters)
    return (asked.data?.items ?? []).map(({ section }) => server.configuration(section ?? '') ?? null)
  })
  connection.onRequest('workspace/workspaceFolders', () => [
    { uri: pathToFileURL(folder).href, name: 'workspace' },
  ])
  // Nothing is ever changed, shown or run for it.
  connection.onRequest('workspace/applyEdit', () => ({ applied: false }))
  connection.onRequest('window/showDocument', () => ({ success: false }))
  connection.onRequest(() => null)
  connection.onUnhandledProgress(({ token, value }) => progress.hear(token, value))
  connection.onNotification('textDocument/publishDiagnostics', (parameters: unknown) => {
    const read = PublishedDiagnostics.safeParse(parameters)
    if (!read.success || published.size >= mostPublished) return
    const { uri, version, diagnostics } = read.data
    published.set(uri, { version: version ?? null, diagnostics, at: performance.now() })
  })
  connection.onNotification('textDocument/clangd.fileStatus', (parameters: unknown) => {
    const { data } = FileStatus.safeParse(parameters)
    if (!data) return
    idleSince.delete(data.uri)
    if (data.state === 'idle' && idleSince.size < mostPublished) idleSince.set(data.uri, performance.now())
  })
  connection.onNotification(() => {})
}

// How we introduce ourselves: a client that reads, and changes nothing.

/** The absolute folder that stands for the root; whether the server runs in a sandbox, with process numbers of its own. */
type Surrounded = { root: string; isConfined: boolean }

/** The parameters of `initialize`. */
function handshake({ root, isConfined }: Surrounded, server: LanguageServer): object {
  const uri = pathToFileURL(root).href
  return {
    // Servers watch this process and end with it. From inside a sandbox it cannot be seen, which ends them too.
    processId: isConfined ? null : process.pid,
    clientInfo: { name: 'sightline', version: packageVersion },
    rootPath: root,
    rootUri: uri,
    workspaceFolders: [{ uri, name: 'workspace' }],
    initializationOptions: server.initializationOptions ?? {},
    capabilities: {
      general: { positionEncodings: ['utf-16'] },
      window: { workDoneProgress: true },
      workspace: {
        configuration: true,
        workspaceFolders: true,
        didChangeConfiguration: { dynamicRegistration: false },
        symbol: { dynamicRegistration: false },
      },
      textDocument: {
        synchronization: { didSave: false },
        definition: { linkSupport: true },
        references: {},
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
        hover: { contentFormat: ['plaintext', 'markdown'] },
        publishDiagnostics: { versionSupport: true },
        // Pyright answers for a file only whom it may tell so later; what it publishes by itself has no end.
        diagnostic: { dynamicRegistration: true },
      },
    },
  }
}

// Between a server's output and the reader of messages: lets well-formed frames of bounded size through, and
// fails the stream for all else, so that garbage or a flood costs neither memory nor time.

const longestHeader = 4096
const largestMessage = 64 * 2 ** 20

class FrameGuard extends Transform {
  private header = ''
  private bodyLeft = 0
  private turnBytes = 0
  private readonly largestTurn: number

  constructor(largestTurn: number) {
    super()
    this.largestTurn = largestTurn
  }

  /** To be called with each request: what came before does not count any more. */
  startTurn(): void {
    this.turnBytes = 0
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const fault = this.faultIn(chunk)
    if (fault) done(new Error(fault))
    else done(null, chunk)
  }

  private faultIn(chunk: Buffer): string | null {
    this.turnBytes += chunk.length
    if (this.turnBytes > this.largestTurn) return 'it sent more than was asked for'
    let at = 0
    while (at < chunk.length) {
      if (this.bodyLeft > 0) {
        const taken = Math.min(this.bodyLeft, chunk.length - at)
        this.bodyLeft -= taken
        at += taken
        continue
      }
      const before = this.header.length
      this.header += chunk.toString('latin1', at, at + longestHeader)
      const end = this.header.indexOf('\r\n\r\n')
      if (end < 0) return this.header.length >= longestHeader ? notProtocol : null
      const length = /^content-length: *(\d{1,12})\r?$/im.exec(this.header.slice(0, end))?.[1]
      if (length === undefined) return notProtocol
      if (Number(length) > largestMessage) return 'it sent a message that is too large'
      at += end + 4 - before
      this.header = ''
      this.bodyLeft = Number(length)
    }
    return null
  }
}

const notProtocol = 'what it sent is not the language server protocol'
