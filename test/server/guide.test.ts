/** The page for operators, walked on each host: its settings and its commands as written, to the check and what explains it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { placeEmptyDatabase } from '../helpers/empty-database.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { shareForRoles } from '../helpers/kept-compiled.ts'
import { entry, root, sightline } from '../helpers/sightline.ts'
import { openWeekHost } from '../week/hosts.ts'
import { openBalancer, WeekServer } from '../week/servers.ts'

const page = readFileSync(join(root, 'docs/server/guide.md'), 'utf8')
const titles = { github: '### GitHub', gitlab: '### GitLab', forgejo: '### Forgejo and Gitea' } as const
const commands = [...page.matchAll(/^\$ (sightline .*)$/gm)].map(([, command = '']) => command)

type PageSettings = { dataFolder: string; connections: Record<string, Record<string, unknown>> }

test.each(['github', 'gitlab', 'forgejo'] as const)(
  'as written, on %s',
  { timeout: 600_000 },
  async (name) => {
    expect(commands).toEqual([
      'sightline serve --settings server.yaml --check',
      'sightline serve --settings server.yaml',
      'sightline admin why https://github.com/acme/shop/pull/1 --settings server.yaml',
    ])
    const folder = temporaryFolder()
    const place = { entry, folder, settings: {}, files: {}, env: { SIGHTLINE_SERVER_LISTEN_PORT: '0' } }
    const server = new WeekServer('guide', place)
    const balancer = await openBalancer([server])
    onTestFinished(() => balancer.close())
    const host = await openWeekHost(name, balancer.url)
    onTestFinished(() => host.fake.close())
    const { connection, files } = host.settings()
    const text = page.slice(page.indexOf(titles[name])).match(/```yaml\n([\s\S]*?)```/)?.[1] ?? ''
    const gate = page.slice(page.indexOf('## 4.')).match(/```yaml\n([\s\S]*?)```/)?.[1] ?? ''
    expect(parse(gate)).toHaveProperty('policy.gate.failOn', 'high')
    const settings = { ...parse(text), ...parse(gate) } as PageSettings
    const own = settings.connections[name] ?? {}
    expect(own.kind).toBe(name)
    // What is the operator's own: the address of the host, the number of the App, the place of the data.
    own.url = host.fake.url
    if (own.appId !== undefined) own.appId = connection.appId
    settings.dataFolder = join(folder, 'data')
    const secret = files[`${name}-webhook-secret`] ?? ''
    server.place.settings = settings
    server.place.files = { ...files, 'webhook-secret': secret, 'server.yaml': stringify(settings) }
    await shareForRoles(settings.dataFolder)
    // To make one takes longer than all of the rest, and is a matter of `test/server/database`.
    await placeEmptyDatabase(join(settings.dataFolder, 'database'))
    await server.start()
    onTestFinished(() => server.stop())

    const env = { HOME: folder, ...place.env }
    const checked = await sightline(['serve', '--settings', 'server.yaml', '--check'], {
      cwd: folder,
      env,
    })
    expect(checked.stdout).toContain(`webhooks to https://sightline.example.org/webhooks/${name}`)

    const project = host.createProject('acme', 'shop', { 'a.ts': 'export const one = 1\n' })
    project.roles.set('ada', 'write')
    const change = project.open({ branch: 'topic', files: { 'a.ts': 'export const one = 2\n' } })
    expect(await host.report({ change, action: 'opened' })).toBe(202)
    await expect
      .poll(() => host.marksOf(change, change.head), { timeout: 500_000, interval: 200 })
      .toEqual([{ isDone: true }])

    const pull = { github: 'pull/1', gitlab: '-/merge_requests/1', forgejo: 'pulls/1' }[name]
    const why = ['admin', 'why', `${host.fake.url}/acme/shop/${pull}`, '--settings', 'server.yaml']
    await expect
      .poll(async () => (await sightline(why, { cwd: folder, env })).stdout, { timeout: 60_000 })
      .toMatch(/webhook change open[\s\S]*ended as reviewed[\s\S]*Nothing is waited for/)
    expect(host.fake.violations).toEqual([])
  },
)
