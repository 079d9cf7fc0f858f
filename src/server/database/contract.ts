/**
 * The server's database: one dialect of SQL (PostgreSQL 15 or newer) with two homes, an embedded engine in a data folder and
 * a PostgreSQL server. Both give the same values and the same errors; one test suite runs on both.
 *
 * Every table has a column `tenant`: backup, retention, moving and the deletion of a tenant work on all tables by it.
 */

/** Pass JSON as text and cast it: `$1::jsonb`. */
export type Parameter =
  | string
  | number
  | boolean
  | null
  | Date
  | Uint8Array
  | readonly string[]
  | readonly number[]

/** `int8` is a number, `timestamptz` a Date, `bytea` a Uint8Array, `json` its value, `date` and `numeric` text. */
export type Row = Record<string, unknown>

export interface Queries {
  /**
   * Runs one statement. Rejects with `StatementError` when the database refuses it, and with `DatabaseUnavailableError` when
   * the connection breaks: whether the statement took effect is then unknown, so it must be safe to repeat.
   */
  query<R extends Row = Row>(statement: string, parameters?: readonly Parameter[]): Promise<R[]>
}

export interface Database extends Queries {
  readonly kind: 'embedded' | 'postgres'
  /** For people; no password in it. */
  readonly address: string
  /**
   * Commits what `work` did when it resolves and takes it back when it rejects. Read committed. The embedded engine has one
   * transaction at a time, so `work` waits for nothing but the database; one that is idle too long is taken back.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /**
   * Calls `onNotice` after `pg_notify(channel, …)` by any process. Notices may be lost while a connection is renewed, so
   * callers poll too. Never rejects after it has resolved.
   */
  listen(channel: string, onNotice: () => void): Promise<() => Promise<void>>
  /** Statements under way are finished. A second call does nothing. */
  close(): Promise<void>
}

/** The database refused a statement; `code` is the SQLSTATE (`23505`: unique violation). */
export class StatementError extends Error {
  override readonly name = 'StatementError'
  readonly code: string
  readonly constraint: string | null

  constructor(message: string, code: string, constraint: string | null, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.constraint = constraint
  }
}

/** The database cannot be reached now, or stopped while it worked. Worth repeating. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
}

/** Connections that fail, a server that shuts down or is full, a disk that is full or broken. */
const passing = /^(08|57P|53|58)/

/** The error of the contract for what a database answered. */
export function errorFor(message: string, code: string, constraint: string | null, cause?: unknown): Error {
  return passing.test(code)
    ? new DatabaseUnavailableError(message, { cause })
    : new StatementError(message, code, constraint, { cause })
}

/** Milliseconds that a transaction may wait for its next statement before the database takes it back. */
export const idleTransactionMs = 10_000
