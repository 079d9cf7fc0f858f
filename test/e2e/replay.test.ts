/** A quick review on record: replayed with the provider stopped and the repository gone, swapped, mailed, looked at. */
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { fakeApiKey } from '../helpers/fakes/provider.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { drawn } from '../helpers/matrix.ts'
import { ownFolders, sightline } from '../helpers/sightline.ts'
import { emptyAnswer, fakeEnvironment, followUpSteps, retryRepo, waitFinding } from './quick-world.ts'

async function recorded() {
  const fake = await startFakeProvider('anthropic', { steps: followUpSteps })
  const repo = retryRepo()
  const state = temporaryFolder()
  const env = { ...fakeEnvironment(fake), XDG_STATE_HOME: state, XDG_CACHE_HOME: temporaryFolder() }
  const first = await sightline(['review', 'HEAD', '--repo', repo.path, '--json', '--quiet'], { env })
  expect(first.stderr).toBe('')
  expect(JSON.parse(first.stdout).findings).toHaveLength(2)
  return { fake, repo, state, env, first }
}

test('the same bytes with the provider stopped and the repository gone; also on another machine', async () => {
  const { fake, repo, env, first } = await recorded()
  await fake.close()
  renameSync(repo.path, `${repo.path}-away`)
  const again = await sightline(['replay', 'last', '--json'], { env })
  renameSync(`${repo.path}-away`, repo.path)
  expect(again.stderr).toBe('')
  expect(again.stdout).toBe(first.stdout)
  const pack = join(temporaryFolder(), 'run.zst')
  await sightline(['runs', '--export', pack], { env })
  const elsewhere = {
    ...ownFolders(),
    XDG_CONFIG_HOME: temporaryFolder(),
  }
  expect((await sightline(['runs', '--import', pack], { env: elsewhere })).stdout).toMatch(
    /^Imported run \d{8}-/,
  )
  expect((await sightline(['replay', 'last', '--json'], { env: elsewhere })).stdout).toBe(first.stdout)
})

test('a second review of the same change pays nothing; --fresh pays again', async () => {
  const { fake, repo, env, first } = await recorded()
  expect(fake.calls).toHaveLength(2)
  const again = await sightline(['review', 'HEAD', '--repo', repo.path, '--json', '--quiet'], { env })
  expect([again.code, fake.requests.length]).toEqual([0, 2])
  const bare = (json: string) => ({ ...JSON.parse(json), run: null, models: null })
  expect(bare(again.stdout)).toEqual(bare(first.stdout))
  await sightline(['review', 'HEAD', '--repo', repo.path, '--json', '--quiet', '--fresh'], { env })
  expect(fake.requests.length).toBeGreaterThan(2)
  await fake.close()
})

test('a swap plays one role anew and tells how much came from the record', async () => {
  const { fake, env } = await recorded()
  await fake.close()
  await using other = await startFakeProvider('openai-compatible', {
    steps: [{ answer: 'good', value: { ...emptyAnswer, findings: [waitFinding] }, times: 'always' }],
  })
  const swapEnv = { ...env, ...fakeEnvironment(other, { kind: 'openai-compatible', model: 'qwen3-coder' }) }
  const swapped = await sightline(['replay', 'last', '--swap', 'reviewer=fake/qwen3-coder', '--json'], {
    env: swapEnv,
  })
  expect(swapped.stderr).toMatch(/2 answers from the record, 1 from a model/)
  expect(JSON.parse(swapped.stdout).findings).toHaveLength(1)
  expect(JSON.parse(swapped.stdout).models.model).toBe('fake/qwen3-coder')
  expect(other.mistakes).toEqual([])
  const listed = JSON.parse((await sightline(['runs', '--json'], { env })).stdout)
  expect(listed).toHaveLength(2)
})

test('runs, show, and one exchange in full; no key is anywhere in the store', async () => {
  const { fake, env, state } = await recorded()
  await fake.close()
  const [run] = JSON.parse((await sightline(['runs', '--json'], { env })).stdout)
  expect(run).toMatchObject({ state: 'finished', calls: 2, findings: 2, damage: null })
  expect(run.usd).toBeGreaterThan(0)
  const shown = (await sightline(['show', 'last'], { env })).stdout
  expect(shown).toContain('model quick/group-1/review: status 200')
  expect(shown).toContain('follow-up: 1 confirmed, 1 dismissed, 1 new')
  const address = /model (\S*follow-up\S*):/.exec(shown)?.[1] ?? ''
  const full = (await sightline(['show', 'last', '--call', address], { env })).stdout
  expect(full).toContain('Sent:')
  expect(full).toContain('delayFor')
  expect((await sightline(['show', 'last', '--call', `${run.header.place}/${address}`], { env })).code).toBe(
    0,
  )
  const missing = await sightline(['show', 'last', '--call', 'explore/iter-9'], { env })
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('has no call explore/iter-9')])
  for (const file of everyFile(state)) {
    const bytes = readFileSync(file)
    const text = file.endsWith('.zst') ? zstdDecompressSync(bytes).toString('utf8') : bytes.toString('utf8')
    expect(text).not.toContain(fakeApiKey)
  }
})

test('an offline review is on record too; unknown runs are told; --no-record keeps nothing', async () => {
  const repo = retryRepo()
  const env = {
    ...ownFolders(),
    XDG_CONFIG_HOME: temporaryFolder(),
  }
  await sightline(['review', 'HEAD', '--repo', repo.path, '--quiet', '--no-record', '--depth', 'offline'], {
    env,
  })
  expect(existsSync(join(env.XDG_STATE_HOME, 'sightline'))).toBe(false)
  const none = await sightline(['replay', 'last'], { env })
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('there is no run last')])
  const first = await sightline(
    ['review', 'HEAD', '--repo', repo.path, '--json', '--quiet', '--depth', 'offline'],
    { env },
  )
  expect((await sightline(['replay', 'last', '--json'], { env })).stdout).toBe(first.stdout)
})

function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((one) =>
    one.isFile() ? [join(one.parentPath, one.name)] : [],
  )
}

/** One, drawn by the seed; `npm run test:matrices` plays all. */
const badEnds = [
  ['out of money', ['--budget', '0.0001'], []],
  ['a refusing model', [], [{ answer: 'refusal' as const, times: 'always' as const }]],
  [
    'an overloaded provider, and then prose around the answer',
    [],
    [
      { answer: 'overloaded' as const },
      { answer: 'prose' as const, value: { ...emptyAnswer, findings: [waitFinding] } },
    ],
  ],
] satisfies [string, string[], CodedStep[]][]

test.each(drawn(badEnds))('%s: the replay is the same to the byte', async (_, options, steps) => {
  const fake = await startFakeProvider('anthropic', { steps: steps.length > 0 ? steps : followUpSteps })
  const env = { ...fakeEnvironment(fake), ...ownFolders() }
  const args = ['review', 'HEAD', '--repo', retryRepo().path, '--json', '--quiet', ...options]
  const first = await sightline(args, { env })
  expect(JSON.parse(first.stdout).models.groups).toHaveLength(1)
  await fake.close()
  const again = await sightline(['replay', 'last', '--json'], { env })
  expect([again.stderr, again.stdout]).toEqual(['', first.stdout])
})
