/** Reviews on machines that few have. `npm run test:machines` looks at whole ones; these are the cheap oddities. */
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createRepo, TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { entry, ownFolders, run, sightline } from '../helpers/sightline.ts'

/** A call that is broken by the change of its function, in files whose names no locale of POSIX has. */
function brokenCall(repo: TestRepo): TestRepo {
  repo.commit({
    'größe.py': 'def total(items, tax):\n    return sum(items) * tax\n',
    'läden/use.py': 'from größe import total\n\nprint(total([1], 2))\n',
  })
  repo.commit({ 'größe.py': 'def total(items):\n    return sum(items)\n' })
  return repo
}

const review = ['review', 'HEAD', '--json']
const found = { findings: [{ rule: 'contract/signature-arity', anchor: { path: 'größe.py' } }] }

test('an odd path, no home, no locale, umask 077 and a proxy that nobody runs', needs('POSIX'), async () => {
  const folder = join(temporaryFolder(), 'Läden & mehr')
  mkdirSync(folder)
  const repo = new TestRepo(folder)
  repo.git('init', '--quiet')
  brokenCall(repo)
  const proxy = 'http://127.0.0.1:9'
  const env = { ...ownFolders(), LC_ALL: 'POSIX', LANG: '', http_proxy: proxy, https_proxy: proxy }
  const start = 'umask 077; unset HOME; exec "$@"'
  const words = [process.execPath, entry, ...review]
  const { code, stdout, stderr } = await run('sh', ['-c', start, 'sh', ...words], { cwd: folder, env })
  expect(code, stderr).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject(found)
  const rights = readdirSync(env.XDG_STATE_HOME, { recursive: true, encoding: 'utf8' }).map(
    (name) => lstatSync(join(env.XDG_STATE_HOME, name)).mode & 0o077,
  )
  expect(new Set(rights)).toEqual(new Set([0]))
})

test('a clock in February 2038, when seconds no longer fit into 32 bits', async () => {
  const repo = brokenCall(createRepo())
  // Files keep the clock of the machine, and so are years old: runs are kept longer.
  const SIGHTLINE_SETTINGS = join(temporaryFolder(), 'settings.yaml')
  writeFileSync(SIGHTLINE_SETTINGS, 'journal: { keepDays: 10000 }\n')
  const at = { cwd: repo.path, env: { ...ownFolders(), SIGHTLINE_SETTINGS } }
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2038, 1, 1) })
  onTestFinished(() => void vi.useRealTimers())
  const first = await sightline(review, at)
  expect(first.code, first.stderr).toBe(1)
  expect(JSON.parse(first.stdout)).toMatchObject(found)
  const [listed] = JSON.parse((await sightline(['runs', '--json'], at)).stdout)
  expect(listed.header.startedAt).toMatch(/^2038-02-01T/)
  expect((await sightline(['replay', 'last', '--json'], at)).stdout).toBe(first.stdout)
})
