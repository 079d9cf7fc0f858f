/** An evaluation from cases to scores: killed and gone on with, within its money, scored again byte for byte. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EvaluationError } from '../../evals/base/errors.ts'
import { compareSheets } from '../../evals/compare/compare-sheets.ts'
import { gate } from '../../evals/compare/gate.ts'
import { reportAsMarkdown } from '../../evals/report/markdown.ts'
import { openEvaluationBudget } from '../../evals/run/budget.ts'
import { type Reviewer, sightlineReviewer } from '../../evals/run/reviewer.ts'
import { beginRunFolder, openRunFolder } from '../../evals/run/run-folder.ts'
import { runSet } from '../../evals/run/run-set.ts'
import { defaultSettings } from '../../evals/run/settings.ts'
import { scoreRun } from '../../evals/scores/score-run.ts'
import { readSheet } from '../../evals/scores/sheet-file.ts'
import { UserError } from '../../src/base/errors.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { sampleFinding, sampleReview } from '../helpers/sample-review.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'
import { secretCases } from './secret-cases.ts'

const signal = new AbortController().signal
const warm = () => ({ cacheFolder: null, facts: sharedFacts() })

function begin(count: number, folder = join(temporaryFolder(), 'run')) {
  const { mirrors, cases } = secretCases(count)
  const run = beginRunFolder(folder, 'secrets', cases, defaultSettings)
  return { run, mirrors, cases, shared: { run, mirrors, jobs: 2, budget: null, signal } }
}

/** Says that something is wrong with the first line of `a1.ts`, for a price. */
const paid: Reviewer = async () => {
  const usage = { input: 900, cacheRead: 0, cacheWrite: 0, output: 100, reasoning: 0 }
  const cost = { calls: 2, usage, usd: 0.5, unpricedCalls: 0, byRole: [] }
  const sample = sampleReview()
  const finding = sampleFinding({ anchor: { path: 'a1.ts', tags: ['L1#aaa'] }, startLine: 1, endLine: 1 })
  return { ...sample, findings: [finding], run: { ...sample.run, cost } }
}

test('real reviews of real changes: every secret is found, nothing is said of the clean one', async () => {
  const { run, shared } = begin(3)
  const reviewer = sightlineReviewer({ settings: defaultSettings, ...warm() })
  const report = await runSet({ ...shared, reviewer })
  expect(report).toEqual({ reviewed: 4, kept: 0, failed: [], unpaid: 0, usd: 0 })
  const sheet = scoreRun(run)
  expect(
    sheet.scores.map(({ id, faults, findings }) => [id, faults.map(({ hit }) => hit), findings.length]),
  ).toEqual([
    ['fault-1', [true], 1],
    ['fault-2', [true], 1],
    ['fault-3', [true], 1],
    ['clean', [], 0],
  ])
  const first = JSON.stringify(sheet)
  expect(JSON.stringify(scoreRun(openRunFolder(run.folder)))).toBe(first)
  expect(reportAsMarkdown(readSheet(run.folder))).toBe(reportAsMarkdown(sheet))

  // The same set without the plane that finds them: the gate sees it, and not the other way round.
  const settings = { ...defaultSettings, skipPlanes: ['secrets'] }
  const worse = beginRunFolder(join(temporaryFolder(), 'worse'), 'secrets', run.cases, settings)
  await runSet({ ...shared, run: worse, reviewer: sightlineReviewer({ settings, ...warm() }) })
  const held = gate(sheet, scoreRun(worse))
  expect(held.passed).toBe(false)
  expect(held.fallen.map(({ metric }) => metric.name)).toContain('recall')
  expect(held.comparison.lost).toEqual(['fault-1', 'fault-2', 'fault-3'])
  expect(gate(scoreRun(worse), sheet).passed).toBe(true)
  expect(gate(sheet, sheet).passed).toBe(true)
})

test('a killed evaluation goes on where it stopped', async () => {
  const { run, shared } = begin(3)
  const stop = new AbortController()
  let reviews = 0
  const killed: Reviewer = async (assignment) => {
    reviews++
    if (reviews === 2) stop.abort(new Error('killed'))
    assignment.signal.throwIfAborted()
    return await paid(assignment)
  }
  await expect(runSet({ ...shared, jobs: 1, signal: stop.signal, reviewer: killed })).rejects.toThrow(
    'killed',
  )
  expect(readdirSync(join(run.folder, 'reviews'))).toHaveLength(1)
  const report = await runSet({ ...shared, run: openRunFolder(run.folder), reviewer: paid })
  expect(report).toMatchObject({ reviewed: 3, kept: 1, usd: 2 })
  const again = await runSet({ ...shared, reviewer: () => Promise.reject(new Error('nobody is asked')) })
  expect(again).toMatchObject({ reviewed: 0, kept: 4, failed: [] })
})

test('a review that failed counts as one that found nothing, and is tried again', async () => {
  const { run, shared } = begin(1)
  const report = await runSet({ ...shared, reviewer: () => Promise.reject(new Error('out of order')) })
  expect(report.failed).toEqual([
    { id: 'clean', reason: 'out of order' },
    { id: 'fault-1', reason: 'out of order' },
  ])
  const [score] = scoreRun(run).scores
  expect(score).toMatchObject({ reviewed: false, findings: [], faults: [{ hit: false }] })
  expect(await runSet({ ...shared, reviewer: paid })).toMatchObject({ reviewed: 2, failed: [] })
})

test('what is wrong with all cases ends the evaluation', async () => {
  const { shared } = begin(1)
  const reviewer: Reviewer = () => Promise.reject(new UserError('no-model', 'none'))
  await expect(runSet({ ...shared, reviewer })).rejects.toMatchObject({ code: 'no-model' })
})

test('money: nothing is begun when it is spent, and what was spent before counts', async () => {
  const { run, shared } = begin(3)
  const report = await runSet({ ...shared, jobs: 1, budget: 1, reviewer: paid })
  expect(report).toMatchObject({ reviewed: 2, unpaid: 2, usd: 1 })
  expect(await runSet({ ...shared, jobs: 1, budget: 1, reviewer: paid })).toMatchObject({
    kept: 2,
    unpaid: 2,
  })
  expect(scoreRun(run).scores.map(({ usd, tokens, calls }) => [usd, tokens, calls])).toEqual([
    [0.5, 1000, 2],
    [0.5, 1000, 2],
  ])
})

test('a budget never promises the same money twice', () => {
  const budget = openEvaluationBudget(1, 2)
  const [a, b] = [budget.reserve(), budget.reserve()]
  expect([a, b]).toEqual([0.5, 0.5])
  expect(budget.reserve()).toBe(0)
  budget.settle(0, 0)
  budget.settle(a, 0.2)
  expect(budget.reserve()).toBeCloseTo(0.3)
  expect(budget.spent).toBe(0.2)
  expect(openEvaluationBudget(null, 2).reserve()).toBeNull()
})

test('another set, other settings and changed records are refused', () => {
  const { run, cases } = begin(2)
  const other = () => beginRunFolder(run.folder, 'secrets', cases.slice(1), defaultSettings)
  expect(other).toThrow('another set or depth')
  expect(() => beginRunFolder(run.folder, 'secrets', cases, { ...defaultSettings, history: 1 })).toThrow(
    'another set',
  )
  const copy = join(temporaryFolder(), 'copy')
  cpSync(run.folder, copy, { recursive: true })
  writeFileSync(
    join(copy, 'cases.jsonl'),
    readFileSync(join(copy, 'cases.jsonl'), 'utf8').replace('"end_line":2', '"end_line":3'),
  )
  expect(() => openRunFolder(copy)).toThrow('not those it began with')
  expect(() => readSheet(join(copy, 'nowhere'))).toThrow(EvaluationError)
})

test('two evaluations with nothing in common cannot be held to each other', () => {
  const sheet = { format: 1 as const, set: 's', cases: 'c', about: 'a', tolerance: 3, scores: [] }
  expect(() => compareSheets(sheet, sheet)).toThrow('no case in common')
})
