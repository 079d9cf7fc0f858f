/** What an embedder and a reranker are asked during a review is priced, on record, and within the budget of the run. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fakeEmbedding, fakeKey } from '../helpers/fakes/embedding.ts'
import { fakeApiKey } from '../helpers/fakes/provider.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { scoutCall } from '../helpers/scout-call.ts'
import { ownFolders, sightline } from '../helpers/sightline.ts'
import { emptyAnswer, retryRepo } from './quick-world.ts'

/** A scout that searches once and reads what came, then a reviewer without findings. */
const steps = [
  {
    answer: 'good' as const,
    value: {
      reasoning: 'look',
      tools: [scoutCall('search_code', { query: 'waiting between tries' })],
      done: false,
    },
  },
  { answer: 'good' as const, value: { reasoning: 'enough', tools: [], done: true } },
  { answer: 'good' as const, value: emptyAnswer, times: 'always' as const },
]

/** `embedderPrice`: US dollars for a million tokens. */
async function world(embedderPrice: number) {
  const fake = await startFakeProvider('anthropic', { steps })
  const embedder = await fakeEmbedding({ kind: 'openai', dimensions: 64 })
  const reranker = await fakeEmbedding({ kind: 'cohere', dimensions: 64 })
  const path = join(temporaryFolder(), 'settings.yaml')
  writeFileSync(
    path,
    `models:
  providers:
    fake: { kind: anthropic, baseUrl: '${fake.baseUrl}', keyFrom: FAKE_KEY }
  roles: { reviewer: fake/claude-sonnet-5-5 }
  prices:
    fake/claude-sonnet-5-5: { input: 3, output: 15 }
    openai/code-1: { input: ${embedderPrice}, output: 0 }
    cohere/rerank-1: { input: 0, output: 0, call: 0.002 }
embedding: { kind: openai, model: code-1, baseUrl: '${embedder.url}', keyFrom: SEARCH_KEY }
rerank: { kind: cohere, model: rerank-1, baseUrl: '${reranker.url}', keyFrom: SEARCH_KEY }
`,
  )
  const repo = retryRepo()
  const env = {
    SIGHTLINE_SETTINGS: path,
    FAKE_KEY: fakeApiKey,
    SEARCH_KEY: fakeKey,
    ...ownFolders(),
  }
  const review = (...more: string[]) =>
    sightline(['review', 'HEAD', '--repo', repo.path, '--depth', 'standard', '--json', '--quiet', ...more], {
      env,
    })
  return { fake, embedder, reranker, repo, env, review }
}

type RoleCost = { role: string; model: string; calls: number; usage: { input: number }; usd: number }

test('embedding and reranking stand in the account and on the record, and a replay tells the same', async () => {
  const { fake, embedder, reranker, env, review } = await world(0.5)
  const first = await review()
  const { cost } = JSON.parse(first.stdout).run
  const costOf = (wanted: string) => cost.byRole.find(({ role }: RoleCost) => role === wanted)
  expect(costOf('embedder')).toMatchObject({ model: 'openai/code-1', calls: embedder.requests.length })
  expect(costOf('embedder').usd).toBeCloseTo((costOf('embedder').usage.input * 0.5) / 1e6, 9)
  expect(costOf('embedder').usage.input).toBeGreaterThan(0)
  expect(costOf('reranker')).toMatchObject({ model: 'cohere/rerank-1', calls: 1, usd: 0.002 })
  expect(cost.calls).toBe(fake.calls.length + embedder.requests.length + reranker.requests.length)

  const [run] = JSON.parse((await sightline(['runs', '--json'], { env })).stdout)
  expect(run).toMatchObject({ calls: cost.calls, usd: cost.usd })
  expect((await sightline(['show', 'last'], { env })).stdout).toContain('embedding search/embed: status 200')

  await fake.close()
  await embedder.close()
  const again = await sightline(['replay', 'last', '--json'], { env })
  expect([again.stderr, again.stdout]).toEqual(['', first.stdout])
})

test('the same review asks and pays no second time, even without its index, and its account is the same', async () => {
  const { embedder, reranker, env, review } = await world(0.5)
  const costOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout).run.cost
  const first = costOf(await review())
  const asked = [embedder.requests.length, reranker.requests.length]
  expect(Math.min(...asked)).toBeGreaterThan(0)
  const again = costOf(await review())
  env.XDG_CACHE_HOME = temporaryFolder()
  const withoutIndex = costOf(await review())
  expect([embedder.requests.length, reranker.requests.length]).toEqual(asked)
  expect(first.byRole.map(({ role }: RoleCost) => role)).toContain('embedder')
  expect([again, withoutIndex]).toEqual([first, first])
  const replayed = await sightline(['replay', 'last', '--json'], { env })
  expect([replayed.code, costOf(replayed)]).toEqual([0, first])
})

test('an embedding that the budget does not allow is not sent, and the search says why', async () => {
  const { fake, embedder, review } = await world(1_000_000)
  const { stdout } = await review('--budget', '1')
  expect(embedder.requests).toEqual([])
  const { run, coverage } = JSON.parse(stdout)
  expect(run.cost.byRole.map(({ role }: RoleCost) => role)).not.toContain('embedder')
  expect(coverage.complete).toBe(true)
  expect(fake.calls.map(({ call }) => call.prompt).join('\n')).toMatch(
    /openai\/code-1 was not asked: a call may cost up to \$/,
  )
})

test('sightline search tells what it cost', async () => {
  const { env, repo } = await world(0.5)
  const { stdout } = await sightline(['search', 'waiting'], { cwd: repo.path, env })
  expect(stdout).toMatch(/^Cost: embedder openai\/code-1, 2 calls, \$0\.0002\.$/m)
  expect(stdout).toMatch(/^Cost: reranker cohere\/rerank-1, 1 call, \$0\.0020\.$/m)
  const again = JSON.parse((await sightline(['search', 'waiting', '--json'], { cwd: repo.path, env })).stdout)
  expect(again.cost?.byRole.map(({ role }: RoleCost) => role) ?? []).not.toContain('embedder')
})
