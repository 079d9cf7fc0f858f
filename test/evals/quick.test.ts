/** An evaluation with a model that a strict provider on loopback plays: recorded, scored again, judged, and never paid twice. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ablate, withoutEach } from '../../evals/ablation/ablate.ts'
import { sightlineReviewer } from '../../evals/run/reviewer.ts'
import { beginRunFolder, openRunFolder } from '../../evals/run/run-folder.ts'
import { runSet } from '../../evals/run/run-set.ts'
import { defaultSettings } from '../../evals/run/settings.ts'
import { metricNamed } from '../../evals/scores/metrics.ts'
import { scoreRun } from '../../evals/scores/score-run.ts'
import { writeSheet } from '../../evals/scores/sheet-file.ts'
import { reviewChange } from '../../src/index.ts'
import { emptyAnswer, fakeEnvironment, retryRepo, waitFinding } from '../e2e/quick-world.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'
import { caseOf, faultAt, placeAt } from './case-of.ts'

const settings = { ...defaultSettings, depth: 'quick' as const }
const signal = new AbortController().signal
const warm = () => ({ cacheFolder: null, facts: sharedFacts() })

function retryCase(repo = retryRepo()) {
  const mirrors = temporaryFolder()
  mkdirSync(join(mirrors, 'owner+name'))
  execFileSync('git', ['clone', '--quiet', '--bare', repo.path, join(mirrors, 'owner+name', 'repo')])
  const [base, head] = ['HEAD^', 'HEAD'].map((ref) => repo.git('rev-parse', ref))
  return { mirrors, one: caseOf({ base, head, expected: [faultAt(placeAt('src/retry.ts', 10))] }) }
}

test('a recorded run scores the same again, byte for byte, and asks nobody', async () => {
  const { mirrors, one } = retryCase()
  await using fake = await startFakeProvider('anthropic', {
    steps: [{ answer: 'good', value: { ...emptyAnswer, findings: [waitFinding] }, times: 'always' }],
  })
  const environment = { ...fakeEnvironment(fake), XDG_STATE_HOME: temporaryFolder() }
  const reviewer = sightlineReviewer({ settings, ...warm(), environment })
  const begin = () => beginRunFolder(join(temporaryFolder(), 'run'), 'set', [one], settings)
  const run = begin()
  const shared = { mirrors, jobs: 1, budget: null, signal, reviewer }
  const report = await runSet({ ...shared, run })
  expect(report).toMatchObject({ reviewed: 1, failed: [] })
  expect(report.usd).toBeGreaterThan(0)
  expect(fake.mistakes).toEqual([])
  const calls = fake.calls.length
  expect(calls).toBe(1)

  const sheet = scoreRun(run)
  expect(sheet.scores[0]).toMatchObject({
    calls: 1,
    usd: report.usd,
    faults: [{ hit: true, hitInCategory: true }],
  })
  expect(metricNamed('recall').of(sheet.scores)).toBe(1)
  expect(metricNamed('evidence').of(sheet.scores)).toBe(1)
  expect(writeSheet(scoreRun(openRunFolder(run.folder)))).toBe(writeSheet(sheet))
  expect(fake.calls).toHaveLength(calls)

  // In another folder the review is made anew, and what the model said comes from the record.
  const again = begin()
  await runSet({ ...shared, run: again })
  expect(fake.calls).toHaveLength(calls)
  const timeless = (folder: typeof run) => scoreRun(folder).scores.map((score) => ({ ...score, seconds: 0 }))
  expect(timeless(again)).toEqual(timeless(run))
})

test('without a model a deeper evaluation ends, instead of measuring something else', async () => {
  const { mirrors, one } = retryCase()
  const environment = {
    SIGHTLINE_SETTINGS: join(temporaryFolder(), 'none.yaml'),
    XDG_CONFIG_HOME: temporaryFolder(),
  }
  const run = beginRunFolder(join(temporaryFolder(), 'run'), 'set', [one], settings)
  const reviewer = sightlineReviewer({ settings, ...warm(), environment })
  await expect(runSet({ run, reviewer, mirrors, jobs: 1, budget: null, signal })).rejects.toMatchObject({
    code: expect.stringMatching(/^(no-model|settings-invalid)$/),
  })
  expect(run.find(one.id)).toBeNull()
})

test('a change of which models are shown nothing is a case like others', async () => {
  const repo = retryRepo()
  repo.commit({ 'package-lock.json': '{ "lockfileVersion": 3 }\n' })
  const { mirrors, one } = retryCase(repo)
  await using fake = await startFakeProvider('anthropic', { steps: [] })
  const environment = { ...fakeEnvironment(fake), XDG_STATE_HOME: temporaryFolder() }
  const run = beginRunFolder(join(temporaryFolder(), 'run'), 'set', [one], settings)
  const reviewer = sightlineReviewer({ settings, ...warm(), environment })
  const report = await runSet({ run, reviewer, mirrors, jobs: 1, budget: null, signal })
  expect([report.reviewed, report.failed, fake.calls.length]).toEqual([1, [], 0])
})

test('what a check is worth is told over recorded answers, and nobody is asked again', async () => {
  const { mirrors, one } = retryCase()
  const invented = {
    ...waitFinding,
    evidence: [{ id: waitFinding.tags[0] ?? '', quote: 'words that stand nowhere' }],
  }
  await using fake = await startFakeProvider('anthropic', {
    steps: [{ answer: 'good', value: { ...emptyAnswer, findings: [invented] }, times: 'always' }],
  })
  const environment = { ...fakeEnvironment(fake), XDG_STATE_HOME: temporaryFolder() }
  const folder = temporaryFolder()
  const matrix = await ablate({
    folder,
    set: 'set',
    cases: [one],
    variants: withoutEach(settings, {
      planes: ['duplicate'],
      sections: [],
      checks: ['verbatim quotes', 'limits'],
    }),
    reviewerOf: (variant) => sightlineReviewer({ settings: variant, ...warm(), environment }),
    mirrors,
    jobs: 1,
    budget: null,
    signal,
  })
  expect(matrix.rows.map(([name]) => name)).toEqual([
    'everything',
    'without-duplicate',
    'without-check-verbatim-quotes',
    'without-check-limits',
  ])
  const findingsOf = (name: string) => scoreRun(openRunFolder(join(folder, name))).scores[0]?.findings.length
  expect(findingsOf('everything')).toBe(0)
  expect(findingsOf('without-check-verbatim-quotes')).toBe(1)
  expect(findingsOf('without-check-limits')).toBe(0)
  // Switched-off planes are part of what is asked about; checks are not.
  expect(fake.calls).toHaveLength(2)
})

test('a section that is left out is not in the bundle', async () => {
  const repo = retryRepo()
  const leaveOut = async (withoutSections: readonly ('history' | 'instructions')[]) => {
    const { config } = await reviewChange({
      folder: repo.path,
      selector: { kind: 'commit', commit: 'HEAD' },
      overrides: { depth: 'offline' },
      withoutSections,
      ...warm(),
    })
    return config.context.leaveOut
  }
  expect(await leaveOut([])).toEqual([])
  expect(await leaveOut(['history'])).toEqual(['history'])
  await expect(
    reviewChange({
      folder: repo.path,
      selector: { kind: 'commit', commit: 'HEAD' },
      withoutChecks: ['no such'],
      ...warm(),
    }),
  ).rejects.toMatchObject({ code: 'usage' })
})
