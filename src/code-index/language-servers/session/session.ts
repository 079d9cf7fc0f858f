/** One conversation with one server process: handshake, requests with deadlines, documents, and its end. */
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node'
import type { z } from 'zod'
import { type LanguageServer, type Limits, ServerFailure } from '../contract.ts'
import type { ServerProcess } from '../process/server-process.ts'
import { answerServer } from './answer-server.ts'
import { handshake, type Surrounded } from './capabilities.ts'
import { FrameGuard } from './frame-guard.ts'
import { Progress } from './progress.ts'
import { Initialized, type Published } from './shapes.ts'

const silent = { error() {}, warn() {}, info() {}, log() {} }
/** After this many requests in a row without an answer in time, it is taken for hanging. */
const mostLate = 3

export class Session {
  readonly progress = new Progress()
  /** The latest that the server published by itself, by URI. */
  readonly published = new Map<string, Published>()
  capabilities: Readonly<Record<string, unknown>> = {}
  version: string | null = null
  private readonly process: ServerProcess
  private readonly connection: MessageConnection
  private readonly guard = new FrameGuard()
  private readonly limits: Limits
  private readonly waiting = new Set<(failure: ServerFailure) => void>()
  private over: ServerFailure | null = null
  private late = 0

  private constructor(process: ServerProcess, server: LanguageServer, { root }: Surrounded, limits: Limits) {
    this.process = process
    this.limits = limits
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
    })
    this.connection.listen()
  }

  /** Throws `ServerFailure` when it does not come up; the process is gone then. */
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
