/** The settings of the server: file and environment, secrets by reference, every fault at once and none of them a secret. */

import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UserError } from '../../../src/base/errors.ts'
import { bubblewrapPath } from '../../../src/base/sandbox/bubblewrap.ts'
import { ownKeys, prepareDataFolder } from '../../../src/server/settings/data-folder.ts'
import { environmentKeys, loadServerSettings, variableOf } from '../../../src/server/settings/load.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { needs } from '../../helpers/needs/needs.ts'
import { entry, run, sightline } from '../../helpers/sightline.ts'

const long = 'a secret that is long enough for anybody'

function load(text: string | null, environment: Record<string, string> = {}) {
  const folder = temporaryFolder()
  const file = join(folder, 'server.yaml')
  if (text !== null) writeFileSync(file, text)
  return loadServerSettings({ HOME: folder, ...environment }, text === null ? null : file)
}

function problemsOf(text: string | null, environment: Record<string, string> = {}): string {
  try {
    load(text, environment)
  } catch (error) {
    if (error instanceof UserError && error.code === 'server-settings-invalid') return error.message
    throw error
  }
  return ''
}

test('nothing set: one process, the embedded database, a GitHub connection without an App yet', () => {
  const { settings, secrets, path, dataFolder } = load(null)
  expect([settings.role, settings.listen, path]).toEqual([
    'all',
    { host: '127.0.0.1', port: 8080, proxies: 0 },
    null,
  ])
  expect(secrets.databaseUrl).toBeNull()
  expect(Object.keys(settings.connections)).toEqual(['github'])
  expect(dataFolder).toMatch(/\.local\/state\/sightline\/server$/)
})

test('the environment wins over the file, and every plain key has a variable', () => {
  const { settings } = load('listen:\n  port: 1000\nrole: all\n', { SIGHTLINE_SERVER_LISTEN_PORT: '2000' })
  expect(settings.listen.port).toBe(2000)
  expect(environmentKeys().map(({ path }) => variableOf(path))).toContain(
    'SIGHTLINE_SERVER_INTAKE_PER_SECOND',
  )
  const all = Object.fromEntries(
    environmentKeys()
      .filter(({ default: fallback }) => fallback !== undefined)
      .map(({ path, default: fallback }) => [variableOf(path), String(fallback)]),
  )
  expect(load(null, all).settings).toEqual(load(null).settings)
})

test('a key that GitHub would not take, and a database that is none, are told before the start', () => {
  const folder = temporaryFolder()
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const said = (key: string, url = 'postgresql://db/x') => {
    writeFileSync(join(folder, 'key.pem'), key)
    return problemsOf(
      `connections: { github: { kind: github, appId: '1', appKey: { file: ${join(folder, 'key.pem')} }, webhookSecret: { env: HOOK } } }`,
      { HOOK: long, DATABASE_URL: url },
    )
  }
  expect(said(privateKey)).toBe('')
  expect(said(publicKey)).toContain('`appKey` is not a private key')
  expect(said(privateKey.slice(0, 200))).toContain('`appKey` is not a private key')
  expect(said(privateKey, 'mysql://db/x')).toContain('must begin with `postgres://`')
})

test('a gate for a topic that is no plane any more is refused, instead of standing open', () => {
  const said = problemsOf('policy: { gate: { failOn: high, planes: [rules, security] } }')
  expect(said).toContain('there is no plane `security` any more')
  expect(said).toContain('write `reviewer` for what models find')
})

test('no tenant is called as the one below whose folders all others are', () => {
  for (const text of [
    'connections: { local: { kind: gitlab } }',
    'connections: { gitlab: { kind: gitlab, tenant: local } }',
  ])
    expect(problemsOf(text)).toMatch(/connections\.local: |`local` is reserved/)
})

test('secrets come from files and variables, and DATABASE_URL is what platforms set', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'secret')
  writeFileSync(file, `${long}\n`)
  const text = `connections:
  lab:
    kind: gitlab
    url: https://gitlab.example.org
    token: { env: LAB_TOKEN }
    webhookSecret: { file: ${file} }
`
  const { secrets } = load(text, {
    LAB_TOKEN_FILE: file,
    DATABASE_URL: 'postgres://db/x',
    SIGHTLINE_SERVER_SECRET_KEY_FILE: file,
  })
  expect(secrets.connections.lab).toMatchObject({ token: long, webhookSecret: long })
  expect([secrets.databaseUrl, secrets.secretKey]).toEqual(['postgres://db/x', long])
})

const faults: readonly [
  what: string,
  text: string | null,
  environment: Record<string, string>,
  says: RegExp,
][] = [
  ['an unknown key', 'lisen: {}\n', {}, /server\.yaml:1:1 There is no key `lisen`/],
  ['a wrong value', 'listen:\n  port: 70000\n', {}, /server\.yaml:2:9 listen\.port/],
  [
    'a secret in the file',
    'adminToken: hunter2-hunter2-hunter2-hunter2\n',
    {},
    /adminToken.*must not be in this file/,
  ],
  ['a misspelt variable', null, { SIGHTLINE_SERVER_PROT: '1' }, /\$SIGHTLINE_SERVER_PROT is not a setting/],
  ['a wrong variable', null, { SIGHTLINE_SERVER_LISTEN_PORT: 'http' }, /\$SIGHTLINE_SERVER_LISTEN_PORT/],
  [
    'a file that is missing',
    'adminToken: { file: /nowhere/at/all }\n',
    {},
    /adminToken: \/nowhere\/at\/all cannot be read: ENOENT/,
  ],
  [
    'a variable that is not set',
    'secretKey: { env: NOT_SET }\n',
    {},
    /secretKey: neither \$NOT_SET nor \$NOT_SET_FILE is set/,
  ],
  [
    'a short secret',
    null,
    { SIGHTLINE_SERVER_SECRET_KEY: 'short' },
    /secretKey: it has fewer than 32 characters/,
  ],
  ['two processes on one embedded database', 'role: worker\n', {}, /role: `worker` needs PostgreSQL/],
  [
    'a GitLab without secrets',
    'connections:\n  lab: { kind: gitlab }\n',
    {},
    /lab: `webhookSecret` is missing[\s\S]*lab: `token` is missing/,
  ],
  [
    'half an App',
    'connections:\n  gh: { kind: github, appId: "1" }\n',
    {},
    /`appId` and `appKey` belong together/,
  ],
  ['no YAML', 'a: [\n', {}, /server\.yaml/],
]

test.for(faults)('refused: %s', ([, text, environment, says]) => {
  const problems = problemsOf(text, environment)
  expect(problems).toMatch(says)
  expect(problems).not.toContain('hunter2')
})

test('all faults are reported at once', () => {
  const problems = problemsOf('listen:\n  port: -1\nrole: boss\n')
  expect(problems.split('\n').length).toBeGreaterThanOrEqual(2)
})

test('`serve --check` says what would be served, and exits with 2 for what is wrong', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'server.yaml')
  writeFileSync(file, 'url: https://sightline.example.org\n')
  const env = { HOME: folder, LAB: 'hunter2-hunter2-hunter2' }
  const good = await sightline(['serve', '--check', '--settings', file], { env })
  expect(good).toMatchObject({ code: 0, stderr: '' })
  expect(good.stdout).toContain('webhooks to https://sightline.example.org/webhooks/github')
  writeFileSync(file, 'urll: x\n')
  const bad = await sightline(['serve', '--check', '--settings', file], { env })
  expect([bad.code, bad.stdout]).toEqual([2, ''])
  expect(bad.stderr).toMatch(/settings of the server are not valid.*server\.yaml:1:1/)
})

test(
  '`serve --check` says why a data folder cannot be used, and leaves nothing behind',
  needs('bubblewrap'),
  async () => {
    const home = temporaryFolder()
    const folder = join(home, 'data')
    const words = (data: string) => ['serve', '--check', '--data', data]
    const env = { HOME: home, XDG_STATE_HOME: home }
    expect(await sightline(words(folder), { env })).toMatchObject({ code: 0, stderr: '' })
    writeFileSync(folder, '')
    for (const data of [folder, join(folder, 'below')])
      expect(await sightline(words(data), { env })).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/data folder .*data.*: it is a file and not a folder/),
      })
    rmSync(folder)
    mkdirSync(folder)
    // Root may write anywhere else.
    const there = ['--dev-bind', '/', '/']
    for (const [mount, why] of [
      [['--ro-bind', folder, folder], /data folder .*: its file system is read-only/],
      [['--size', '65536', '--tmpfs', folder], /data folder .*: its disk is full/],
    ] as const) {
      const said = await run(
        bubblewrapPath(),
        [...there, ...mount, process.execPath, entry, ...words(folder)],
        {
          env,
        },
      )
      expect(said).toMatchObject({ code: 3, stderr: expect.stringMatching(why) })
    }
    expect(readdirSync(folder)).toEqual([])
  },
)

test('the keys of a data folder are made once, for its owner only', () => {
  const folder = join(temporaryFolder(), 'data')
  mkdirSync(folder, { mode: 0o755 })
  prepareDataFolder(folder)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  const none = { secretKey: null, adminToken: null }
  const first = ownKeys(folder, none)
  expect(first.secretKey.length).toBeGreaterThanOrEqual(32)
  expect(ownKeys(folder, none)).toEqual(first)
  expect(statSync(join(folder, 'secret-key')).mode & 0o777).toBe(0o600)
  expect(readFileSync(first.adminTokenFile ?? '', 'utf8').trim()).toBe(first.adminToken)
  chmodSync(join(folder, 'secret-key'), 0o644)
  expect(() => ownKeys(folder, none)).toThrow('chmod 600')
})
