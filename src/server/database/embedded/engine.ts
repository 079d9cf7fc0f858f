/**
 * The embedded database engine: PGlite in a worker thread, so that a long statement does not stop the server's event loop.
 * The thread serves clients of this machine over a socket, those of its own process too. Statements run one after the other;
 * a transaction has the engine to itself until it ends.
 */
import { rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { idleTransactionMs } from '../contract.ts'
import { DurableFiles } from './durable-files.ts'
import { type Request, receive, send } from './frames.ts'

export type EngineOptions = { folder: string; socket: string }

/** What the thread says to the one that started it, once. */
export type EngineNews = { type: 'ready' } | { type: 'failed'; message: string }

/** `-F` is PGlite's way to switch syncs off. `fdatasync` does nothing in its build, so `fsync` is named. */
const startParams = [
  ...PGlite.defaultStartParams.filter((each) => each !== '-F'),
  ...['fsync=on', 'wal_sync_method=fsync', 'full_page_writes=on', 'synchronous_commit=on'].flatMap(setting),
  ...['shared_buffers=16MB', 'wal_buffers=1MB', 'max_wal_size=64MB'].flatMap(setting),
]

const int8 = 20
const date = 1082
const parsers = { [int8]: Number, [date]: (value: string) => value }

function setting(text: string): string[] {
  return ['-c', text]
}

/** Opens the database of a folder and verifies that a commit reaches the disk. */
async function openDurable(folder: string): Promise<PGlite> {
  const files = new DurableFiles(folder)
  const database = await PGlite.create({ fs: files, startParams, parsers })
  const before = files.syncs
  await database.exec(
    'create table if not exists sync_probe (tenant text primary key, at timestamptz);' +
      "insert into sync_probe values ('', now()) on conflict (tenant) do update set at = now()",
  )
  if (files.syncs === before)
    throw new Error('a committed row was not written through to the disk (no fsync was seen)')
  return database
}

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
      // What PostgreSQL refuses has a SQLSTATE. All else is the end of the engine: its memory cannot be trusted.
      if (typeof code !== 'string') throw error
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
  parentPort?.on('message', async () => {
    server.close()
    await turns.take()
    for (const socket of clients.keys()) socket.destroy()
    await database.close()
    process.exit(0)
  })
}

serve(workerData as EngineOptions).catch(stop)
