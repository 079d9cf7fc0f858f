/** `sightline servers`, and the questions that ask one. */
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { noSandbox } from '../../src/code-index/language-servers/open-language-servers.ts'
import { createRepo, type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { entry, run, sightline } from '../helpers/sightline.ts'

function shop(): TestRepo {
  const repo = createRepo()
  repo.commit({
    'src/cart.ts': 'export class Cart {\n  countItems(): number {\n    return 1\n  }\n}\n',
    'src/use.ts': "import { Cart } from './cart'\nexport const all = (one: Cart) => one.countItems()\n",
  })
  return repo
}

test('servers lists each with where it is, or why it is not there', async () => {
  const settings = join(temporaryFolder(), 'settings.yaml')
  writeFileSync(settings, 'languageServers:\n  pyright:\n    enabled: false\n')
  const { stdout, code } = await sightline(['servers', '--json'], { env: { SIGHTLINE_SETTINGS: settings } })
  expect(code).toBe(0)
  const found: { name: string; version: string | null; from: string | null; absent: string | null }[] =
    JSON.parse(stdout)
  expect(found.map(({ name }) => name)).toEqual(['typescript', 'pyright', 'gopls', 'clangd', 'rust-analyzer'])
  expect(found[0]).toMatchObject({ version: '7.0.2', absent: null })
  expect(found[1]).toMatchObject({ from: null, absent: 'it is switched off in the settings' })
})

/** `bwrap` is looked for in these places; where it works, it can hide itself from what it starts. */
const bubblewraps = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'].filter(
  (path) => existsSync(path) && realpathSync(path) === path,
)

function withoutSandbox(args: string[], env: Record<string, string> = {}) {
  const command = [process.execPath, entry, ...args]
  const hidden = bubblewraps.flatMap((path) => ['--ro-bind', '/dev/null', path])
  const [program = '', ...all] =
    spawnSync('bwrap', ['--dev-bind', '/', '/', '--', 'true']).status === 0
      ? ['bwrap', '--dev-bind', '/', '/', ...hidden, '--', ...command]
      : command
  return run(program, all, { env })
}

test('on a machine without a sandbox all servers are absent, unless the operator allows them', async () => {
  const absent = async (env: Record<string, string> = {}): Promise<(string | null)[]> => {
    const { stdout } = await withoutSandbox(['servers', '--json'], env)
    return JSON.parse(stdout).map((server: { absent: string | null }) => server.absent)
  }
  const [typescript, pyright] = await absent()
  expect([typescript, pyright]).toEqual([noSandbox, noSandbox])
  const SIGHTLINE_SETTINGS = join(temporaryFolder(), 'settings.yaml')
  writeFileSync(SIGHTLINE_SETTINGS, 'sandbox: { languageServers: optional }\n')
  expect((await absent({ SIGHTLINE_SETTINGS })).slice(0, 2)).toEqual([null, null])
  const { stdout } = await withoutSandbox(['refs', 'countItems', '--repo', shop().path, '--server'])
  expect(stdout).toContain(`Answered by the index only: no server: ${noSandbox}.`)
})

test('--server names who vouches for each line; without it no server is asked', async () => {
  const { path } = shop()
  const plain = await sightline(['refs', 'countItems', '--repo', path])
  expect(plain.stdout).not.toContain('typescript 7')
  const served = await sightline(['refs', 'countItems', '--repo', path, '--server'])
  expect(served.stdout).toContain('src/use.ts:2  call in all  [receiver type; index and typescript 7.0.2, 1]')
  expect(served.stdout).toContain('Server: typescript 7.0.2, complete.')
  const callers = await sightline(['callers', 'countItems', '--repo', path, '--server', '--json'])
  expect(JSON.parse(callers.stdout)).toMatchObject({
    callers: [{ path: 'src/use.ts', sources: ['index', 'typescript 7.0.2'] }],
    server: { state: 'complete' },
  })
  const found = await sightline(['def', 'Cart', '--repo', path, '--server'])
  expect(found.stdout).toContain('1 of 1 are also listed by the server.')
})

test('a server that is switched off leaves the answer to the index', async () => {
  const settings = join(temporaryFolder(), 'settings.yaml')
  writeFileSync(settings, 'languageServers:\n  typescript:\n    enabled: false\n')
  const { path } = shop()
  const { stdout, code } = await sightline(['refs', 'countItems', '--repo', path, '--server'], {
    env: { SIGHTLINE_SETTINGS: settings },
  })
  expect(code).toBe(0)
  expect(stdout).toContain('[receiver type; index, 0.9]')
  expect(stdout).toContain(
    'Answered by the index only: no server: typescript: it is switched off in the settings.',
  )
})
