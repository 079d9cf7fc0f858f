/** From a webhook to a job: read from the host, decided by policy, one job for one head, every trigger with its reason. */
import { expect, test } from 'vitest'
import { Settings } from '../../../src/config/settings/schema.ts'
import { tenantTables } from '../../../src/server/admin/tables.ts'
import { deleteTenant } from '../../../src/server/admin/tenants.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { openIntakeWorld } from './intake-world.ts'

const files = { 'a.ts': 'export const one = 2\n' }

test('a webhook becomes one job about what the host says now', async () => {
  const world = await openIntakeWorld()
  const { github, project, tenant } = world
  project.roles.set('ada', 'write')
  const change = project.open({ branch: 'topic', files })
  const first = change.head
  expect(await github.hooks.pull(change, 'opened')).toEqual([202])
  await world.settled()
  const [job, ...others] = await world.jobs()
  expect(others).toEqual([])
  expect(job).toMatchObject({
    ...{ tenant, kind: 'review', lane: `github/${project.id}#1`, state: 'queued', priority: 50 },
    payload: {
      address: `${github.url}/acme/shop/pull/1`,
      connection: 'github',
      installation: String(world.installation.id),
      repository: { host: new URL(github.url).host, id: String(project.id), name: 'acme/shop' },
      ...{ number: 1, head: change.head },
      trigger: { kind: 'opened', by: null },
      decision: { kind: 'review', depth: 'auto', budgetUsd: null, notice: null },
    },
  })
  // The same again, and a label that changes nothing: the job that there is.
  change.labels.push('good first issue')
  await github.hooks.pull(change, 'opened')
  await github.hooks.pull(change, 'labeled')
  await world.settled()
  expect(await world.jobs()).toHaveLength(1)
  change.push({ 'a.ts': 'export const one = 3\n' })
  await github.hooks.pull(change, 'synchronize')
  await world.settled()
  const [newest, older] = await world.jobs()
  expect([newest?.payload.head, newest?.state, older?.state]).toEqual([change.head, 'queued', 'superseded'])
  // An older event that comes late does not bring back its head.
  const late = { action: 'opened', number: 1, pull_request: { head: { sha: first } } }
  await github.hooks.send(project, 'pull_request', late)
  await world.settled()
  expect((await world.jobs()).map(({ id }) => id)).toEqual([newest?.id, older?.id])
  const triggers = await world.triggers()
  expect(triggers.every(({ job: made, state }) => made !== null && state === null)).toBe(true)
  expect(github.violations).toEqual([])
})

test('what the event says of the change is not believed', async () => {
  const world = await openIntakeWorld()
  const { github, project } = world
  const change = project.open({ branch: 'topic', files, isDraft: true })
  const body = (fields: object) => ({ action: 'opened', number: 1, pull_request: fields })
  const lie = { draft: false, head: { sha: change.head }, user: { login: 'acme' }, labels: [] }
  await github.hooks.send(project, 'pull_request', body(lie))
  await world.settled()
  const [job] = await world.jobs()
  expect(job?.payload.decision).toEqual({ kind: 'skip', why: 'draft', by: 'the policy of this server' })
  // A number that does not exist ends as well, and makes no job.
  await github.hooks.send(project, 'pull_request', { ...body(lie), number: 99 })
  await world.settled()
  expect(await world.jobs()).toHaveLength(1)
  expect((await world.triggers()).at(-1)).toMatchObject({
    ...{ number: 99, state: 'not-reviewed', reason: 'gone', job: null },
  })
})

test('a host that lags behind its own event, or fails, is asked again until it answers', async () => {
  const world = await openIntakeWorld()
  const { github, project } = world
  project.roles.set('ada', 'write')
  const change = project.open({ branch: 'topic', files })
  const shown = change.head
  const pushed = change.push({ 'a.ts': 'export const one = 3\n' })
  change.head = shown
  const event = { action: 'synchronize', number: 1, pull_request: { head: { sha: pushed } } }
  await github.hooks.send(project, 'pull_request', event)
  await expect
    .poll(() => world.lines.filter((line) => line.includes('lags behind')).length)
    .toBeGreaterThan(0)
  expect(await world.jobs()).toEqual([])
  change.head = pushed
  await world.settled()
  expect((await world.jobs()).map(({ payload }) => payload.head)).toEqual([pushed])
  const other = project.open({ branch: 'other', files })
  for (let at = 0; at < 4; at++)
    github.faults.at(1, { kind: 'fail-before', status: 502 }, ({ path }) => path.endsWith('/pulls/2'))
  await github.hooks.pull(other, 'opened')
  await world.settled()
  expect((await world.jobs())[0]?.payload.head).toBe(other.head)
})

test('a change that is closed, however often its host fails, or a repository that is off, ends without a job', async () => {
  const world = await openIntakeWorld()
  const { github, project, database } = world
  project.roles.set('ada', 'write')
  const change = project.open({ branch: 'topic', files })
  await github.hooks.pull(change, 'opened')
  await world.settled()
  const ends = () => github.state.checks.map(({ status, conclusion }) => [status, conclusion])
  expect(ends()).toEqual([['queued', null]])
  change.close()
  for (const nth of [1, 2])
    github.faults.at(
      nth,
      { kind: 'fail-before', status: 502 },
      ({ path, isWrite }) => isWrite && path.includes('check-runs'),
    )
  await github.hooks.pull(change, 'closed')
  await world.settled()
  expect(ends()).toEqual([['completed', 'neutral']])
  expect((await world.jobs()).map(({ state }) => state)).toEqual(['skipped'])
  expect((await world.triggers()).at(-1)).toMatchObject({ state: 'skipped', reason: 'closed' })
  await database.query('update repository set is_enabled = false')
  const other = project.open({ branch: 'other', files })
  await github.hooks.pull(other, 'opened')
  await world.settled()
  expect(await world.jobs()).toHaveLength(1)
  expect((await world.triggers()).at(-1)).toMatchObject({
    ...{ state: 'skipped', reason: 'policy', decision: 'skipped: turned off by its owner' },
  })
})

test('a suspended installation, and one of somebody else, reach nothing', async () => {
  const world = await openIntakeWorld()
  const { github, project, installation, app } = world
  const change = project.open({ branch: 'topic', files })
  installation.isSuspended = true
  await github.hooks.pull(change, 'opened')
  await world.settled()
  const other = github.world.createProject('evil/shop', { files })
  const theirs = github.state.install(app, [other])
  // Their installation, our repository: a token for it cannot be had.
  const body = {
    ...{ action: 'opened', number: 1, pull_request: { head: { sha: change.head } } },
    repository: { id: project.id, full_name: 'acme/shop' },
    installation: { id: theirs.id },
  }
  await github.hooks.send(other, 'pull_request', body)
  await world.settled()
  const [row] = await world.database.query<{ count: number }>('select count(*)::int as count from job')
  expect(row?.count).toBe(0)
})

test('of a tenant that is deleted while the host is asked about a change, nothing is written any more', async () => {
  const world = await openIntakeWorld()
  const { github, project, database, tenant } = world
  const connection = world.connections.get('github')
  if (!connection) throw new Error('no connection')
  const open = connection.open.bind(connection)
  connection.open = async (...given) => {
    const data = temporaryFolder()
    const { journal } = Settings.parse({})
    await deleteTenant({ database, journal, environment: { XDG_STATE_HOME: data }, dataFolder: data, tenant })
    return await open(...given)
  }
  await github.hooks.pull(
    project.open({ branch: 'topic', files: { 'a.ts': 'export const one = 2\n' } }),
    'opened',
  )
  await world.settled()
  const tables = await tenantTables(database)
  const left = await Promise.all(
    tables.map((table) => database.query(`select 1 from "${table}" where tenant = $1`, [tenant])),
  )
  expect(tables).toContain('webhook_delivery')
  expect(left.flat()).toEqual([])
})

test('who was too slow, so that another process took the events up, shows and asks for nothing', async () => {
  const world = await openIntakeWorld()
  const { github, project, database, lines } = world
  project.roles.set('ada', 'write')
  const change = project.open({ branch: 'topic', files })
  // While this process waits for the host.
  const answerElsewhere = () =>
    database.query(
      "update webhook_delivery set attempts = attempts + 1, settled_at = now(), result = 'elsewhere'",
    )
  const isRead = ({ path }: { path: string }) => path.endsWith('/pulls/1')
  github.faults.at(1, { kind: 'run', action: answerElsewhere }, isRead)
  await github.hooks.pull(change, 'opened')
  const ended = () => lines.filter((line) => /intake-(?:retaken|answered)/.test(line))
  await expect.poll(() => ended().length, { timeout: 60_000 }).toBe(1)
  expect(ended()[0]).toContain('intake-retaken')
  expect(await world.jobs()).toEqual([])
  expect(github.state.checks).toEqual([])
  const results = await database.query('select result from webhook_delivery')
  expect(results).toEqual([{ result: 'elsewhere' }])
})

test('that a commit waits is taken back when its process ended before it made a job, and the change was closed or pushed to', async () => {
  for (const end of ['closed', 'pushed'] as const) {
    const world = await openIntakeWorld()
    const { github, project, app, installation } = world
    project.roles.set('ada', 'write')
    const change = project.open({ branch: 'topic', files })
    const { head } = change
    const run = { name: 'Sightline', head_sha: head, status: 'queued', external_id: 'sightline-unfinished' }
    const { token } = github.state.addInstallationToken(installation)
    const answer = await fetch(`${github.apiUrl}/repos/acme/shop/check-runs`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        'x-github-api-version': '2022-11-28',
      },
      body: JSON.stringify(run),
    })
    expect(answer.status).toBe(201)
    const opened = github.hooks.pull(change, 'opened')
    if (end === 'closed') change.close()
    else change.push({ 'a.ts': 'export const one = 3\n' })
    await opened
    await github.hooks.pull(change, end === 'closed' ? 'closed' : 'synchronize')
    await world.settled()
    const own = github.state.checks.filter((check) => check.app === app && check.commit === head)
    expect(own.map(({ status }) => status)).toEqual(['completed'])
    expect(github.violations).toEqual([])
  }
})
