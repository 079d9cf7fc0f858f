/** What people may do follows from what their host or their claims say, tenant by tenant, and never goes beyond it. */
import { expect, onTestFinished, test } from 'vitest'
import { rightsOf } from '../../../src/server/access/rights.ts'
import type { Allowed } from '../../../src/server/access/sign-in/contract.ts'
import type { Role } from '../../../src/server/api/contract/operation.ts'
import { ServerSettings } from '../../../src/server/settings/schema.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'

/** The connection `old` was taken out of the settings. */
const repositories = [
  ['hub', '1', 'acme', 'acme/shop'],
  ['hub', '2', 'acme', 'acme/vault'],
  ['lab', '1', 'acme', 'acme/tools'],
  ['hub', '3', 'globex', 'globex/site'],
  ['old', '4', 'initech', 'initech/fax'],
] as const

async function ask(allowed: Allowed) {
  const database = await openEmptyDatabase()
  onTestFinished(() => database.close())
  for (const [connection, id, tenant, name] of repositories)
    await database.query(
      'insert into repository (connection, id, tenant, full_name, is_private) values ($1, $2, $3, $4, true)',
      [connection, id, tenant, name],
    )
  const settings = ServerSettings.parse({
    connections: {
      hub: { kind: 'gitlab', url: 'https://git.example.org:8443/below' },
      lab: { kind: 'forgejo', url: 'https://lab.example.org' },
    },
  })
  return await rightsOf(database, settings, allowed)
}

const hosted = (connection: string, roles: Record<string, Role>) =>
  ask({ by: 'repositories', connection, roles: new Map(Object.entries(roles)) })
const granted = (...grants: [tenant: string, role: Role, repositories?: string[]][]) =>
  ask({
    by: 'grants',
    grants: grants.map(([tenant, role, globs]) => ({ tenant, role, repositories: globs ?? null })),
  })

const [shop, vault, site] = ['acme/shop', 'acme/vault', 'globex/site'].map(
  (name) => `git.example.org:8443/${name}`,
) as [string, string, string]
const tools = 'lab.example.org/acme/tools'

test('of a host: each repository by its role there, the tenant by the least of all its repositories', async () => {
  expect(await hosted('hub', { 3: 'admin' })).toEqual({
    globex: { role: 'admin', repositories: { [site]: 'admin' } },
  })
  // Of `tools`, which is on another host with the same id, this one has no say.
  expect(await hosted('hub', { 1: 'admin', 2: 'reviewer' })).toEqual({
    acme: { role: 'viewer', repositories: { [shop]: 'admin', [vault]: 'reviewer' } },
  })
  expect(await hosted('lab', { 1: 'reviewer', 2: 'admin' })).toEqual({
    acme: { role: 'viewer', repositories: { [tools]: 'reviewer' } },
  })
  expect(await hosted('old', { 4: 'reviewer' })).toEqual({
    initech: { role: 'reviewer', repositories: { 'old/initech/fax': 'reviewer' } },
  })
  for (const [connection, id] of [
    ['hub', '9'],
    ['lab', '3'],
    ['', '1'],
  ] as const)
    expect(await hosted(connection, { [id]: 'admin' })).toEqual({})
})

test('of a host with several repositories, the least of the roles is for the tenant', async () => {
  expect(await ask({ by: 'repositories', connection: 'hub', roles: new Map() })).toEqual({})
  const both = new Map<string, Role>([
    ['1', 'admin'],
    ['2', 'reviewer'],
  ])
  const database = await openEmptyDatabase()
  onTestFinished(() => database.close())
  await database.query(
    `insert into repository (connection, id, tenant, full_name, is_private)
     values ('hub', '1', 'acme', 'acme/shop', true), ('hub', '2', 'acme', 'acme/vault', true)`,
  )
  const rights = await rightsOf(
    database,
    { connections: {} },
    { by: 'repositories', connection: 'hub', roles: both },
  )
  expect(rights.acme?.role).toBe('reviewer')
})

test('of claims: a grant of the whole tenant names no repositories, and the most of several counts', async () => {
  expect(await granted()).toEqual({})
  expect(await granted(['acme', 'viewer'], ['acme', 'reviewer'], ['globex', 'admin'])).toEqual({
    acme: { role: 'reviewer', repositories: null },
    globex: { role: 'admin', repositories: null },
  })
  // Before its first repository is known.
  expect(await granted(['newcomer', 'admin'])).toEqual({ newcomer: { role: 'admin', repositories: null } })
})

test('of claims for some repositories: those alone, and a viewer of the tenant', async () => {
  expect(await granted(['acme', 'admin', ['acme/s*']])).toEqual({
    acme: { role: 'viewer', repositories: { [shop]: 'admin' } },
  })
  expect(await granted(['acme', 'viewer', ['acme/shop']], ['acme', 'reviewer', ['acme/*o*']])).toEqual({
    acme: { role: 'viewer', repositories: { [shop]: 'reviewer', [tools]: 'reviewer' } },
  })
  expect(await granted(['acme', 'admin', ['globex/site']])).toEqual({})
  expect(await granted(['newcomer', 'admin', ['*/*']])).toEqual({})
})

test('of claims for the tenant and for some repositories: each repository by the most that covers it', async () => {
  expect(await granted(['acme', 'reviewer'], ['acme', 'admin', ['acme/shop']])).toEqual({
    acme: { role: 'reviewer', repositories: { [shop]: 'admin', [vault]: 'reviewer', [tools]: 'reviewer' } },
  })
  expect(await granted(['newcomer', 'reviewer'], ['newcomer', 'admin', ['x/y']])).toEqual({
    newcomer: { role: 'reviewer', repositories: {} },
  })
})
