/** `sightline doctor --servers`, and the questions that ask one. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { noSandbox } from '../../src/code-index/language-servers/open-language-servers.ts'
import { createRepo, type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { withoutSandbox } from '../helpers/needs/hide.ts'
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
  const env = settingsWith(`${anywhere}languageServers: { pyright: { enabled: false } }\n`)
  const { stdout, code } = await sightline(['doctor', '--servers', '--json'], { env })
  expect(code).toBe(0)
  const found: { name: string; version: string | null; from: string | null; absent: string | null }[] =
    JSON.parse(stdout)
  expect(found.map(({ name }) => name)).toEqual(['typescript', 'pyright', 'gopls', 'clangd', 'rust-analyzer'])
  expect(found[0]).toMatchObject({ version: '7.0.2', absent: null })
  expect(found[1]).toMatchObject({ from: null, absent: 'it is switched off in the settings' })
})

/** On any machine: where there is no sandbox, servers run without one. */
const anywhere = 'sandbox: { languageServers: optional }\n'

function settingsWith(text: string): Record<string, string> {
  const SIGHTLINE_SETTINGS = join(temporaryFolder(), 'settings.yaml')
  writeFileSync(SIGHTLINE_SETTINGS, text)
  return { SIGHTLINE_SETTINGS }
}

function alone(args: string[], env: Record<string, string> = {}) {
  const [program = '', ...all] = withoutSandbox([process.execPath, entry, ...args])
  return run(program, all, { env })
}

test('on a machine without a sandbox all servers are absent, unless the operator allows them', async () => {
  const doctor = await alone(['doctor', '--servers', '--json'], settingsWith(anywhere))
  expect(JSON.parse(doctor.stdout).slice(0, 2)).toMatchObject([{ absent: null }, { absent: null }])
  const { stdout } = await alone(['refs', 'countItems', '--repo', shop().path, '--server'])
  expect(stdout).toContain(`Answered by the index only: no server: ${noSandbox}.`)
})

test('--server names who vouches for each line; without it no server is asked', async () => {
  const { path } = shop()
  const env = settingsWith(anywhere)
  const plain = await sightline(['refs', 'countItems', '--repo', path])
  expect(plain.stdout).not.toContain('typescript 7')
  const served = await sightline(['refs', 'countItems', '--repo', path, '--server'], { env })
  expect(served.stdout).toContain('src/use.ts:2  call in all  [receiver type; index and typescript 7.0.2, 1]')
  expect(served.stdout).toContain('Server: typescript 7.0.2, complete.')
  const callers = await sightline(['callers', 'countItems', '--repo', path, '--server', '--json'], { env })
  expect(JSON.parse(callers.stdout)).toMatchObject({
    callers: [{ path: 'src/use.ts', sources: ['index', 'typescript 7.0.2'] }],
    server: { state: 'complete' },
  })
  const found = await sightline(['def', 'Cart', '--repo', path, '--server'], { env })
  expect(found.stdout).toContain('1 of 1 are also listed by the server.')
})

test('a server that is switched off leaves the answer to the index', async () => {
  const env = settingsWith(`${anywhere}languageServers: { typescript: { enabled: false } }\n`)
  const { path } = shop()
  const { stdout, code } = await sightline(['refs', 'countItems', '--repo', path, '--server'], {
    env,
  })
  expect(code).toBe(0)
  expect(stdout).toContain('[receiver type; index, 0.9]')
  expect(stdout).toContain(
    'Answered by the index only: no server: typescript: it is switched off in the settings.',
  )
})
