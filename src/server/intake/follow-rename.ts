/** What is kept by the name of a repository follows it to the name that the host gives it now. */
import type { HostConnection } from '../connections/connections.ts'
import type { Queries } from '../database/contract.ts'
import { ledgerKey } from '../ledger/lent-ledger.ts'
import { renameLedger } from '../ledger/sql-ledger.ts'

/** Within a transaction, before anything is read or written by `name`. Does nothing for a repository that is not known yet. */
export async function followRename(
  queries: Queries,
  { name: connection, host }: Pick<HostConnection, 'name' | 'host'>,
  id: string,
  name: string,
): Promise<void> {
  // Of two that hear of it at the same time, the second finds the new name.
  const [renamed] = await queries.query<{ tenant: string; former: string }>(
    `with before as (
       select tenant, full_name from repository
       where connection = $1 and id = $2 and full_name <> $3 for update)
     update repository own set full_name = $3 from before
     where own.connection = $1 and own.id = $2
     returning before.tenant, before.full_name as former`,
    [connection, id, name],
  )
  if (!renamed) return
  const { tenant, former } = renamed
  await renameLedger(queries, tenant, ledgerKey({ host, name: former }), ledgerKey({ host, name }))
}
