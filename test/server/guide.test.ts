/** The page for operators, walked on each host: its settings and its commands as written, to a gate that holds and a token. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { hostKinds } from '../../src/hosts/remote/contract.ts'
import { loadServerSettings } from '../../src/server/settings/load.ts'
import { openEmptyDatabase } from '../helpers/empty-database.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { serveLoaded } from '../helpers/served/server.ts'
import { environment, root, run, sightline } from '../helpers/sightline.ts'
import { openWeekHost } from '../week/hosts.ts'
import { openBalancer } from '../week/servers.ts'

const page = readFileSync(join(root, 'docs/server/guide.md'), 'utf8')
const titles = { github: '### GitHub', gitlab: '### GitLab', forgejo: '### Forgejo and Gitea' } as const
const commands = [...page.matchAll(/^\$ (sightline .*)$/gm)].map(([, command = '']) => command)
const settingsAfter = (title: string) =>
  parse(page.slice(page.indexOf(title)).match(/```yaml\n([\s\S]*?)```/)?.[1] ?? '')

type PageSettings = { dataFolder: string; connections: Record<string, Record<string, unknown>> }

// `serve` as a process of its own: test/e2e/server.test.ts.
test.each(hostKinds)('as written, on %s', async (name) => {
  expect(commands).toEqual([
    'sightline serve --settings server.yaml --check',
    'sightline serve --settings server.yaml',
    'sightline admin why https://github.com/acme/shop/pull/1 --settings server.yaml',
  ])
  const folder = temporaryFolder()
  const server = { url: null as string | null }
  const balancer = await openBalancer([server])
  onTestFinished(() => balancer.close())
  const host = await openWeekHost(name, balancer.url)
  onTestFinished(() => host.fake.close())
  const { connection, files } = host.settings()
  const settings = { ...settingsAfter(titles[name]), ...settingsAfter('## 4.') } as PageSettings
  expect(settings).toHaveProperty('policy.gate.failOn', 'high')
  const own = settings.connections[name] ?? {}
  expect(own.kind).toBe(name)
  // What is the operator's own: the address of the host, the number of the App, the place of the data.
  own.url = host.fake.url
  if (own.appId !== undefined) own.appId = connection.appId
  settings.dataFolder = join(folder, 'data')
  const secret = files[`${name}-webhook-secret`] ?? ''
  const beside = { ...files, 'webhook-secret': secret, 'server.yaml': stringify(settings) }
  for (const [file, text] of Object.entries(beside)) writeFileSync(join(folder, file), text, { mode: 0o600 })
  const database = await openEmptyDatabase()
  onTestFinished(() => database.close())
  mkdirSync(settings.dataFolder, { mode: 0o700 })
  symlinkSync(database.address, join(settings.dataFolder, 'database'))
  const env = { HOME: folder, SIGHTLINE_SERVER_LISTEN_PORT: '0' }
  const loaded = loadServerSettings(environment(env), join(folder, 'server.yaml'))
  const { url, stop } = await serveLoaded(loaded, { environment: env, database })
  onTestFinished(stop)
  server.url = url

  const checked = await sightline(['serve', '--settings', 'server.yaml', '--check'], { cwd: folder, env })
  expect(checked.stdout).toContain(`webhooks to https://sightline.example.org/webhooks/${name}`)

  const project = host.createProject('acme', 'shop', { 'a.ts': 'export const one = 1\n' })
  project.roles.set('ada', 'write')
  if (name === 'gitlab') project.roles.set('sightline', 'write')
  const pair = 'export const pair = ["AKIAZ3MGWXQ7T5LPRB2C", "q7Yx2LmV9cT4pRkN8sWbZ1dF6hJgA3eUoIyXvB0M"]\n'
  const change = project.open({ branch: 'topic', files: { 'a.ts': pair }, author: 'ada' })
  expect(await host.report({ change, action: 'opened' })).toBe(202)
  await expect
    .poll(() => host.marksOf(change, change.head), { timeout: 500_000, interval: 200 })
    .toEqual([{ isDone: true, isPassed: false }])

  const pull = { github: 'pull/1', gitlab: '-/merge_requests/1', forgejo: 'pulls/1' }[name]
  const why = ['admin', 'why', `${host.fake.url}/acme/shop/${pull}`, '--settings', 'server.yaml']
  await expect
    .poll(async () => (await sightline(why, { cwd: folder, env })).stdout, { timeout: 60_000 })
    .toMatch(/webhook change open[\s\S]*ended as reviewed[\s\S]*Nothing is waited for/)

  const asWritten = page.match(/```sh\n(curl [\s\S]*?\n)(curl [\s\S]*?)```/)?.slice(1) ?? []
  const [tenants = '', token = ''] = asWritten.map((line) => line.replaceAll('http://127.0.0.1:8080', url))
  const said = async (line: string) => JSON.parse((await run('sh', ['-c', line], { cwd: folder })).stdout)
  const listed = (await said(tenants)).tenants as { tenant: string }[]
  expect(listed).toHaveLength(1)
  const made = await said(token.replace('acme', listed[0]?.tenant ?? ''))
  const changes = await fetch(`${url}/api/v1/changes`, { headers: { authorization: `Bearer ${made.token}` } })
  expect(await changes.json()).toMatchObject({ items: [{ newest: { title: change.title }, reviews: 1 }] })

  // The author of the change may not open its gate, somebody else may.
  project.roles.set('bo', 'maintain')
  const note = change.comment('bo', '@sightline open-gate because the keys are revoked')
  expect(await host.report({ change, note, thread: null })).toBe(202)
  await expect
    .poll(() => host.marksOf(change, change.head).at(-1), { timeout: 500_000, interval: 200 })
    .toEqual({ isDone: true, isPassed: true })
  expect(host.fake.violations).toEqual([])
})
