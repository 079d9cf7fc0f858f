/** A server that people sign in to, with three providers on this machine and two tenants in its database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHosted } from '../../../src/server/api/hosted.ts'
import { openSealer } from '../../../src/server/connections/sealed-secrets.ts'
import type { Database } from '../../../src/server/database/contract.ts'
import type { Route } from '../../../src/server/http/contract.ts'
import { openListener } from '../../../src/server/http/listen.ts'
import { openLog } from '../../../src/server/log.ts'
import { openMetrics } from '../../../src/server/metrics.ts'
import { ServerSettings } from '../../../src/server/settings/schema.ts'
import { openSqlCatalog } from '../../../src/storage/catalog/sql-catalog.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'
import { freePort } from '../../helpers/free-port.ts'
import { type Identity, type IdentityKind, startIdentity } from '../../helpers/identity/server.ts'
import { sampleRow } from '../../helpers/sample-row.ts'

export type SignInWorld = {
  url: string
  database: Database
  log: string[]
  providers: Record<IdentityKind, Identity>
  /** Names of runs in `acme/shop` and in `acme/vault`. */
  shopRun: string
  vaultRun: string
  close(): Promise<void>
}

/** In `acme`: `shop` (1) and `vault` (2); in `globex`: `site` (3). Ids are those of the host. `pages`: beside the API. */
export async function startSignInWorld(pages: readonly Route[] = []): Promise<SignInWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-sign-in-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const start = (kind: IdentityKind) => startIdentity(kind, `${url}/auth/${kind}/callback`)
  const providers = {
    github: await start('github'),
    gitlab: await start('gitlab'),
    oidc: await start('oidc'),
  }
  const { github, gitlab, oidc } = providers
  const database = await openEmptyDatabase()
  const settings = ServerSettings.parse({
    url,
    connections: {
      github: { kind: 'github', url: github.url },
      gitlab: { kind: 'gitlab', url: gitlab.url },
    },
    signIn: {
      providers: {
        github: { kind: 'github', clientId: github.clientId },
        gitlab: { kind: 'gitlab', clientId: gitlab.clientId },
        oidc: {
          ...{ kind: 'oidc', title: 'Example SSO', issuer: oidc.url, clientId: oidc.clientId },
          scopes: ['groups'],
          roles: [
            { value: 'admins', tenant: 'acme', role: 'admin' },
            { value: 'readers', tenant: 'acme', role: 'viewer', repositories: ['acme/shop'] },
            { value: 'partners', tenant: 'globex', role: 'reviewer' },
          ],
        },
      },
    },
  })
  const repositories = [
    ['github', '1', 'acme', 'acme/shop'],
    ['github', '2', 'acme', 'acme/vault'],
    ['github', '3', 'globex', 'globex/site'],
    ['gitlab', '4', 'platform', 'platform/web'],
  ]
  for (const [connection = '', id = '', tenant = '', name = ''] of repositories)
    await database.query(
      'insert into repository (connection, id, tenant, full_name, is_private) values ($1, $2, $3, $4, true)',
      [connection, id, tenant, name],
    )
  const host = new URL(github.url).host
  const [shopRun, vaultRun] = ['20261123-010000-aaaaaa', '20261123-020000-bbbbbb']
  await openSqlCatalog(database, 'acme').put(
    [
      [shopRun, `${host}/acme/shop`],
      [vaultRun, `${host}/acme/vault`],
    ].map(([run = '', repository = '']) => ({
      row: sampleRow({ run, repository, startedAt: '2026-11-23T01:00:00.000Z' }),
      amounts: [
        { kind: 'sum', name: 'runs', bucket: 0, amount: 1 },
        { kind: 'repository', name: repository, bucket: 2, amount: 1 },
      ],
    })),
  )
  const log: string[] = []
  const hosted = openHosted({
    ...{ database, settings, environment: { XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder }, data: folder },
    clientSecrets: Object.fromEntries(
      Object.entries(providers).map(([name, { clientSecret }]) => [name, clientSecret]),
    ),
    sealer: openSealer('a secret key of at least 32 characters'),
    log: openLog({ level: 'debug', write: (line) => log.push(line) }),
    // So early that the catalog is not compared with a store, which has none of these runs.
    now: () => new Date(0),
  })
  const listener = await openListener({
    routes: [...hosted.routes, ...pages],
    admission: hosted.admission,
    ...{ host: '127.0.0.1', port, proxies: 0, strangersPerMinute: 100_000 },
    metrics: openMetrics(),
    log: openLog({ level: 'error', write: (line) => log.push(line) }),
  })
  return {
    ...{ url, database, log, providers, shopRun, vaultRun },
    async close() {
      await listener.close(0)
      await database.close()
      for (const provider of Object.values(providers)) await provider.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
