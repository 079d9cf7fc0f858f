/** A review names what other repositories of the operator's workspace use of what it breaks, and where. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isReviewed, memberOf } from '../../src/assembly/workspace/members.ts'
import { defaultSettings } from '../../src/config/settings/schema.ts'
import type { Review } from '../../src/domain/review.ts'
import { createRepo, type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'

/** A client library, and an application that uses it. */
function library(): TestRepo {
  const repo = createRepo()
  repo.commit({
    'package.json':
      '{ "name": "@acme/client", "version": "2.0.0", "type": "module", "exports": "./src/index.ts" }\n',
    'src/index.ts':
      "export { connect } from './connect.ts'\n\nexport function close(): void {}\n\nexport function ping(): void {}\n",
    'src/connect.ts': 'export function connect(url: string): string {\n  return url\n}\n',
  })
  return repo
}

function application(): TestRepo {
  const repo = createRepo()
  repo.git('remote', 'add', 'origin', 'git@github.com:acme/web.git')
  repo.commit({
    'package.json': '{ "name": "web", "dependencies": { "@acme/client": "^2.0.0" } }\n',
    'src/api.ts':
      "import { close, connect } from '@acme/client'\n\nexport const api = connect('/')\nclose()\n",
  })
  return repo
}

function settingsOf(...repositories: string[]) {
  const folder = temporaryFolder()
  const file = join(folder, 'settings.yaml')
  writeFileSync(file, JSON.stringify({ workspace: { repositories } }))
  return {
    SIGHTLINE_SETTINGS: file,
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_STATE_HOME: join(folder, 'state'),
  }
}

async function reviewOf(repo: TestRepo, env: Record<string, string>, ...args: string[]): Promise<Review> {
  const { stdout } = await sightline(['review', 'HEAD', '--depth', 'offline', '--json', ...args], {
    cwd: repo.path,
    env,
  })
  return JSON.parse(stdout)
}

const across = ({ findings }: Review) => findings.filter(({ plane }) => plane === 'across')

test('a removed export is named with the line that imports it elsewhere', async () => {
  const [client, web] = [library(), application()]
  const env = settingsOf(client.path, web.path)
  client.commit({
    'src/index.ts': "export { connect } from './connect.ts'\n\nexport function ping(): void {}\n",
  })
  const review = await reviewOf(client, env)
  const [finding, ...others] = across(review)
  expect(others).toEqual([])
  expect(finding).toMatchObject({
    rule: 'across/package-removed',
    severity: 'high',
    confidence: 'certain',
    side: 'old',
  })
  expect(finding?.title).toContain('`acme/web` still uses')
  const cited = finding?.evidence.map(({ evidence }) => review.evidence.find(({ id }) => id === evidence))
  const head = web.git('rev-parse', 'HEAD').trim()
  expect(cited?.[0]).toMatchObject({
    source: 'workspace',
    elsewhere: {
      ...{ repository: 'acme/web', path: 'src/api.ts', line: 1, commit: head },
      url: `https://github.com/acme/web/blob/${head}/src/api.ts#L1`,
    },
  })
  expect(finding?.evidence[0]?.quote).toBe("import { close, connect } from '@acme/client'")
  const run = await sightline(['replay', 'last', '--json'], { cwd: client.path, env })
  expect(run.code, run.stderr).toBeLessThan(2)
})

test('what nobody uses, and what stays as it is, is no news', async () => {
  const [client, web] = [library(), application()]
  const env = settingsOf(client.path, web.path)
  client.commit({
    'src/index.ts': "export { connect } from './connect.ts'\n\nexport function close(): void {}\n",
  })
  expect(across(await reviewOf(client, env))).toEqual([])
  client.commit({
    'src/connect.ts': 'export function connect(address: string): string {\n  return address\n}\n',
  })
  expect(across(await reviewOf(client, env))).toEqual([])
})

test('a repository is read as it is on its default branch, and again when that moves', async () => {
  const [client, web] = [library(), application()]
  const env = settingsOf(client.path, web.path)
  client.commit({ 'src/index.ts': "export { connect } from './connect.ts'\n" })
  expect(across(await reviewOf(client, env))).toHaveLength(1)
  web.git('checkout', '-qb', 'feature')
  web.commit({ 'src/other.ts': "import { ping } from '@acme/client'\nping()\n" })
  expect(across(await reviewOf(client, env))).toHaveLength(1)
  web.git('checkout', '-q', 'main')
  web.commit({ 'src/api.ts': "import { connect } from '@acme/client'\n\nexport const api = connect('/')\n" })
  expect(across(await reviewOf(client, env))).toEqual([])
})

test('a repository that cannot be read is named in the coverage', async () => {
  const client = library()
  const env = settingsOf(join(temporaryFolder(), 'gone'))
  client.commit({ 'src/index.ts': "export { connect } from './connect.ts'\n" })
  const { coverage } = await reviewOf(client, env)
  expect(JSON.stringify(coverage)).toContain('the repository gone was not read')
})

test('a companion branch of the same name settles what breaks, and the order of merging is told', async () => {
  const [client, web] = [library(), application()]
  const env = settingsOf(client.path, web.path)
  web.git('checkout', '-qb', 'drop-close')
  web.commit({ 'src/api.ts': "import { connect } from '@acme/client'\n\nexport const api = connect('/')\n" })
  web.git('checkout', '-q', 'main')
  client.git('checkout', '-qb', 'drop-close')
  client.commit({
    'src/index.ts': "export { connect } from './connect.ts'\n\nexport function ping(): void {}\n",
  })
  const ofBranch = async () => {
    const { stdout } = await sightline(['review', 'drop-close', '--depth', 'offline', '--json'], {
      cwd: client.path,
      env,
    })
    return across(JSON.parse(stdout))
  }
  expect(await ofBranch()).toMatchObject([
    { severity: 'low', remedy: 'Merge the branch `drop-close` of `acme/web` first.' },
  ])
  web.git('checkout', '-q', 'drop-close')
  web.commit({ 'src/new.ts': "import { close } from '@acme/client'\nclose()\n" })
  web.git('checkout', '-q', 'main')
  expect(await ofBranch()).toMatchObject([{ severity: 'high' }])
})

test('a repository says what it provides, and whose contracts it needs, and its head does not', async () => {
  const say = (words: object) => ({ '.sightline.yaml': `${JSON.stringify({ workspace: words })}\n` })
  const removed = { 'src/index.ts': "export { connect } from './connect.ts'\n" }
  const found = async (provider: object | null, user: object | null, head: object | null = null) => {
    const [client, web] = [library(), application()]
    client.git('remote', 'add', 'origin', 'git@github.com:acme/client.git')
    if (provider) client.commit(say(provider))
    if (user) web.commit(say(user))
    client.commit({ ...removed, ...(head ? say(head) : {}) })
    return across(await reviewOf(client, settingsOf(client.path, web.path))).length
  }
  expect(await found({ provides: ['package', 'http'] }, { needs: ['acme/cl*'] })).toBe(1)
  expect(await found({ provides: ['http'] }, null)).toBe(0)
  expect(await found(null, { needs: ['acme/api'] })).toBe(0)
  expect(await found(null, null, { provides: ['http'] })).toBe(1)
  expect(await found(null, { needs: 'not a list' })).toBe(1)
})

test.each([
  ['git@github.com:acme/client.git', 'https://github.com/acme/client', true],
  ['https://github.com/Acme/Client', 'https://github.com/acme/client', true],
  ['https://github.com/acme/web.git', 'https://github.com/acme/client', false],
  [null, 'https://github.com/acme/client', false],
])('a repository from %s listed as %s is the reviewed one: %s', (originUrl, name, isOwn) => {
  const parts = { settings: defaultSettings, environment: {}, folders: { cache: null } }
  const reviewed = { repositoryLabel: temporaryFolder(), originUrl, request: {} }
  expect(isReviewed(memberOf(name, parts), null, reviewed)).toBe(isOwn)
})

test('another clone of the reviewed repository is none of the others', () => {
  const originUrl = 'git@github.com:acme/client.git'
  const [folder, other] = [library().path, library().path]
  const parts = { settings: defaultSettings, environment: {}, folders: { cache: null } }
  const known = { name: other, commit: '', tree: '', committedAt: '', label: 'acme/client', originUrl }
  const isOwn = (origin: string | null) =>
    isReviewed(memberOf(other, parts), known, { repositoryLabel: folder, originUrl: origin, request: {} })
  expect([isOwn(originUrl), isOwn('https://github.com/acme/web'), isOwn(null)]).toEqual([true, false, false])
})
