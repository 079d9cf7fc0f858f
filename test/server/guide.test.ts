/**
 * The page for operators, walked on each host with the rights, settings and commands that it names: to a review, a gate that holds, a
 * token and the dashboard. `serve` as a process of its own, and what it says: test/e2e/server.test.ts.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { type BuiltInHostKind, hostKinds } from '../../src/domain/host-kind.ts'
import { appPermissions } from '../../src/server/connections/app-rights.ts'
import { manifest } from '../../src/server/http/setup-routes.ts'
import { loadServerSettings } from '../../src/server/settings/load.ts'
import { signedIn } from '../dashboard/browser.ts'
import { chromiumPath } from '../helpers/chromium.ts'
import { openEmptyDatabase } from '../helpers/empty-database.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import type { Permissions } from '../helpers/hosts/github/state.ts'
import { connectHost, type HostOptions } from '../helpers/served/hosts.ts'
import { endOfCheck, serveLoaded, watchCheck } from '../helpers/served/server.ts'
import { environment, root, run, sightline } from '../helpers/sightline.ts'

const page = readFileSync(join(root, 'docs/server/guide.md'), 'utf8')
const titles: Readonly<Record<BuiltInHostKind, string>> = {
  ...{ github: '### GitHub', gitlab: '### GitLab', forgejo: '### Forgejo and Gitea' },
  ...{ bitbucket: '### Bitbucket Cloud', azure: '### Azure DevOps' },
}
const commands = [...page.matchAll(/^\$ (sightline .*)$/gm)].map(([, command = '']) => command)
const sectionOf = (title: string) => page.split(`\n${title}`)[1]?.split(/\n##+ /)[0] ?? ''
const settingsOf = (title: string) => parse(/```yaml\n([\s\S]*?)```/.exec(sectionOf(title))?.[1] ?? '')
/** In the words of the host: `Commit statuses` is `statuses`, `Pull request` is `pull_request`. */
const idOf = (name: string) => name.toLowerCase().replace('commit ', '').replaceAll(' ', '_')

/** `Issues and Pull requests: read and write; Contents: read` */
function appRights(): Permissions {
  const [, words = ''] = /Repository permissions: (.*)/.exec(sectionOf(titles.github)) ?? []
  const rights = words.split('; ').flatMap((words) => {
    const [names = '', access] = words.split(': ')
    const level = access === 'read' ? 'read' : 'write'
    return names.split(/, | and /).map((name) => [idOf(name), level] as const)
  })
  // GitHub gives it to every App.
  return Object.fromEntries([...rights, ['metadata', 'read']])
}

/** What the page says of the account and its token. */
const access: Readonly<Record<BuiltInHostKind, () => Pick<HostOptions, 'rights' | 'account'>>> = {
  github: () => ({ rights: appRights() }),
  gitlab: () => {
    const [, role, scope = ''] = /role (\w+) and a token with the scope `(\w+)`/.exec(page) ?? []
    expect(role).toBe('Developer')
    return { account: { scopes: [scope], role: 'write' } }
  },
  forgejo: () => {
    const [, role, words = ''] = /is an (\w+) of the repository, and a token with (.*)\.\n/.exec(page) ?? []
    expect(role).toBe('administrator')
    return {
      account: { scopes: [...words.matchAll(/`(.*?)`/g)].map(([, scope = '']) => scope), role: 'admin' },
    }
  },
  bitbucket: () => {
    const words = sectionOf(titles.bitbucket)
    expect(words).toContain('an administrator of the repository')
    const scopes = [...words.matchAll(/`read:(user|repository|pullrequest):bitbucket`/g)]
    const named = scopes.map(([, name = '']) => (name === 'user' ? 'account' : name))
    return { account: { scopes: named, role: 'admin' } }
  },
  azure: () => {
    const [, words = ''] = /a personal access token with (.*)\.\n/.exec(sectionOf(titles.azure)) ?? []
    const scopes = words.split(/, | and /).map((scope) => scopeOf[scope.replaceAll('`', '')] ?? scope)
    return { account: { scopes, role: 'write' } }
  },
}

/** Scopes of Azure DevOps, as its pages and as its API call them. */
const scopeOf: Readonly<Record<string, string>> = {
  'Code (Read)': 'vso.code',
  'Code (Status)': 'vso.code_status',
  'PR threads (Read & write)': 'vso.threads_full',
  'Identity (Read)': 'vso.identity',
  'Work items (Read)': 'vso.work',
}

type PageSettings = { dataFolder: string; connections: Record<string, Record<string, unknown>> }

test('rights and events of an App made by hand are those of one that is made by a click', () => {
  expect(appRights()).toEqual(appPermissions)
  const [, events = ''] = /Events: (.*?)\. /.exec(sectionOf(titles.github)) ?? []
  const { default_events: made } = manifest('https://sightline.example.org', 'github')
  expect(events.split(', ').map(idOf)).toEqual(made)
})

test('the unit starts what was started by hand, where it was', () => {
  const [, unit = ''] = /```ini\n([\s\S]*?)```/.exec(page) ?? []
  expect(unit.split('\n')).toEqual(
    expect.arrayContaining(['WorkingDirectory=/srv/sightline', `ExecStart=${commands[1]}`]),
  )
  for (const title of Object.values(titles))
    expect(settingsOf(title)).toMatchObject({ dataFolder: '/srv/sightline/data' })
})

test.each(hostKinds)('as written, on %s', { timeout: 900_000 }, async (kind) => {
  expect(commands).toEqual([
    'sightline serve --settings server.yaml --check',
    'sightline serve --settings server.yaml',
    'sightline admin why https://github.com/acme/shop/pull/1 --settings server.yaml',
  ])
  const pair = 'export const pair = ["AKIAZ3MGWXQ7T5LPRB2C", "q7Yx2LmV9cT4pRkN8sWbZ1dF6hJgA3eUoIyXvB0M"]\n'
  const host = await connectHost[kind]({ name: kind, files: { 'a.ts': pair }, ...access[kind]() })
  onTestFinished(() => host.close())
  const { change, project, secrets } = host
  project.roles.set('bo', kind === 'forgejo' ? 'write' : 'maintain')
  const folder = temporaryFolder()
  const settings = settingsOf(titles[kind]) as PageSettings
  const own = settings.connections[kind] ?? {}
  // What is the operator's own: the address of the host, the number of the App, the place of the data.
  own.url = host.url
  if (own.appId !== undefined) own.appId = host.connection().appId
  settings.dataFolder = join(folder, 'data')
  const write = (file: string, text: string | null) =>
    writeFileSync(join(folder, file), text ?? '', { mode: 0o600 })
  write('webhook-secret', secrets.webhookSecret)
  write(kind === 'github' ? 'app-key.pem' : `${kind}-token`, secrets.appKey ?? secrets.token)
  const database = await openEmptyDatabase()
  onTestFinished(() => database.close())
  mkdirSync(settings.dataFolder, { mode: 0o700 })
  symlinkSync(database.address, join(settings.dataFolder, 'database'))
  const env = { HOME: folder, SIGHTLINE_SERVER_LISTEN_PORT: '0' }
  const start = async (more: object) => {
    write('server.yaml', stringify({ ...settings, ...more }))
    const loaded = loadServerSettings(environment(env), join(folder, 'server.yaml'))
    const server = await serveLoaded(loaded, { environment: env, database })
    onTestFinished(server.stop)
    return server
  }
  const call = (...words: string[]) =>
    sightline([...words, '--settings', 'server.yaml'], { cwd: folder, env })

  const first = await start({})
  const checked = await call('serve', '--check')
  expect(checked.stdout).toContain(`webhooks to https://sightline.example.org/webhooks/${kind}`)

  const seen = watchCheck(host)
  await host.announce(first.url, 'opened')
  expect(await endOfCheck(host, first)).toMatchObject({ isPassed: true })
  expect(seen[0]?.title).toMatch(/^Waiting for a review/)
  await expect
    .poll(async () => (await call('admin', 'why', host.address())).stdout, { timeout: 240_000 })
    .toMatch(/webhook change (?:open|created)[\s\S]*ended as reviewed[\s\S]*Nothing is waited for/)
  expect(first.log.filter((line) => line.includes('right-missing'))).toEqual([])
  await first.stop()

  const second = await start(settingsOf('## 4.'))
  await host.say(second.url, change.comment('bo', '@sightline review'))
  const held = await endOfCheck(host, second, change.head, ({ title }) => title.includes('block'))
  expect(held.isPassed).toBe(false)

  const asWritten = page.match(/```sh\n(curl [\s\S]*?\n)(curl [\s\S]*?)```/)?.slice(1) ?? []
  const [tenants = '', token = ''] = asWritten.map((line) =>
    line.replaceAll('http://127.0.0.1:8080', second.url),
  )
  const said = async (line: string) => JSON.parse((await run('sh', ['-c', line], { cwd: folder })).stdout)
  const listed = (await said(tenants)).tenants as { tenant: string }[]
  expect(listed).toMatchObject([
    { tenant: expect.stringMatching(kind === 'github' ? /^github-\d+$/ : /^acme$/) },
  ])
  const made = await said(token.replace('acme', listed[0]?.tenant ?? ''))
  if (chromiumPath) {
    const dashboard = await signedIn(second.url, made.token)
    await dashboard.getByRole('link', { name: 'Reviews' }).first().click()
    await dashboard.getByRole('link', { name: change.title }).click()
    await dashboard.getByText('AWS').first().waitFor()
  }

  // The author of the change may not open its gate, somebody else may.
  await host.say(second.url, change.comment('bo', '@sightline open-gate because the keys are revoked'))
  const opened = await endOfCheck(host, second, change.head, ({ title }) => title.includes('opened by bo'))
  expect(opened.isPassed).toBe(true)
  expect(host.violations).toEqual([])
})
