/** Ledgers as a table of the server's database, for one tenant. */
import { UserError } from '../../base/errors.ts'
import {
  type EventOf,
  LedgerEvent,
  type LedgerRead,
  type LedgerStore,
  maskEvents,
} from '../../ledger/contract.ts'
import { type Database, DatabaseUnavailableError, type Queries } from '../database/contract.ts'

/** The event as text, as it was written: a reason may hold what `jsonb` refuses. */
type EventRow = { event: string }

export function openSqlLedger(database: Database, tenant: string): LedgerStore {
  return {
    address: database.address,

    append: (repository, events) =>
      using(database, async () => {
        return await database.transaction((queries) => appendEvents(queries, tenant, repository, events))
      }),

    read: (repository) =>
      using(database, async (): Promise<LedgerRead> => {
        const rows = await database.query<EventRow>(
          'select event from ledger_event where tenant = $1 and repository = $2 order by number',
          [tenant, encoded(repository)],
        )
        const events = rows.flatMap(({ event }) => {
          const read = LedgerEvent.safeParse(JSON.parse(event))
          return read.success ? [read.data] : []
        })
        const newer = rows.length - events.length
        return {
          events,
          damage: newer === 0 ? null : `${newer} of ${rows.length} entries were written by a newer version`,
        }
      }),

    repositories: () =>
      using(database, async () => {
        const rows = await database.query<{ repository: string }>(
          'select distinct repository from ledger_event where tenant = $1',
          [tenant],
        )
        return rows.map(({ repository }) => decoded(repository)).sort()
      }),

    remove: (repository) =>
      using(database, async () => {
        await database.query('delete from ledger_event where tenant = $1 and repository = $2', [
          tenant,
          encoded(repository),
        ])
      }),
  }
}

/** `append` of the contract, as a part of the transaction `queries`. */
export async function appendEvents(
  queries: Queries,
  tenant: string,
  repository: string,
  events: readonly LedgerEvent[],
): Promise<number> {
  if (events.length === 0) return 0
  // One writer at a time in a repository, so that the order of numbers is that of commits.
  await queries.query('select pg_advisory_xact_lock(hashtextextended($1, 18))', [`${tenant}\n${repository}`])
  const added = await queries.query(
    `insert into ledger_event (tenant, repository, id, event)
     select $1, $2, id, event from unnest($3::text[], $4::text[]) with ordinality as given (id, event, place)
     order by place
     on conflict (tenant, repository, id) do nothing
     returning id`,
    [tenant, encoded(repository), events.map(({ id }) => id), maskEvents(events).map(eventText)],
  )
  return added.length
}

/** Of a repository that has another name now. What the new name has already stays as it is. */
export async function renameLedger(
  queries: Queries,
  tenant: string,
  former: string,
  name: string,
): Promise<void> {
  await queries.query(
    `update ledger_event own set repository = $3 where tenant = $1 and repository = $2 and not exists (
       select 1 from ledger_event known where known.tenant = $1 and known.repository = $3 and known.id = own.id)`,
    [tenant, encoded(former), encoded(name)],
  )
}

/** The last word on whether new commits of a line of work are reviewed; null when nobody said one. Reads no other events. */
export async function lastPause(
  queries: Queries,
  tenant: string,
  repository: string,
  change: string,
): Promise<EventOf<'paused' | 'resumed'> | null> {
  const rows = await queries.query<EventRow>(
    `select event from ledger_event where tenant = $1 and repository = $2
       and (event like '%"type":"paused"%' or event like '%"type":"resumed"%')
     order by number desc`,
    [tenant, encoded(repository)],
  )
  for (const { event } of rows) {
    const { data } = LedgerEvent.safeParse(JSON.parse(event))
    // Other events may quote those words.
    if ((data?.type === 'paused' || data?.type === 'resumed') && data.change === change) return data
  }
  return null
}

/** JSON escapes what a database cannot keep as text, such as U+0000. */
function eventText(event: LedgerEvent): string {
  return JSON.stringify(event)
}

function encoded(repository: string): string {
  return JSON.stringify(repository)
}

function decoded(repository: string): string {
  return JSON.parse(repository) as string
}

async function using<Result>(database: Database, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DatabaseUnavailableError)
      throw new UserError('ledger-unavailable', `${database.address}: ${error.message}`, { cause: error })
    throw error
  }
}
