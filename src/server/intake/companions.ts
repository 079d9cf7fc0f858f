/**
 * Open change requests of a tenant that belong to one another across repositories, by what their authors wrote or by the code that
 * both change. What happens to one has the others reviewed once more, each once for each head, since it is their other side.
 */
import type { HostedChange } from '../../hosts/remote/contract.ts'
import { type ChangeKeys, changeKeys, keysToAsk, keysToFind, selfKey } from '../../workspace/change-keys.ts'
import { addressOf } from '../connections/address.ts'
import type { Queries } from '../database/contract.ts'
import { isMemberOf } from '../policies/workspace.ts'
import type { BesideEvent } from '../webhooks/contract.ts'
import type { AskedChange, IntakeParts } from './asked-change.ts'
import { type NewDelivery, storeDeliveries } from './deliveries.ts'

/** `repository`: the host's id. */
type Related = {
  connection: string
  repository: string
  number: number
  fullName: string
  installation: string | null
}

/** A repository with the other half of a change, by the host's id. */
export type Beside = { connection: string; id: string }

/** What a change request is reviewed with at most. */
const mostRelated = 5
const longestKey = 300

/** The name that this change has in the answers of a host. */
type Place = { asked: AskedChange; change: HostedChange; name: string }

/**
 * Remembers what the change is found by, unless it is closed, and has those reviewed again that look into its repository. Part of
 * the transaction that decides about it. Returns where something may have happened since they were fetched.
 */
export async function meetCompanions(
  { settings, connections, now }: Pick<IntakeParts, 'settings' | 'connections' | 'now'>,
  queries: Queries,
  place: Place,
): Promise<Beside[]> {
  const { asked, change, name } = place
  const { connection, tenant, number } = asked
  const { id } = change.repository
  const at = addressOf(connection, { id, fullName: name }, number)
  const { title, body, changeRequest } = change
  const words = { title, body, branch: changeRequest.headRef }
  const keys = changeKeys(words, at, [...connections.values()])
  // Two that arrive at the same moment would not see one another.
  await queries.query('select pg_advisory_xact_lock(hashtext($1))', [`companions of ${tenant}`])
  await replaceKeys(queries, place, change.state === 'open' ? keysToFind(at, keys) : [])
  const related = await findRelated(queries, place, selfKey(at), keys)
  const scopeOf = (connectionName: string, repository: string) => ({
    ...{ tenant, connection: connectionName, repository },
  })
  const here = { connection: connection.name, id, fullName: name }
  const lookHere = related.filter((one) => isMemberOf(settings, scopeOf(one.connection, one.fullName), here))
  const event = `${selfKey(at)} ${change.state} ${change.head}`
  await storeDeliveries(
    queries,
    lookHere.map((one) => deliveryOf(one, { connection: here.connection, id, event }, now())),
  )
  const isSeen = (one: Related) => isMemberOf(settings, scopeOf(connection.name, name), one)
  const known = related.filter(isSeen).map(({ connection, repository }) => ({ connection, id: repository }))
  const told = asked.beside.map(({ connection, id }) => ({ connection, id }))
  return [...new Map([...known, ...told].map((one) => [`${one.connection} ${one.id}`, one])).values()]
}

async function replaceKeys(
  queries: Queries,
  { asked: { connection, tenant, number }, change }: Place,
  keys: readonly string[],
): Promise<void> {
  const own = [tenant, connection.name, change.repository.id, number]
  await queries.query(
    `delete from change_key where tenant = $1 and connection = $2 and repository = $3 and number = $4
       and (found_in = 'words' or $5)`,
    [...own, change.state !== 'open'],
  )
  await queries.query(
    `insert into change_key (tenant, connection, repository, number, key, found_in)
     select $1, $2, $3, $4, key, 'words' from unnest($5::text[]) as one (key)
     on conflict (tenant, connection, repository, number, key) do update set at = now()`,
    [...own, keys.map((key) => key.slice(0, longestKey))],
  )
}

async function findRelated(
  queries: Queries,
  { asked: { connection, tenant }, change }: Place,
  self: string,
  keys: ChangeKeys,
): Promise<Related[]> {
  const wanted = keysToAsk(self, keys).map(([key]) => key.slice(0, longestKey))
  return await queries.query<Related>(
    `select distinct k.connection, k.repository, k.number, r.full_name as "fullName", r.installation
     from change_key k join repository r on r.connection = k.connection and r.id = k.repository and r.tenant = k.tenant
     where k.tenant = $1 and k.key = any($2::text[]) and r.is_enabled
       and not (k.connection = $3 and k.repository = $4)
     order by k.connection, k.repository, k.number limit ${mostRelated}`,
    [tenant, wanted, connection.name, change.repository.id],
  )
}

/** The same again is the same delivery. */
function deliveryOf(
  { connection, repository: id, number, fullName, installation }: Related,
  beside: BesideEvent,
  receivedAt: Date,
): NewDelivery {
  const name = `companion ${connection}/${id}/${number} ${beside.event}`
  return {
    ...{ connection, id: name, hash: name, receivedAt },
    event: {
      ...{ type: 'change', repository: { id, fullName }, installation, number },
      ...{ action: 'companion', head: null, beside },
    },
  }
}

/** Of a review: which others change what uses what it breaks. `others`: their `selfKey`. */
export async function rememberUsers(
  queries: Queries,
  { tenant, connection, repository, number }: Omit<Related, 'fullName' | 'installation'> & { tenant: string },
  others: readonly string[],
): Promise<void> {
  const own = [tenant, connection, repository, number]
  await queries.query(
    `delete from change_key
     where tenant = $1 and connection = $2 and repository = $3 and number = $4 and found_in = 'uses'`,
    own,
  )
  if (others.length === 0) return
  await queries.query(
    `insert into change_key (tenant, connection, repository, number, key, found_in)
     select $1, $2, $3, $4, 'points ' || key, 'uses' from unnest($5::text[]) as one (key)
     on conflict do nothing`,
    [...own, [...others]],
  )
  // Whoever pushes to this one has the others reviewed, too. Their own reviews leave that as it is.
  await queries.query(
    `insert into change_key (tenant, connection, repository, number, key, found_in)
     select other.tenant, other.connection, other.repository, other.number,
       replace(self.key, 'self ', 'points '), 'used'
     from change_key self
     join change_key other on other.tenant = self.tenant
       and other.key in (select 'self ' || key from unnest($5::text[]) as one (key))
     where self.tenant = $1 and self.connection = $2 and self.repository = $3 and self.number = $4
       and self.key like 'self %'
     on conflict do nothing`,
    [...own, [...others]],
  )
}
