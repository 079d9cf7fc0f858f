/** Which rights the App or the token of a connection lacks, asked from its host. */
import { openGitHubApp } from '../../hosts/github/app.ts'
import { factsOf } from '../../hosts/remote/facts.ts'
import { hostOf } from '../../hosts/remote/registry.ts'
import { openTransport } from '../../hosts/remote/transport.ts'
import type { MissingRight } from '../../hosts/rights/contract.ts'
import type { Queries } from '../database/contract.ts'
import type { Secrets } from '../settings/load.ts'
import type { Connection, ServerSettings } from '../settings/schema.ts'
import { missingRightsOf } from './app-rights.ts'
import { type HostConnection, namedIn } from './connections.ts'
import { addressesOf } from './host-addresses.ts'

/** So many requests at most, and so many names. */
const mostAsked = 20

/** Those of the settings, and those that this server was told of, the newest first, `owner/name`. */
export async function repositoriesOf(
  queries: Queries,
  { name, named }: Pick<HostConnection, 'name' | 'named'>,
): Promise<string[]> {
  const rows = await queries.query<{ full_name: string }>(
    'select full_name from repository where connection = $1 and is_enabled order by seen_at desc limit $2',
    [name, mostAsked],
  )
  return [...new Set([...named, ...rows.map(({ full_name }) => full_name)])].slice(0, mostAsked)
}

/** Of all connections whose App or token is in the settings, without a server. `failure`: why it is not known. */
export async function readRights(
  { connections }: ServerSettings,
  secrets: Secrets,
  signal: AbortSignal,
): Promise<{ connection: string; missing: MissingRight[]; failure: string | null }[]> {
  const found = Object.entries(connections).map(async ([name, connection]) => {
    const asked = askOf(connection, secrets.connections[name], signal)
    if (asked === null) return []
    try {
      return [{ connection: name, missing: await asked, failure: null }]
    } catch (error) {
      return [{ connection: name, missing: [], failure: (error as Error).message }]
    }
  })
  return (await Promise.all(found)).flat()
}

/** Null where the settings name no secret to ask with. */
function askOf(
  connection: Connection,
  given: Secrets['connections'][string] | undefined,
  signal: AbortSignal,
): Promise<MissingRight[]> | null {
  const { apiUrl } = addressesOf(connection)
  const { kind, appId } = connection
  if (given?.token) {
    const repositories = namedIn(connection).slice(0, mostAsked)
    const access = { token: given.token, fetch: openTransport() }
    return hostOf(kind).rights.readMissing({ apiUrl, repositories }, access, signal)
  }
  if (!factsOf(kind).app || !appId || !given?.appKey) return null
  const app = { id: appId, privateKey: given.appKey }
  return missingRightsOf(openGitHubApp({ apiUrl, app, fetch: openTransport() }), null, signal)
}
