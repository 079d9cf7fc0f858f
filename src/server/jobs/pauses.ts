/**
 * What hosts asked to wait for, the same on all servers of one database. Publishers know no database: on each machine they keep it in
 * files, and look there before every write, as does the server itself.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pauseName, WritePause } from '../../hosts/remote/transport.ts'
import type { Queries } from '../database/contract.ts'
import { placesOf } from './places.ts'

const fileName = /^[0-9a-f]{32}$/

/** For what a server writes of a tenant to a host, with what other servers were asked to wait for until now. */
export async function openPause(
  queries: Queries,
  { data, tenant, apiUrl }: { data: string; tenant: string; apiUrl: string },
): Promise<WritePause> {
  const { pauses: folder } = placesOf(data, tenant)
  const share = () => sharePauses(queries, { tenant, folder })
  await share()
  // What cannot be shared now is shared by the next heartbeat.
  return new WritePause(join(folder, pauseName(apiUrl)), () => void share().catch(() => {}))
}

/** `folder`: see `TenantPlaces.pauses`. Of a tenant that was deleted, the others learn nothing. */
export async function sharePauses(
  queries: Queries,
  { tenant, folder }: { tenant: string; folder: string },
  now = Date.now(),
): Promise<void> {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => fileName.test(name)) : []
  const own = new Map(
    names
      .map((name) => [name, new WritePause(join(folder, name)).left(now)] as const)
      .filter(([, left]) => left > 0),
  )
  if (own.size > 0)
    await queries.query(
      `insert into write_pause (tenant, host, until)
       select $1, host, until::timestamptz from unnest($2::text[], $3::text[]) as own (host, until)
       where exists (select 1 from tenant where tenant.tenant = $1)
       on conflict (tenant, host) do update set until = greatest(write_pause.until, excluded.until)`,
      [tenant, [...own.keys()], [...own.values()].map((left) => new Date(now + left).toISOString())],
    )
  const all = await queries.query<{ host: string; until: Date }>(
    'select host, until from write_pause where tenant = $1 and until > $2',
    [tenant, new Date(now)],
  )
  for (const { host, until } of all)
    if (fileName.test(host) && until.getTime() > now + (own.get(host) ?? 0))
      new WritePause(join(folder, host)).extend(until.getTime())
}
