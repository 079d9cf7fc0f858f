/** A review that asks language servers: claims confirmed and refuted, suggestions type-checked, and the same bytes again. */
import { renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { Review } from '../../src/domain/review.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { createRepo, type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { ownFolders, root, sightline } from '../helpers/sightline.ts'
import { emptyAnswer, fakeEnvironment, waitFinding } from './quick-world.ts'

const load = 'export function load(id: string): string {\n  return id\n}\n'
const added = "\n\n\n\nexport const count: number = load('a')\nexport const size = load('b')\n"

function changedRepo(config: string): TestRepo {
  const repo = createRepo()
  repo.commit(
    {
      '.sightline.yaml': config,
      'tsconfig.json': '{}',
      'src/load.ts': load,
      'src/use.ts': "import { load } from './load'\n",
    },
    'first',
  )
  repo.commit({ 'src/use.ts': `import { load } from './load'\n${added}` }, 'Count')
  return repo
}

const lineOfCount = 6
/** Where there is no sandbox, servers run without one. */
const anywhere = 'sandbox: { languageServers: optional }\n'
const claimAt = (line: number) => ({
  kind: 'type-mismatch',
  path: 'src/use.ts',
  line,
  checker: 'tsc',
  message: 'a string is no number',
})

const tag = { $tagAt: 'export const count' }
const finding = (title: string, replacement: string) => ({
  ...waitFinding,
  file: 'src/use.ts',
  tags: [tag],
  evidence: [{ id: tag, quote: 'export const count' }],
  explanation: `The types of \`count\` do not fit, and \`load('a')\` gives a string.`,
  title,
  claims: [claimAt(lineOfCount)],
  edits: [{ old: "export const count: number = load('a')", new: replacement }],
})

async function reviewed(value: object, settings = '', config = '') {
  const fake = await startFakeProvider('anthropic', { steps: [{ answer: 'good', value, times: 'always' }] })
  const repo = changedRepo(config)
  const env = { ...fakeEnvironment(fake, { settings: `${anywhere}${settings}` }), ...ownFolders() }
  const command = ['review', 'HEAD', '--repo', repo.path, '--json', '--quiet', '--fail-on', 'never']
  const first = await sightline(command, { env })
  return { fake, repo, env, command, first, review: Review.parse(JSON.parse(first.stdout)) }
}

test('quick: the compiler confirms the claim and the suggestion; a replay says the same without it', async () => {
  const value = {
    ...emptyAnswer,
    findings: [finding('A string is given to a number', "export const count: string = load('a')")],
  }
  const { fake, repo, env, first, review } = await reviewed(value)
  expect(first.stderr).toBe('')
  const [found] = review.findings
  expect(found?.severity).toBe('high')
  expect(found?.verifiedBy).toContain('1 claim confirmed by typescript 7.0.2')
  expect(found?.verifiedBy).toContain('the suggestion applies, parses and type-checks (typescript 7.0.2)')
  await fake.close()
  renameSync(repo.path, `${repo.path}-away`)
  const replayed = await sightline(['replay', 'last', '--json'], { env })
  renameSync(`${repo.path}-away`, repo.path)
  expect(replayed.stderr).toBe('')
  expect(replayed.stdout).toBe(first.stdout)
})

test('quick: a claim that the compiler refutes drops the finding, a suggestion that it refuses is not offered', async () => {
  const lastTag = { $tagAt: 'export const size' }
  const wrong = {
    ...finding('Nothing is wrong here', 'x'),
    tags: [lastTag],
    evidence: [{ id: lastTag, quote: 'export const size' }],
    claims: [claimAt(1)],
    edits: [],
  }
  const value = {
    ...emptyAnswer,
    findings: [finding('A string is given to a number', "export const count: boolean = load('a')"), wrong],
  }
  const { fake, review } = await reviewed(value)
  await fake.close()
  const [found] = review.findings
  expect(review.findings).toHaveLength(1)
  expect(found?.suggestion).toBeNull()
  const reasons = review.verdicts.map(({ reason }) => reason).join('\n')
  expect(reasons).toContain('with it typescript 7.0.2 finds error 2322 in line 6')
  expect(reasons).toContain('type-mismatch')
})

test('the operator switches servers off; the claim is open again, and a replay keeps to it', async () => {
  const value = {
    ...emptyAnswer,
    findings: [finding('A string is given to a number', 'export const count = 1')],
  }
  const { fake, env, first, review } = await reviewed(value, 'validation: { servers: off }')
  await fake.close()
  expect(review.findings[0]).toMatchObject({ severity: 'medium' })
  expect(JSON.stringify(review)).not.toContain('typescript 7')
  const replayed = await sightline(['replay', 'last', '--json'], { env })
  expect([replayed.stderr, replayed.stdout]).toEqual(['', first.stdout])
})

test('a server that hangs: the review goes on without it, and its replay too', async () => {
  const server = join(import.meta.dirname, '../helpers/fake-language-server/server.ts')
  const command = JSON.stringify([process.execPath, server, 'hangs at initialize'])
  const paths = JSON.stringify([dirname(server), root])
  const settings = `languageServers: { fake: { command: ${command}, languages: [typescript], readOnlyPaths: ${paths} } }`
  const value = {
    ...emptyAnswer,
    findings: [finding('A string is given to a number', 'export const count = 1')],
  }
  const config = 'validation: { serverSeconds: 1 }\n'
  const { fake, env, command: asked, first, review } = await reviewed(value, settings, config)
  expect(review.findings[0]).toMatchObject({ severity: 'medium' })
  expect(review.run.durationMs).toBeLessThan(15_000)
  const replayed = await sightline(['replay', 'last', '--json'], { env })
  expect([replayed.stderr, replayed.stdout]).toEqual(['', first.stdout])
  const loud = await sightline(asked.slice(0, -3), { env })
  expect(loud.stderr).toContain('language servers did not answer all questions within 1 s')
  await fake.close()
})

test('offline: not asked; with `servers: always` the finding says who confirmed it', async () => {
  const repo = createRepo()
  const use = "import { load } from './load'\nexport const x = load('a')\n"
  repo.commit({ 'tsconfig.json': '{}', 'src/load.ts': load, 'src/use.ts': use }, 'first')
  repo.commit({ 'src/load.ts': load.replace('(id: string)', '(id: string, times: number)') }, 'More')
  const settings = join(temporaryFolder(), 'settings.yaml')
  writeFileSync(settings, `${anywhere}validation: { servers: always }\n`)
  const env = ownFolders()
  const command = ['review', 'HEAD', '--repo', repo.path, '--json', '--quiet', '--depth', 'offline']
  const verifiedBy = (stdout: string) => Review.parse(JSON.parse(stdout)).findings[0]?.verifiedBy
  expect(verifiedBy((await sightline(command, { env })).stdout)).toContain(
    '1 claim confirmed by the code index',
  )
  const asked = await sightline(command, { env: { ...env, SIGHTLINE_SETTINGS: settings } })
  expect(verifiedBy(asked.stdout)).toContain('1 claim confirmed by the code index and typescript 7.0.2')
  const replayed = await sightline(['replay', 'last', '--json'], { env })
  expect(replayed.stdout).toBe(asked.stdout)
})
