/** The repositories of a tenant that share a policy: fetched in the background, read by reviews, and never seen by another tenant. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FileLedger } from '../../../src/ledger/files.ts'
import {
  type AccessParts,
  makeOpenAccess,
  makeWorkspaceSource,
} from '../../../src/server/access/open-access.ts'
import { deleteTenantFolders } from '../../../src/server/admin/tenants.ts'
import { repositoryHandlers } from '../../../src/server/api/hosted-repositories.ts'
import type { ApiCall } from '../../../src/server/api/routes.ts'
import { openConnections } from '../../../src/server/connections/connections.ts'
import { openSealer } from '../../../src/server/connections/sealed-secrets.ts'
import type { Caller } from '../../../src/server/http/caller.ts'
import type { ReviewJob } from '../../../src/server/jobs/contract.ts'
import { placesOf } from '../../../src/server/jobs/places.ts'
import { runJob } from '../../../src/server/jobs/run-job.ts'
import { Turns } from '../../../src/server/jobs/turns.ts'
import { openWorkspaces } from '../../../src/server/jobs/workspaces.ts'
import { workspaceOf, workspacesOf } from '../../../src/server/policies/workspace.ts'
import { defaultLimits } from '../../../src/server/roles/contract.ts'
import { ServerSettings } from '../../../src/server/settings/schema.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { startGitLab } from '../../helpers/hosts/gitlab/server.ts'
import { noSecrets } from '../../helpers/no-secrets.ts'
import { runRoleHere } from '../../helpers/role-here.ts'
import { application, library, setVisibility, withoutClose } from '../../workspace/hosted-world.ts'
import { hooks } from './pull-world.ts'

const secretKey = 'a key of this test that is long enough'

/** Two tenants on one GitLab, which both review `acme/client`; `web` is in the first one's workspace, `app` in the other's. */
async function openTenants(tenants: object) {
  const [fake, database, data] = [await startGitLab(), await openEmptyDatabase(), temporaryFolder()]
  onTestFinished(async () => {
    await Promise.all([fake.close(), database.close()])
  })
  const make = (name: string, files: Record<string, string>) => {
    const project = fake.world.createProject(name, { files })
    setVisibility(project, 'private')
    return project
  }
  const client = make('acme/client', library)
  const web = make('acme/web', application('src/quokka.ts', 'canary-of-web'))
  const app = make('globex/app', application('src/numbat.ts', 'canary-of-app'))
  const open = (branch: string) => client.open({ branch, files: withoutClose, title: 'Remove close' })
  const changes = { one: open('first'), two: open('second') }
  const of = { one: [client, web], two: [client, app] }
  const settings = ServerSettings.parse({
    connections: {
      one: { kind: 'gitlab', url: fake.url, tenant: 'one', token: { env: 'A' }, webhookSecret: { env: 'B' } },
      two: { kind: 'gitlab', url: fake.url, tenant: 'two', token: { env: 'A' }, webhookSecret: { env: 'B' } },
    },
    tenants,
  })
  const tokenOf = (tenant: 'one' | 'two') => {
    for (const project of of[tenant]) project.roles.set(tenant, 'maintain')
    const token = fake.state.addToken(tenant)
    return { appKey: null, token, webhookSecret: null, previousWebhookSecret: null }
  }
  const connections = openConnections({
    settings,
    secrets: { ...noSecrets, connections: { one: tokenOf('one'), two: tokenOf('two') } },
    ...{ database, data, sealer: openSealer(secretKey) },
  })
  for (const tenant of ['one', 'two'] as const) {
    await database.query('insert into tenant (tenant) values ($1)', [tenant])
    for (const { id, fullName } of of[tenant])
      await database.query(
        `insert into repository (connection, id, tenant, full_name, is_private) values ($1, $2, $1, $3, true)`,
        [tenant, String(id), fullName],
      )
  }
  const environment = { HOME: data, XDG_CONFIG_HOME: data }
  const parts: AccessParts = {
    ...{ database, settings, connections, secretKey, environment },
    now: () => new Date(),
  }
  const walled = { data, limits: defaultLimits, isBoxed: false, compiled: null, runRole: runRoleHere }
  /** Until every member was fetched once. */
  const fetchAll = async (count: number) => {
    const ends: string[] = []
    const errors: unknown[] = []
    const workspaces = openWorkspaces(
      { ...walled, source: makeWorkspaceSource(parts) },
      ({ tenant, how }) => ends.push(`${tenant} ${how}`),
      (error) => errors.push(error),
    )
    await expect.poll(() => ends.length + errors.length, { timeout: 120_000 }).toBe(count)
    await workspaces.stop()
    expect(errors).toEqual([])
    return ends.toSorted()
  }
  const review = async (tenant: 'one' | 'two') => {
    const job: ReviewJob = {
      address: `${fake.url}/acme/client/-/merge_requests/${changes[tenant].number}`,
      ...{ connection: tenant, installation: null, number: changes[tenant].number, head: null },
      repository: { host: new URL(fake.url).host, id: String(client.id), name: 'acme/client' },
      trigger: { id: `t-${tenant}`, kind: 'opened', by: 'ada' },
      decision: { kind: 'review', depth: 'offline', budgetUsd: null, notice: null },
    }
    const before = fake.writes().length
    const end = await runJob(
      tenant,
      job,
      {
        ...walled,
        openAccess: makeOpenAccess(parts),
        openLedger: (name) => new FileLedger(join(data, 'ledger', name)),
        ...{ turns: new Turns(2), indexing: null, live: null, workspaces: null, patience: 1 },
      },
      hooks(),
    )
    expect(end).toMatchObject({ kind: 'outcome' })
    return JSON.stringify([end, fake.writes().slice(before)])
  }
  const kept = (tenant: string) => {
    const folder = join(placesOf(data, tenant).fetchedOwn, 'workspace')
    return existsSync(folder) ? readdirSync(folder).filter((name) => /^[0-9a-f]{32}$/.test(name)).length : 0
  }
  return { database, settings, data, fake, client, web, fetchAll, review, kept }
}

const on = { policy: { workspace: true, sharedReaders: true } }

test('two tenants with the same repository never see each other’s', async () => {
  const world = await openTenants({ one: on, two: on })
  expect(await world.fetchAll(4)).toEqual(['one done', 'one done', 'two done', 'two done'])
  const [one, two] = [await world.review('one'), await world.review('two')]
  expect(one).toContain('acme/web')
  expect(one).toContain('canary-of-web')
  expect(one).not.toMatch(/globex|numbat|canary-of-app/)
  expect(two).toContain('globex/app')
  expect(two).toContain('canary-of-app')
  expect(two).not.toMatch(/acme\/web|quokka|canary-of-web/)
})

test('who provides what to whom is shown to those who may read both', async () => {
  const { fetchAll, database, settings, data, fake } = await openTenants({ one: on, two: {} })
  await fetchAll(2)
  // The first was worked out before the second was read.
  await fetchAll(2)
  const handlers = repositoryHandlers({ database, settings, data })
  const asked = async (repositories: Caller['repositories']) => {
    const caller = { tenant: 'one', repositories } as Caller
    const graph = await handlers.workspace({ caller } as ApiCall<'workspace'>)
    if (!('contracts' in graph)) throw new Error('the answer has another shape')
    const close = graph.contracts.find(({ name }) => name.endsWith('#close'))
    return [graph.repositories.map(({ name }) => name), close?.users.map(({ repository }) => repository)]
  }
  expect(await asked(null)).toEqual([['acme/client', 'acme/web'], ['acme/web']])
  const client = `${new URL(fake.url).host}/acme/client`
  expect(await asked(new Map([[client, 'viewer']]))).toEqual([['acme/client'], []])
  expect(await asked(new Map())).toEqual([[], undefined])
})

test('it is off until a policy turns it on, and a list names repositories of the tenant only', async () => {
  const { database, settings } = await openTenants({
    one: { repositories: { 'acme/client': { policy: { workspace: ['**'] } } } },
    two: {},
  })
  const namesFor = async (tenant: string, repository: string) =>
    (await workspaceOf(database, settings, { tenant, connection: tenant, repository })).map(
      ({ fullName }) => fullName,
    )
  expect(await namesFor('one', 'acme/client')).toEqual(['acme/web'])
  expect(await namesFor('one', 'acme/web')).toEqual([])
  expect(await namesFor('two', 'acme/client')).toEqual([])
  expect(await workspacesOf(database, settings, 'two')).toEqual([])
})

test('without the word of the operator, comments of private repositories show names and counts', async () => {
  const world = await openTenants({ one: { policy: { workspace: true } }, two: {} })
  await world.fetchAll(2)
  const said = await world.review('one')
  expect(said).toContain('acme/web')
  expect(said).not.toMatch(/quokka|canary-of-web/)
  expect(world.kept('two')).toBe(0)
})

test('a repository that is turned off is not read any more, and nothing stays of a tenant that is deleted', async () => {
  const world = await openTenants({ one: on, two: {} })
  await world.fetchAll(2)
  expect(world.kept('one')).toBe(2)
  await world.database.query(`update repository set is_enabled = false where full_name = 'acme/web'`)
  expect(await world.review('one')).not.toMatch(/quokka|canary-of-web/)
  await world.database.query(`update repository set is_enabled = false where full_name = 'acme/client'`)
  await world.fetchAll(0)
  expect(world.kept('one')).toBe(0)
  deleteTenantFolders(world.data, 'one')
  expect(
    readdirSync(world.data, { recursive: true })
      .map(String)
      .filter((path) => /workspace/.test(path)),
  ).toEqual([])
})
