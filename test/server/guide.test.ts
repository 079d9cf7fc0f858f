/**
 * The page for operators, walked on one host, drawn by a seed, with the rights, settings and commands that it names: to a review, a gate that holds, a
 * token and the dashboard. `serve` as a process of its own, and what it says: test/e2e/server.test.ts; on a machine with nothing else:
 * test/machines/walk.test.ts.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { hostKinds } from '../../src/domain/host-kind.ts'
import { appPermissions } from '../../src/server/connections/app-rights.ts'
import { manifest } from '../../src/server/http/setup-routes.ts'
import { loadServerSettings } from '../../src/server/settings/load.ts'
import { signedIn } from '../dashboard/browser.ts'
import { chromiumPath } from '../helpers/chromium.ts'
import { openEmptyDatabase } from '../helpers/empty-database.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import {
  accessFile,
  appRights,
  blocked,
  guide,
  guideAccess,
  hostTitles,
  idOf,
  ownSettings,
  sectionOf,
  settingsOf,
  tokenCalls,
} from '../helpers/guide.ts'
import { drawn } from '../helpers/matrix.ts'
import { connectHost } from '../helpers/served/hosts.ts'
import { endOfCheck, serveLoaded, watchCheck } from '../helpers/served/server.ts'
import { environment, run, sightline } from '../helpers/sightline.ts'

const commands = [...guide.matchAll(/^\$ (sightline .*)$/gm)].map(([, command = '']) => command)

test('rights and events of an App made by hand are those of one that is made by a click', () => {
  expect(appRights()).toEqual(appPermissions)
  const [, events = ''] = /Events: (.*?)\. /.exec(sectionOf(hostTitles.github)) ?? []
  const { default_events: made } = manifest('https://sightline.example.org', 'github')
  expect(events.split(', ').map(idOf)).toEqual(made)
})

test('the unit starts what was started by hand, where it was', () => {
  const [, unit = ''] = /```ini\n([\s\S]*?)```/.exec(guide) ?? []
  expect(unit.split('\n')).toEqual(
    expect.arrayContaining(['WorkingDirectory=/srv/sightline', `ExecStart=${commands[1]}`]),
  )
  for (const title of Object.values(hostTitles))
    expect(settingsOf(title)).toMatchObject({ dataFolder: '/srv/sightline/data' })
})

test.each(drawn(hostKinds, 5))('as written, on %s', async (kind) => {
  expect(commands).toEqual([
    'sightline serve --settings server.yaml --check',
    'sightline serve --settings server.yaml',
    'sightline admin why https://github.com/acme/shop/pull/1 --settings server.yaml',
  ])
  const host = await connectHost(kind, { name: kind, files: { 'a.txt': blocked }, ...guideAccess[kind]() })
  onTestFinished(() => host.close())
  const { change, project, secrets } = host
  project.roles.set('bo', kind === 'forgejo' ? 'write' : 'maintain')
  const folder = temporaryFolder()
  const settings = ownSettings(kind, { url: host.url, ...host.connection() })
  settings.dataFolder = join(folder, 'data')
  const write = (file: string, text: string | null) =>
    writeFileSync(join(folder, file), text ?? '', { mode: 0o600 })
  write('webhook-secret', secrets.webhookSecret)
  write(accessFile(kind), secrets.appKey ?? secrets.token)
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

  const [tenants = '', token = ''] = tokenCalls().map((line) =>
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
