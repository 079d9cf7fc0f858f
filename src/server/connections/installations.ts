/** Who installed the App: each account is a tenant, known by the id of the account, since names change hands. */
import type { Installation } from '../../hosts/github/app.ts'
import type { Database, Queries } from '../database/contract.ts'

/** Null for one that was never seen. */
export async function readInstallation(
  queries: Queries,
  connection: string,
  id: string,
): Promise<{ tenant: string; isActive: boolean } | null> {
  const [row] = await queries.query<{ tenant: string; state: string }>(
    'select tenant, state from installation where connection = $1 and id = $2',
    [connection, id],
  )
  return row ? { tenant: row.tenant, isActive: row.state === 'active' } : null
}

/** `tenant`: the one that owns the whole connection; null when each account is one. Those that are missing were removed. */
export async function rememberInstallations(
  database: Database,
  { connection, tenant }: { connection: string; tenant: string | null },
  found: readonly Installation[],
): Promise<void> {
  await database.transaction(async (queries) => {
    for (const { id, account, isSuspended } of found)
      await queries.query(
        `insert into installation (connection, id, tenant, account_id, account, state)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (connection, id) do update set account = excluded.account, state = excluded.state, seen_at = now()`,
        [
          connection,
          id,
          tenant ?? `${connection}-${account.id}`,
          account.id,
          account.login,
          isSuspended ? 'suspended' : 'active',
        ],
      )
    await queries.query(
      `update installation set state = 'removed', seen_at = now()
       where connection = $1 and not (id = any($2::text[]))`,
      [connection, found.map(({ id }) => id)],
    )
  })
}
