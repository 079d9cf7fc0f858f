/** The credentials of Apps that were made by a manifest, encrypted in the database. */
import { z } from 'zod'
import type { Queries } from '../database/contract.ts'
import type { Sealer } from './sealed-secrets.ts'

const AppCredentials = z.object({
  id: z.string(),
  /** PEM. */
  privateKey: z.string(),
  webhookSecret: z.string(),
})
export type AppCredentials = z.infer<typeof AppCredentials>

/** Null when none was made for this connection. */
export async function readApp(
  database: Queries,
  sealer: Sealer,
  connection: string,
): Promise<AppCredentials | null> {
  const [row] = await database.query<{ sealed: string }>(
    'select sealed from github_app where connection = $1',
    [connection],
  )
  return row ? AppCredentials.parse(JSON.parse(sealer.open(row.sealed, purposeOf(connection)))) : null
}

/** False when there is one already: an App is not replaced by whoever comes later. */
export async function storeApp(
  database: Queries,
  sealer: Sealer,
  connection: string,
  { slug, webUrl, ...app }: AppCredentials & { slug: string; webUrl: string },
): Promise<boolean> {
  const rows = await database.query(
    `insert into github_app (tenant, connection, app_id, slug, web_url, sealed)
     values ('', $1, $2, $3, $4, $5) on conflict (connection) do nothing returning connection`,
    [connection, app.id, slug, webUrl, sealer.seal(JSON.stringify(app), purposeOf(connection))],
  )
  return rows.length > 0
}

/** What people may know of it. */
export async function describeApp(
  database: Queries,
  connection: string,
): Promise<{ slug: string; webUrl: string } | null> {
  const [row] = await database.query<{ slug: string; web_url: string }>(
    'select slug, web_url from github_app where connection = $1',
    [connection],
  )
  return row ? { slug: row.slug, webUrl: row.web_url } : null
}

function purposeOf(connection: string): string {
  return `github app of ${connection}`
}
