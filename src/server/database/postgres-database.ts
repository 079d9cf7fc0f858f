/** A PostgreSQL server as the database: a pool of connections, and one more that listens. */

import { Client, DatabaseError, Pool, types } from 'pg'
import { UserError } from '../../base/errors.ts'
import { remembered } from '../../base/remembered.ts'
import {
  type Database,
  DatabaseUnavailableError,
  errorFor,
  idleTransactionMs,
  type Parameter,
  type Queries,
  type Row,
} from './contract.ts'

const oldestVersion = 150_000
const mostConnections = 10
const connectMs = 10_000
/** No statement of ours comes near; what takes longer waits for a server that does not answer. */
const statementMs = 60_000
const reconnectMs = 500

const readAs = new Map<number, (value: string) => unknown>([
  [types.builtins.INT8, Number],
  [types.builtins.DATE, (value) => value],
])

/** Rejects with `UserError` for an address that is wrong or a server that is too old. */
export async function openPostgres(url: string): Promise<Database> {
  const database = new PostgresDatabase(url)
  const [row] = await database
    .query<{ server_version_num: string }>('show server_version_num')
    .catch((cause: Error) => {
      throw new UserError('database-refused', `${database.address}: ${cause.message}`, { cause })
    })
  const version = Number(row?.server_version_num)
  if (version < oldestVersion) {
    await database.close()
    throw new UserError(
      'database-refused',
      `${database.address} is PostgreSQL ${Math.floor(version / 10_000)}`,
    )
  }
  return database
}

class PostgresDatabase implements Database {
  readonly kind = 'postgres'
  readonly address: string
  private readonly pool: Pool
  private readonly options: ConstructorParameters<typeof Client>[0]
  private readonly listeners = new Map<string, Set<() => void>>()
  private listener: Promise<Client> | null = null
  private isClosed = false

  constructor(url: string) {
    this.address = withoutPassword(url)
    this.options = {
      connectionString: url,
      application_name: 'sightline',
      connectionTimeoutMillis: connectMs,
      query_timeout: statementMs,
      idle_in_transaction_session_timeout: idleTransactionMs,
      keepAlive: true,
      types: { getTypeParser: (type, format) => readAs.get(type) ?? types.getTypeParser(type, format) },
    }
    this.pool = new Pool({ ...this.options, max: mostConnections })
    // A connection that breaks while it is idle is replaced at the next use.
    this.pool.on('error', () => undefined)
  }

  async query<R extends Row>(statement: string, parameters: readonly Parameter[] = []): Promise<R[]> {
    return await translated(async () => (await this.pool.query<R>(statement, [...parameters])).rows)
  }

  async transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    const client = await translated(() => this.pool.connect())
    const run = async <R extends Row>(statement: string, parameters: readonly Parameter[] = []) =>
      await translated(async () => (await client.query<R>(statement, [...parameters])).rows)
    let isBroken = false
    // A connection that breaks between two statements fails the next one; unheard, it would end the process.
    const hear = () => undefined
    client.on('error', hear)
    try {
      await run('begin')
      const result = await work({ query: run })
      await run('commit')
      return result
    } catch (error) {
      isBroken = await client.query('rollback').then(
        () => false,
        () => true,
      )
      throw error
    } finally {
      client.off('error', hear)
      client.release(isBroken)
    }
  }

  async listen(channel: string, onNotice: () => void): Promise<() => Promise<void>> {
    const listeners = remembered(this.listeners, channel, () => new Set<() => void>()).add(onNotice)
    const client = await this.connectListener()
    await translated(() => client.query(`listen ${client.escapeIdentifier(channel)}`))
    return async () => {
      listeners.delete(onNotice)
    }
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    await (await this.listener?.catch(() => null))?.end()
    await this.pool.end()
  }

  private connectListener(): Promise<Client> {
    this.listener ??= this.openListener()
    return this.listener
  }

  private async openListener(): Promise<Client> {
    const client = new Client(this.options)
    client.on('notification', ({ channel }) => this.notify(channel))
    client.on('error', () => undefined)
    client.on('end', () => this.renewListener())
    await translated(() => client.connect())
    for (const channel of this.listeners.keys())
      await translated(() => client.query(`listen ${client.escapeIdentifier(channel)}`))
    return client
  }

  private renewListener(): void {
    this.listener = null
    if (this.isClosed) return
    setTimeout(() => {
      if (this.isClosed || this.listener) return
      this.connectListener().then(
        // What was sent meanwhile is lost.
        () => {
          for (const channel of this.listeners.keys()) this.notify(channel)
        },
        () => this.renewListener(),
      )
    }, reconnectMs).unref()
  }

  private notify(channel: string): void {
    for (const onNotice of this.listeners.get(channel) ?? []) onNotice()
  }
}

/** Errors of the driver as those of the contract. */
async function translated<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    const error = cause as Error
    if (!(cause instanceof DatabaseError) || !cause.code)
      throw new DatabaseUnavailableError(`the database cannot be reached: ${error.message}`, { cause })
    throw errorFor(cause.message, cause.code, cause.constraint ?? null, cause)
  }
}

function withoutPassword(url: string): string {
  try {
    const address = new URL(url)
    address.password = ''
    address.search = ''
    return address.href
  } catch {
    return 'the address in DATABASE_URL'
  }
}
