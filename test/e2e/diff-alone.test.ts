/** Where the rest of the repository cannot be looked at, the diff alone is reviewed, and the review says so. */
import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Review } from '../../src/index.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { createRepo, type Files, TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { scoutCall } from '../helpers/scout-call.ts'
import { ownFolders, sightline } from '../helpers/sightline.ts'
import { emptyAnswer, fakeEnvironment, keptRepo } from './quick-world.ts'

const cart = (body: string) => `export function total(items: number[]): number {\n  return ${body}\n}\n`
const key = `const token = '${'ghp_'}${'q8Zr4TnV1xKp7LmB3wYc9HsD2fGj6RtE5uNa'}'\n`

/** The change adds a secret, which the diff alone is enough to see; `more` lies beside it, untouched. */
function changedRepo(more: Files = {}, repo = createRepo()): TestRepo {
  repo.commit({ 'src/cart.ts': cart('0'), 'lib/a/one.ts': 'export const one = 1\n', ...more })
  repo.commit({ 'src/cart.ts': `${key}${cart('items.length')}` })
  return repo
}

async function reviewOf(
  repo: TestRepo,
  ...more: string[]
): Promise<{ review: Review; exitCode: number | null }> {
  const env = ownFolders()
  const told = await sightline(
    ['review', 'HEAD', '--repo', repo.path, '--depth', 'offline', '--json', '--quiet', ...more],
    { env },
  )
  expect(told.stderr).toBe('')
  return { review: JSON.parse(told.stdout), exitCode: told.code }
}

const looseObject = (repo: TestRepo, id: string) =>
  join(repo.path, '.git/objects', id.slice(0, 2), id.slice(2))

const filler = Object.fromEntries(
  Array.from({ length: 1_001 }, (_, at) => [`data/${at % 20}/${at}.txt`, `${at}\n`]),
)
const small = { '.sightline.yaml': 'limits:\n  treeEntries: 1000\n' }

let largeRepo: TestRepo
beforeAll(() => {
  largeRepo = changedRepo({ ...filler, ...small }, keptRepo())
})

function expectDiffAlone(review: Review, why: string): void {
  expect(review.findings.map(({ category }) => category)).toEqual(['security'])
  expect(review.coverage.complete).toBe(false)
  expect(review.coverage.limits).toContain(`the rest of the repository could not be searched: ${why}`)
  const states = new Map(
    review.coverage.planes.map(({ plane, state, reason }) => [plane, `${state} ${reason}`]),
  )
  expect(states.get('secrets')).toBe('ran null')
  expect(states.get('contract')).toBe(`failed ${why}`)
  expect(states.get('rules')).toBe(`partly rules of the repository could not be looked for: ${why}`)
}

test('a repository with more files than may be listed', async () => {
  const { review, exitCode } = await reviewOf(largeRepo)
  expectDiffAlone(review, 'more than 1000 files and folders')
  expect(exitCode).not.toBe(0)
})

test('the same, and the change is a patch from standard input', async () => {
  const repo = largeRepo
  const input = `${repo.git('format-patch', '--stdout', 'HEAD^..HEAD')}\n`
  const env = ownFolders()
  const options = ['--base', 'HEAD^', '--repo', repo.path, '--depth', 'offline', '--json', '--quiet']
  const told = await sightline(['review', '-', ...options], { env, input })
  expect(told.stderr).toBe('')
  expectDiffAlone(JSON.parse(told.stdout), 'more than 1000 files and folders')
})

test.each(['missing', 'damaged'])('a folder beside the change whose object is %s', async (state) => {
  const repo = changedRepo()
  const file = looseObject(repo, repo.git('rev-parse', 'HEAD:lib/a'))
  chmodSync(file, 0o644)
  if (state === 'missing') rmSync(file)
  else writeFileSync(file, 'this is no zlib stream')
  const { review } = await reviewOf(repo)
  const [limit] = review.coverage.limits.filter((one) => one.startsWith('the rest of the repository'))
  expectDiffAlone(review, limit?.replace('the rest of the repository could not be searched: ', '') ?? '')
})

test('at depth standard the scout is told, the reviewer reads the diff, and a replay fails where the review failed', async () => {
  const fake = await startFakeProvider('anthropic', {
    steps: [
      {
        answer: 'good',
        value: {
          reasoning: 'look',
          done: false,
          tools: [scoutCall('grep', { query: 'total' })],
        },
      },
      { answer: 'good', value: emptyAnswer, times: 'always' },
    ],
  })
  const env = { ...fakeEnvironment(fake), ...ownFolders() }
  const args = ['review', 'HEAD', '--repo', largeRepo.path, '--depth', 'standard', '--json', '--quiet']
  const { stdout } = await sightline(args, { env })
  const review: Review = JSON.parse(stdout)
  expectDiffAlone(review, 'more than 1000 files and folders')
  expect(review.coverage.limits).toContain('part of the context is missing: more than 1000 files and folders')
  const prompts = fake.calls.map(({ call }) => JSON.stringify(call))
  expect(prompts.some((prompt) => prompt.includes('the tool failed: more than 1000 files and folders'))).toBe(
    true,
  )
  expect(prompts.at(-1)).toContain('items.length')
  await fake.close()
  const again = await sightline(['replay', 'last', '--json'], { env })
  expect([again.stderr, again.stdout]).toEqual(['', stdout])
})

test('a partial clone names the files whose earlier text is not here, and reviews the others', async () => {
  const repo = changedRepo()
  repo.commit({ 'src/cart.ts': cart('1'), 'src/new.ts': key })
  repo.git('config', 'uploadpack.allowFilter', 'true')
  const path = join(temporaryFolder(), 'clone')
  execFileSync('git', ['clone', '--quiet', '--filter=blob:none', `file://${repo.path}`, path], {
    stdio: 'pipe',
  })
  const { review } = await reviewOf(new TestRepo(path))
  const states = review.coverage.files.map((file) => [file.path, file.state, file.reason])
  expect(states).toEqual([
    ['src/cart.ts', 'not-reviewed', 'object missing (partial clone)'],
    ['src/new.ts', 'reviewed', null],
  ])
  expect(review.findings.map(({ anchor }) => anchor.path)).toEqual(['src/new.ts'])
  expect(review.coverage.complete).toBe(false)
})
