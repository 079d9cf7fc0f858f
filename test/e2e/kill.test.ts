/**
 * A review that is killed at any step of writing its record goes on when it is started again, and pays for nothing that
 * is on record. `npm run test:kill` tries every step at both depths; the default run draws one of each by a seed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { FileRunStore } from '../../src/storage/runs/files/store.ts'
import { listRuns } from '../../src/storage/runs/stored-run.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { drawn, seed } from '../helpers/matrix.ts'
import { Random } from '../helpers/random.ts'
import { sightline, sightlineProcess } from '../helpers/sightline.ts'
import { asks, quiet, shopRepo, withQuietRest, wrongSum } from './deep-world.ts'
import { fakeEnvironment, followUpSteps, retryRepo } from './quick-world.ts'

const preload = `--import=${pathToFileURL(join(import.meta.dirname, '../helpers/kill-at-write.mjs'))}`
/** Steps by which two runs may differ. */
const spare = 10

const timeout = 1_800_000
const isAll = process.env.SIGHTLINE_KILL === 'all'
const both = ['quick', 'deep'] as const
const depths = isAll ? both : drawn(both)

/** A review with a follow-up, and one of two readers, a scout and a judge. */
const reviews = {
  quick() {
    const [review, followUp] = followUpSteps
    if (!review || !followUp) throw new Error('two steps are needed')
    const steps = [
      // The first step that fits answers, so the one that asks for more comes first.
      { ...followUp, when: { lastTurnContains: 'Here is what you requested' }, times: 'always' as const },
      { ...review, times: 'always' as const },
    ]
    return { repo: retryRepo(), steps }
  },
  deep() {
    const both = { answer: 'good', value: { ...quiet, findings: [wrongSum] }, times: 'always' } as const
    const steps = withQuietRest([
      { ...both, if: asks('first') },
      { ...both, if: asks('second') },
    ])
    return { repo: shopRepo(), steps }
  },
}

test.each(depths)(
  'killed at any step of the journal, a %s review goes on without paying again',
  {
    timeout,
  },
  async (depth) => {
    const { repo, steps: said } = reviews[depth]()
    await using fake = await startFakeProvider('anthropic', { steps: said })
    const cache = temporaryFolder()
    const command = ['review', 'HEAD', '--repo', repo.path, '--depth', depth, '--json', '--quiet']
    const env = (state: string) => ({
      ...fakeEnvironment(fake),
      XDG_STATE_HOME: state,
      XDG_CACHE_HOME: cache,
    })
    const killedAt = (state: string, at: number) =>
      sightlineProcess(command, {
        env: {
          ...env(state),
          NODE_OPTIONS: preload,
          SIGHTLINE_KILL_AT: String(at),
          SIGHTLINE_KILL_BELOW: state,
        },
      })

    const countState = temporaryFolder()
    const whole = await killedAt(countState, 0)
    const steps = Number(/kill-at-write: (\d+) steps/.exec(whole.stderr)?.[1])
    expect(steps).toBeGreaterThan(20)
    const wanted = essence(whole.stdout)
    const calls = fake.calls.length

    for (const at of chosen(steps)) {
      const state = temporaryFolder()
      const killed = await killedAt(state, at)
      if (killed.code !== null) {
        // Two objects may share a folder by chance, which is a step less.
        expect(at, 'steps that were not reached').toBeGreaterThan(steps - spare)
        continue
      }
      expect(killed.stdout, `killed at step ${at}`).toBe('')
      const onRecord = answersIn(join(state, 'sightline'))
      const paid = fake.calls.length
      const again = await sightline(command, { env: env(state) })
      expect(again.stderr, `after step ${at}`).toBe('')
      expect(essence(again.stdout), `after step ${at}`).toEqual(wanted)
      expect(fake.calls.length - paid, `calls after step ${at}, ${onRecord} on record`).toBe(calls - onRecord)
      const { runs } = await listRuns(new FileRunStore(join(state, 'sightline')))
      const states = runs.map((one) => one.state)
      expect(states[0]).toBe('finished')
    }
    expect(fake.mistakes).toEqual([])
  },
)

function chosen(steps: number): number[] {
  const all = Array.from({ length: steps }, (_, at) => at + 1)
  if (isAll) return all
  console.log(`killed at one of ${steps} steps, seed ${seed}`)
  return [new Random(seed).pick(all)]
}

/** What was found. Costs differ: the second run of a prompt is cheaper, since the provider still has its beginning. */
function essence(json: string): unknown {
  const { findings, verdicts, coverage, conclusion, summary, models } = JSON.parse(json)
  const { groups, followUps } = models
  const said = (one: { outcome: string; findings?: number }) => [one.outcome, one.findings]
  return {
    findings,
    verdicts,
    coverage,
    conclusion,
    summary,
    groups: groups.map(said),
    followUps: followUps.map(said),
  }
}

/** Answers of models that can be found again. */
function answersIn(folder: string): number {
  const store = new FileRunStore(folder)
  try {
    return readdirSync(join(folder, 'answers'), { recursive: true, withFileTypes: true }).filter((one) => {
      if (!one.isFile() || !one.name.endsWith('.json')) return false
      const { answer } = JSON.parse(readFileSync(join(one.parentPath, one.name), 'utf8'))
      return store.objects.get(answer)?.includes('message_start')
    }).length
  } catch {
    return 0
  }
}
