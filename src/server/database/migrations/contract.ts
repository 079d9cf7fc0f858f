/**
 * One step of the schema. Steps only add: tables, indexes, columns with a default or without a value. A server of the
 * version before can so go on working while the new one is started beside it; what is no longer used is dropped one
 * version later.
 */
export type Migration = {
  /** Four digits and a name; the order of the steps. Never changed once it is published. */
  name: string
  /** Statements without parameters. */
  statements: readonly string[]
  /** Which rows are deleted once `at` is older than the tenant's time. `where`: only those, in SQL. */
  retained?: readonly { table: string; at: string; where?: string; leastDays?: number }[]
}
