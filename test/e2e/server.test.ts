/** The server as a team starts it: one command, a webhook from a strict GitHub, a posted review. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { loadServerSettings } from '../../src/server/settings/load.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { isWhole } from '../helpers/matrix.ts'
import { needs } from '../helpers/needs/needs.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { serveLoaded } from '../helpers/served/server.ts'
import { environment, root } from '../helpers/sightline.ts'
import { startGitHubWithApp, webhookSecret } from '../server/intake/intake-world.ts'
import { watchRoles } from '../server/roles/watch-roles.ts'
import { type RunningServer, startServer } from '../server/server-world.ts'

/** The settings of the quick start for teams, with this host and App in the place of the made-up ones. */
function fromReadme(url: string, appId: number): Record<string, unknown> {
  const [, section = ''] = readFileSync(join(root, 'README.md'), 'utf8').split('\n## For teams\n')
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(section) ?? []
  expect(section).toContain('$ sightline serve --settings server.yaml')
  const settings = parse(text) as { connections: { github: Record<string, unknown> } }
  Object.assign(settings.connections.github, { url, appId: String(appId) })
  return settings
}

/** What the page for operators says that a server says at its start. */
function saidByGuide({ url, folder }: Pick<RunningServer, 'url' | 'folder'>): string {
  const page = readFileSync(join(root, 'docs/server/guide.md'), 'utf8')
  const [, said = ''] = /```\n(Sightline serves [\s\S]*?)```/.exec(page) ?? []
  return said.replace('http://127.0.0.1:8080', url).replaceAll('/srv/sightline', folder)
}

const leaked = ["token = 'ghp_", 'Zq3vXw8RtB5nMk2LpYc7DfGh4JsA1eUo6iTx', "'\n"].join('')

/** A repository without code: nothing of this is about parsers, and each analysis would start some. */
async function openShop() {
  const { github, app } = await startGitHubWithApp()
  const project = github.world.createProject('acme/shop', { files: { 'a.txt': 'one\n' } })
  project.roles.set('ada', 'write')
  github.state.install(app, [project])
  const open = (branch: string) => project.open({ branch, files: { 'a.txt': `${branch}\n${leaked}` } })
  return { github, app, open }
}

test('one command, one webhook, one review on the pull request', async () => {
  const { github, app, open } = await openShop()
  const server = await startServer({
    settings: fromReadme(github.url, app.id),
    files: { 'app-key.pem': app.privateKey, 'webhook-secret': webhookSecret },
  })
  expect(server.said).toBe(saidByGuide(server))
  if (process.platform === 'linux')
    expect(readFileSync(`/proc/${server.process.pid}/environ`, 'utf8')).toContain('MALLOC_TRIM_THRESHOLD_=')
  github.hooks.targets.set(app, { url: `${server.url}/webhooks/github`, secret: webhookSecret })
  const change = open('topic')
  expect(await github.hooks.pull(change, 'opened')).toEqual([202])
  const statuses = () => github.state.checks.map(({ status }) => status)
  const reviewed = async () =>
    await expect.poll(statuses, { timeout: 120_000, interval: 200 }).toEqual(['completed'])
  const { seen } = await watchRoles(server.process.pid ?? 0, reviewed())
  const secrets = [webhookSecret, 'PRIVATE KEY', 'ghs_', 'Zq3vXw8RtB5n', 'topic\n']
  if (process.platform === 'linux')
    for (const role of ['collector', 'analyzer', 'publisher']) {
      expect(seen.get(role), role).toContain('HOME=')
      for (const secret of secrets) expect(seen.get(role), role).not.toContain(secret)
    }
  expect(github.state.checks).toMatchObject([{ name: 'Sightline', commit: change.head }])
  expect(change.threads).toHaveLength(1)
  expect(change.threads[0]?.notes[0]?.author.login).toBe('sightline[bot]')
  // The lock goes last.
  await expect.poll(() => github.writes().at(-1)?.operation).toMatch(/^DELETE .*reactions/)
  // The same head again: nothing is posted twice.
  const writes = github.writes().length
  await github.hooks.pull(change, 'reopened')
  expect(await server.stop()).toBe(0)
  expect(github.writes()).toHaveLength(writes)
  expect(github.violations).toEqual([])
  for (const secret of secrets) expect(server.log.join('\n')).not.toContain(secret)
})

/** A server that shares nothing with others but the database: settings, keys and roles are its own. */
async function startRole(role: 'web' | 'worker', settings: object, files: Record<string, string>) {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries({
    ...files,
    'server.yaml': stringify({
      ...{ listen: { port: 0 }, dataFolder: join(folder, 'data') },
      ...{ ...settings, role, workers: { slots: 1 } },
    }),
  }))
    writeFileSync(join(folder, name), text, { mode: 0o600 })
  const loaded = loadServerSettings(
    environment({
      DATABASE_URL_FILE: join(folder, 'database-url'),
      SIGHTLINE_SERVER_SECRET_KEY_FILE: join(folder, 'secret-key'),
    }),
    join(folder, 'server.yaml'),
  )
  const home = { HOME: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder }
  const server = await serveLoaded(loaded, { environment: home })
  onTestFinished(server.stop)
  return server
}

/** By `npm run test:matrices`. As processes of their own, killed at random: test/server/chaos.test.ts. */
async function playRoles(): Promise<void> {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const { github, app, open } = await openShop()
  const files = {
    'app-key.pem': app.privateKey,
    'webhook-secret': webhookSecret,
    'secret-key': 'the-same-key-for-all-of-these-processes\n',
    'database-url': postgres.url,
  }
  const start = (role: 'web' | 'worker') => startRole(role, fromReadme(github.url, app.id), files)
  const web = await start('web')
  const workers = await Promise.all((['worker', 'worker'] as const).map(start))
  github.hooks.targets.set(app, { url: `${web.url}/webhooks/github`, secret: webhookSecret })
  const changes = ['one', 'two'].map(open)
  const sent = await Promise.all(changes.map((change) => github.hooks.pull(change, 'opened')))
  expect(sent.flat()).toEqual([202, 202])
  const reviewed = () =>
    github.state.checks.filter(({ status }) => status === 'completed').map(({ commit }) => commit)
  await expect.poll(() => reviewed().length, { timeout: 300_000, interval: 100 }).toBe(2)
  expect(reviewed().sort()).toEqual(changes.map(({ head }) => head).sort())
  expect(changes.map(({ threads }) => threads.length)).toEqual([1, 1])
  // A worker takes no webhooks, and says how it is.
  const [worker] = workers
  expect((await fetch(`${worker?.url}/webhooks/github`, { method: 'POST', body: '{}' })).status).toBe(404)
  expect((await fetch(`${worker?.url}/readyz`)).status).toBe(200)
  // The host shows a review a moment before its worker says that the job has ended.
  const ended = () => workers.flatMap(({ log }) => log.filter((line) => line.includes('"job-ended"')))
  await expect.poll(() => ended().length).toBe(2)
  await Promise.all([web, ...workers].map((server) => server.stop()))
  expect(ended()).toHaveLength(2)
  const seen = [web, ...workers].flatMap(({ log }) => log).join('\n')
  for (const secret of [webhookSecret, 'PRIVATE KEY', 'ghs_', 'Zq3vXw8RtB5n'])
    expect(seen).not.toContain(secret)
  expect(github.violations).toEqual([])
}

if (isWhole) test('one web and two workers on PostgreSQL', needs('PostgreSQL'), playRoles)
