/**
 * The embedded database as its clients see it. The first process of a data folder starts the engine and serves the others
 * over a socket; when it ends, the next process that needs the database takes over.
 */

import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { makeFolder } from '../../../base/durable.ts'
import { UserError } from '../../../base/errors.ts'
import { remembered } from '../../../base/remembered.ts'
import {
  type Database,
  DatabaseUnavailableError,
  errorFor,
  type Parameter,
  type Queries,
  type Row,
} from '../contract.ts'
import { engineFile, filesIn } from './data-files.ts'
import type { EngineNews, EngineOptions, EngineOrder } from './engine.ts'
import { type Reply, type Request, receive, send } from './frames.ts'
import { type OwnerLock, takeOwnerLock } from './owner-lock.ts'

/** How long one waits for an owner that is opening the database or recovering it. */
const openMs = 30_000
const retryMs = 25
const reviveMs = 1000
/** An engine that answers none of so many questions, one after the other, is ended. */
const mostUnanswered = 6
const questionMs = 5000

/** The system's limit is 107 bytes on Linux and 103 on macOS. */
const longestSocketPath = 100

/**
 * Opens the database in `folder`, which is created. Rejects with `UserError` when it cannot be opened, and with `alone` also
 * when another process uses it.
 */
export async function openEmbedded(folder: string, { alone = false } = {}): Promise<Database> {
  const socket = socketOf(folder)
  makeFolder(folder)
  const lock = alone ? takeOwnerLock(folder) : null
  if (alone && !lock) throw new UserError('database-refused', `a server uses ${folder}; stop it first`)
  const database = new EmbeddedDatabase(folder, socket, lock)
  await database.connect()
  return database
}

function socketOf(folder: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\${folder.replaceAll(/[^\w]+/g, '-')}`
  const path = join(folder, 'socket')
  if (Buffer.byteLength(path) > longestSocketPath)
    throw new UserError('database-refused', `the path of the data folder is too long for a socket: ${folder}`)
  return path
}

type Pending = { resolve: (rows: Row[]) => void; reject: (error: Error) => void }

/** One connection to the engine, whoever runs it. */
class Connection {
  private readonly socket: Socket
  private readonly pending = new Map<number, Pending>()
  private readonly onNotice: (channel: string) => void
  private last = 0

  constructor(socket: Socket, onNotice: (channel: string) => void) {
    this.socket = socket
    this.onNotice = onNotice
    receive<Reply>(socket, (reply) => this.settle(reply))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      for (const { reject } of this.pending.values())
        reject(new DatabaseUnavailableError('the embedded database stopped'))
      this.pending.clear()
    })
  }

  get isOpen(): boolean {
    return this.socket.writable
  }

  nextTransaction(): number {
    return ++this.last
  }

  async ask(
    request: Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never,
  ): Promise<Row[]> {
    if (!this.isOpen) throw new DatabaseUnavailableError('the embedded database stopped')
    const id = ++this.last
    const answer = new Promise<Row[]>((resolve, reject) => this.pending.set(id, { resolve, reject }))
    send(this.socket, { ...request, id } as Request)
    return await answer
  }

  end(): void {
    this.socket.destroy()
  }

  private settle(reply: Reply): void {
    if (reply.type === 'notice') {
      this.onNotice(reply.channel)
      return
    }
    const pending = this.pending.get(reply.id)
    this.pending.delete(reply.id)
    if (reply.type === 'rows') pending?.resolve(reply.rows)
    else pending?.reject(errorFor(reply.message, reply.code, reply.constraint))
  }
}

class EmbeddedDatabase implements Database {
  readonly kind = 'embedded'
  readonly address: string
  private readonly socket: string
  private connection: Connection | null = null
  private opening: Promise<Connection> | null = null
  private lock: OwnerLock | null
  private engine: Worker | null = null
  private isClosed = false
  private hasWorked = false
  private readonly listeners = new Map<string, Set<() => void>>()

  constructor(folder: string, socket: string, lock: OwnerLock | null) {
    this.address = folder
    this.socket = socket
    this.lock = lock
  }

  async query<R extends Row>(statement: string, parameters: readonly Parameter[] = []): Promise<R[]> {
    const connection = await this.connect()
    return (await connection.ask({ type: 'query', transaction: null, statement, parameters })) as R[]
  }

  async transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    const connection = await this.connect()
    const transaction = connection.nextTransaction()
    await connection.ask({ type: 'begin', transaction })
    try {
      const result = await work({
        query: async <R extends Row>(statement: string, parameters: readonly Parameter[] = []) =>
          (await connection.ask({ type: 'query', transaction, statement, parameters })) as R[],
      })
      await connection.ask({ type: 'commit', transaction })
      return result
    } catch (error) {
      await connection.ask({ type: 'rollback', transaction }).catch(() => undefined)
      throw error
    }
  }

  async listen(channel: string, onNotice: () => void): Promise<() => Promise<void>> {
    const listeners = remembered(this.listeners, channel, () => new Set<() => void>()).add(onNotice)
    await (await this.connect()).ask({ type: 'listen', channel })
    return async () => {
      listeners.delete(onNotice)
    }
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    const { engine } = this
    if (engine) {
      const ended = once(engine, 'exit')
      engine.postMessage('close' satisfies EngineOrder)
      await ended
    }
    this.connection?.end()
    this.lock?.release()
    this.lock = null
  }

  /** The connection in use; a new one, to another owner if need be, after the last one broke. */
  async connect(): Promise<Connection> {
    if (this.isClosed) throw new DatabaseUnavailableError('the database was closed')
    if (this.connection?.isOpen) return this.connection
    this.opening ??= this.open().finally(() => {
      this.opening = null
    })
    return await this.opening
  }

  private async open(): Promise<Connection> {
    const until = performance.now() + openMs
    for (;;) {
      this.lock ??= takeOwnerLock(this.address)
      if (this.lock && !this.engine) await this.startEngine().catch((error: Error) => this.refuse(error))
      const socket = await connectTo(this.socket)
      if (socket) {
        const connection = new Connection(socket, (channel) => this.notify(channel))
        this.connection = connection
        this.hasWorked = true
        for (const channel of this.listeners.keys()) await connection.ask({ type: 'listen', channel })
        // What was sent meanwhile is lost.
        for (const channel of this.listeners.keys()) this.notify(channel)
        return connection
      }
      if (performance.now() > until)
        throw new DatabaseUnavailableError(
          `another process has the data folder ${this.address} and does not answer`,
        )
      await wait(retryMs)
    }
  }

  /** What worked before may work again, once the disk has room or is back. */
  private refuse(error: Error): never {
    if (this.hasWorked) throw new DatabaseUnavailableError(error.message, { cause: error })
    this.lock?.release()
    this.lock = null
    throw error
  }

  private async startEngine(): Promise<void> {
    const workerData: EngineOptions = { folder: await filesIn(this.address), socket: this.socket }
    const engine = new Worker(engineFile(), { workerData, execArgv: [] })
    this.engine = engine
    const news = await Promise.race([
      once(engine, 'message').then(([message]) => message as EngineNews),
      once(engine, 'exit').then((): EngineNews => ({ type: 'failed', message: 'the engine ended' })),
    ])
    if (news.type === 'failed') {
      this.engine = null
      throw new UserError('database-refused', `the embedded database in ${this.address}: ${news.message}`)
    }
    const watch = watchOver(engine)
    engine.once('exit', () => {
      clearInterval(watch)
      this.engine = null
      void this.revive()
    })
  }

  /** Others need the engine too, so its owner does not wait for a statement of its own. */
  private async revive(): Promise<void> {
    while (!this.isClosed && this.lock && !this.engine) {
      await this.connect().catch(() => undefined)
      await wait(reviveMs, undefined, { ref: false })
    }
  }

  private notify(channel: string): void {
    for (const onNotice of this.listeners.get(channel) ?? []) onNotice()
  }
}

/** Ends an engine that is caught in a loop. Counts questions, not time: a process may have been paused as a whole. */
function watchOver(engine: Worker): NodeJS.Timeout {
  let unanswered = 0
  engine.on('message', (news: EngineNews) => {
    if (news.type === 'alive') unanswered = 0
  })
  return setInterval(() => {
    if (unanswered++ >= mostUnanswered) void engine.terminate()
    else engine.postMessage('answer' satisfies EngineOrder)
  }, questionMs).unref()
}

/** Null when nothing listens there. */
async function connectTo(path: string): Promise<Socket | null> {
  const socket = createConnection(path)
  return await new Promise((resolve) => {
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(null))
  })
}
