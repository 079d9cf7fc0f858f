/**
 * Some call to the system fails in the middle of a review: it finds the same, or says what is missing, or ends and says why.
 * What it says is on record can be opened, and the next review is as if nothing had been. `npm run test:failing-calls`
 * plays a thousand.
 */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exitCodes } from '../../src/base/errors.ts'
import { FileRunStore } from '../../src/storage/runs/files/store.ts'
import { findRun, listRuns, readKept } from '../../src/storage/runs/stored-run.ts'
import { type Counts, codesOf, type Fault, kinds, withFault } from '../helpers/failing-calls.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { freePort } from '../helpers/free-port.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { seed } from '../helpers/matrix.ts'
import { Random } from '../helpers/random.ts'
import { type CliResult, sightline } from '../helpers/sightline.ts'
import { fakeEnvironment, followUpSteps, retryRepo } from './quick-world.ts'

const trials = Number(process.env.SIGHTLINE_FAILING_CALLS ?? 6)

/** With nothing kept and no parser started; with nothing kept; after a review of the same change. */
const states = ['cold', 'fresh', 'again'] as const
type State = (typeof states)[number]

test(`a call fails in each of ${trials} reviews, seed ${seed}`, { timeout: 36_000_000 }, async () => {
  const random = new Random(seed)
  const world = await openWorld()
  const counts = {
    cold: await world.count('cold'),
    fresh: await world.count('fresh'),
    again: await world.count('again'),
  }
  const ends: Record<string, number> = {}
  const wrong: string[] = []
  for (let trial = 0; trial < trials; trial++) {
    const state = random.pick(states)
    const fault = drawFault(random, counts[state])
    const end = await world.play(state, fault).catch((error: Error) => {
      wrong.push(error.message)
      return 'wrong'
    })
    ends[end] = (ends[end] ?? 0) + 1
  }
  console.log(
    `calls that failed: ${trials}, seed ${seed}: ${JSON.stringify(ends)} of ${JSON.stringify(counts)}`,
  )
  expect(wrong).toEqual([])
  expect(ends.same).toBeGreaterThan(0)
})

function drawFault(random: Random, counts: Counts): Fault {
  const kind = random.pick(kinds.filter((one) => counts[one]))
  const at = random.between(1, counts[kind] ?? 1)
  return { kind, at, code: random.pick(codesOf(kind)), lasts: random.chance(0.2) }
}

async function openWorld() {
  const [first, followUp] = followUpSteps
  if (!first || !followUp) throw new Error('two steps are needed')
  // The first step that fits answers, so the one that asks for more comes first.
  const steps = [
    { ...followUp, when: { lastTurnContains: 'Here is what you requested' }, times: 'always' as const },
    { ...first, times: 'always' as const },
  ]
  const port = await freePort()
  const settings = fakeEnvironment({ baseUrl: `http://127.0.0.1:${port}` })
  const command = ['review', 'HEAD', '--repo', changedRepo(), '--depth', 'quick', '--json']
  const review = async (folder: string, fault: Fault | null, state: State, options: string[] = []) => {
    // A new one each time, so that each review has to connect.
    await using _ = await startFakeProvider('anthropic', { steps }, { port })
    const env = { ...settings, XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache') }
    return await withFault(fault, () =>
      sightline([...command, ...options], { env, isCold: state === 'cold' }),
    )
  }
  const reviewed = temporaryFolder()
  const wanted = seenIn((await review(reviewed, null, 'fresh')).result)
  expect(wanted.titles).toContain('A GitHub token is committed in plain text')
  expect(wanted.titles).toHaveLength(3)

  const folderFor = (state: State): string => {
    const folder = temporaryFolder()
    if (state === 'again') cpSync(reviewed, folder, { recursive: true })
    return folder
  }
  return {
    /** How many calls there are to fail. */
    async count(state: State): Promise<Counts> {
      return (await review(folderFor(state), null, state)).counts
    },
    async play(state: State, fault: Fault): Promise<string> {
      const folder = folderFor(state)
      const { result, failed } = await review(folder, fault, state)
      const what = `${state} ${JSON.stringify(fault)} ${failed[0]}: ${result.code} ${result.stderr}`
      const end = endOf(result, wanted, what)
      await checkRecord(join(folder, 'state/sightline'), result, what)
      // Of all of the change: the script of the model knows no questions about a part of it.
      const next = seenIn((await review(folder, null, 'fresh', ['--full'])).result)
      expect(next, `the next review, ${what}`).toEqual(wanted)
      return end
    },
  }
}

/** A change with a fault that code sees and two that a model does, and a configuration on which the exit code depends. */
function changedRepo(): string {
  const repo = retryRepo()
  const change = repo.git('rev-parse', 'HEAD')
  repo.git('reset', '--quiet', '--hard', 'HEAD~1')
  repo.commit({ '.sightline.yaml': 'review: { failOn: low }\n' })
  repo.git('cherry-pick', '--no-commit', change)
  repo.commit({ 'src/key.ts': "export const key = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'\n" })
  return repo.path
}

type Seen = { titles: string[]; word: string; headline: string }

function seenIn({ stdout }: Pick<CliResult, 'stdout'>): Seen {
  const { findings, conclusion } = JSON.parse(stdout)
  const { word, headline } = conclusion
  return { titles: findings.map(({ title }: { title: string }) => title), word, headline }
}

/** `same`, `incomplete`, or the code of the error; anything else fails. */
function endOf(result: CliResult, wanted: Seen, what: string): string {
  expect(result.stdout + result.stderr, `a stack, ${what}`).not.toMatch(/^\s+at /m)
  const { error } = JSON.parse(result.stdout)
  if (error) {
    expect(error.code, what).not.toBe('internal')
    expect([exitCodes.usage, exitCodes.couldNotReview], what).toContain(result.code)
    expect(result.code, what).toBe(error.exitCode)
    return error.code
  }
  const seen = seenIn(result)
  if (seen.titles.join() === wanted.titles.join() && seen.word === wanted.word) {
    expect(result.code, what).toBe(exitCodes.findings)
    return 'same'
  }
  expect(seen.headline, what).toMatch(/incomplete/i)
  expect([exitCodes.clean, exitCodes.findings, exitCodes.incomplete], what).toContain(result.code)
  return 'incomplete'
}

/** Where nothing is said of it, the run is on record whole. */
async function checkRecord(folder: string, { stdout, stderr }: CliResult, what: string): Promise<void> {
  const store = new FileRunStore(folder)
  const { runs } = await listRuns(store)
  expect(
    runs.filter(({ damage }) => damage !== null),
    what,
  ).toEqual([])
  for (const { header, state } of runs)
    if (state === 'finished') {
      const { run } = await findRun(store, header.run)
      expect(await readKept(run, store.keyFolder), what).toMatchObject({ lacksSecrets: false })
    }
  const isSaid = 'error' in JSON.parse(stdout) || stderr.includes('was not recorded completely')
  if (!isSaid) expect(runs[0]?.state, what).toBe('finished')
}
