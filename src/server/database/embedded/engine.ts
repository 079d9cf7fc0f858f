/**
 * The embedded database engine: PGlite in a worker thread, so that a long statement does not stop the server's event loop.
 * The thread serves clients of this machine over a socket, those of its own process too. Statements run one after the other;
 * a transaction has the engine to itself until it ends.
 *
 * Started as a process, with a folder, it makes an empty database there and ends. That needs several times the memory of the
 * engine itself, and only the end of a process gives all of it back.
 */
import { rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { idleTransactionMs } from '../contract.ts'
import { type Request, receive, send } from './frames.ts'
import { openDurable } from './open-durable.ts'

export type EngineOptions = { folder: string; socket: string }

/** What the thread is asked by the one that started it. */
export type EngineOrder = 'close' | 'answer'

/** What the thread says: that it serves, why it ends, and that it is not caught in a statement. */
export type EngineNews = { type: 'ready' | 'alive' } | { type: 'failed'; message: string }

/**
 * A disk that is full or broken, internal errors, and the sequel of a panic: where PostgreSQL would restart itself, PGlite goes
 * on with what is left in its memory. Its thread ends then, and the next one recovers from the log.
 */
const damaging = /^(53|58|XX|24000)/

/** Gives the engine to one after the other, in the order of asking. */
class Turns {
  private last: Promise<void> = Promise.resolve()

  async take(): Promise<() => void> {
    const before = this.last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.last = promise
    await before
    return resolve
  }
}

/** One client. Everything it has open is taken back when its socket closes, as it does when its process is killed. */
class Client {
  private readonly open = new Map<number, { release: () => void; idle: NodeJS.Timeout }>()
  private readonly database: PGlite
  private readonly turns: Turns
  private readonly socket: Socket
  private isGone = false
  readonly channels = new Set<string>()

  constructor(database: PGlite, turns: Turns, socket: Socket) {
    this.database = database
    this.turns = turns
    this.socket = socket
  }

  async answer(request: Request): Promise<void> {
    const { id } = request
    try {
      send(this.socket, { type: 'rows', id, rows: await this.run(request) })
    } catch (error) {
      const { code, message, constraint } = error as { code?: unknown; message: string; constraint?: string }
      // Without a SQLSTATE it is the end of the engine, and with some its state cannot be trusted any more.
      if (typeof code !== 'string' || damaging.test(code)) throw error
      send(this.socket, { type: 'refused', id, message, code, constraint: constraint ?? null })
    }
  }

  async leave(): Promise<void> {
    this.isGone = true
    for (const transaction of this.open.keys()) await this.end(transaction, 'rollback')
  }

  private async run(request: Request): Promise<Record<string, unknown>[]> {
    if (request.type === 'listen') {
      this.channels.add(request.channel)
      return await this.alone(`listen "${request.channel.replaceAll('"', '""')}"`, [])
    }
    const { transaction } = request
    if (request.type === 'begin') return await this.begin(request.transaction)
    if (request.type !== 'query') return await this.end(request.transaction, request.type)
    if (transaction === null) return await this.alone(request.statement, request.parameters)
    this.open.get(transaction)?.idle.refresh()
    if (!this.open.has(transaction)) throw timedOut()
    return (await this.database.query<Record<string, unknown>>(request.statement, [...request.parameters]))
      .rows
  }

  private async alone(statement: string, parameters: readonly unknown[]): Promise<Record<string, unknown>[]> {
    const release = await this.turns.take()
    try {
      return (await this.database.query<Record<string, unknown>>(statement, [...parameters])).rows
    } finally {
      release()
    }
  }

  private async begin(transaction: number): Promise<never[]> {
    const release = await this.turns.take()
    if (this.isGone) {
      release()
      return []
    }
    const idle = setTimeout(() => void this.end(transaction, 'rollback').catch(stop), idleTransactionMs)
    this.open.set(transaction, { release, idle })
    await this.database.exec('begin')
    return []
  }

  private async end(transaction: number, how: 'commit' | 'rollback'): Promise<never[]> {
    const held = this.open.get(transaction)
    if (!held) {
      if (how === 'rollback') return []
      throw timedOut()
    }
    this.open.delete(transaction)
    clearTimeout(held.idle)
    try {
      await this.database.exec(how)
    } finally {
      held.release()
    }
    return []
  }
}

function timedOut(): Error {
  return Object.assign(new Error('the transaction was idle too long and was rolled back'), { code: '25P03' })
}

function stop(error: unknown): void {
  parentPort?.postMessage({ type: 'failed', message: String(error) } satisfies EngineNews)
  // After the message has left.
  setImmediate(() => process.exit(1))
}

async function serve({ folder, socket: path }: EngineOptions): Promise<void> {
  const database = await openDurable(folder)
  const turns = new Turns()
  const clients = new Map<Socket, Client>()
  database.onNotification((channel) => {
    for (const [socket, client] of clients)
      if (client.channels.has(channel)) send(socket, { type: 'notice', channel })
  })
  const server = createServer((socket) => {
    const client = new Client(database, turns, socket)
    clients.set(socket, client)
    receive<Request>(socket, (request) => void client.answer(request).catch(stop))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clients.delete(socket)
      void client.leave().catch(stop)
    })
  })
  server.on('error', stop)
  // The lock is ours, so what has this name is of a process that was killed.
  rmSync(path, { force: true })
  server.listen(path, () => parentPort?.postMessage({ type: 'ready' } satisfies EngineNews))
  parentPort?.on('message', async (order: EngineOrder) => {
    if (order === 'answer') return parentPort?.postMessage({ type: 'alive' } satisfies EngineNews)
    server.close()
    await turns.take()
    for (const socket of clients.keys()) socket.destroy()
    await database.close()
    return process.exit(0)
  })
}

async function create(folder: string): Promise<void> {
  // Who waits for it is gone, and its successor makes another one.
  process.on('disconnect', () => process.exit(1))
  await (await openDurable(folder)).close()
  process.exit(0)
}

if (!isMainThread) serve(workerData as EngineOptions).catch(stop)
else
  create(process.argv[2] ?? '').catch((error: unknown) => {
    process.stderr.write(String(error))
    process.exit(1)
  })
