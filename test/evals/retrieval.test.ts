/** Retrieval through the same runner: what must be seen and lies in the bundle, on a change whose truth is plain. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeCase } from '../../evals/cases/formats/own.ts'
import { compareSheets } from '../../evals/compare/compare-sheets.ts'
import { gate } from '../../evals/compare/gate.ts'
import { reportAsHtml } from '../../evals/report/html.ts'
import { reportAsMarkdown } from '../../evals/report/markdown.ts'
import { linkRepository } from '../../evals/repositories/link-repository.ts'
import { unitsHeld } from '../../evals/retrieval/needed-units.ts'
import { runRetrieval } from '../../evals/retrieval/run-retrieval.ts'
import { beginRunFolder, openRunFolder } from '../../evals/run/run-folder.ts'
import { defaultSettings } from '../../evals/run/settings.ts'
import type { ScoreSheet } from '../../evals/scores/case-score.ts'
import { aheadOf, retrievalMetric } from '../../evals/scores/retrieval-metrics.ts'
import { scoreRun } from '../../evals/scores/score-run.ts'
import { readSheet, writeSheet } from '../../evals/scores/sheet-file.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'
import { caseOf, faultAt, placeAt, scoreOf } from './case-of.ts'
import { evals } from './run-evals.ts'

const signal = new AbortController().signal
const settings = { ...defaultSettings, measure: 'retrieval' as const }

/** `total` calls `priceOf` of another file, and `bill` of a third calls `total`. */
function callWorld() {
  const repo = createRepo()
  const base = repo.commit({
    'price.ts': 'export function priceOf(item: string): number {\n  return item.length\n}\n',
    'bill.ts': `import { total } from './total.ts'\n${'\n'.repeat(30)}export const bill = total(['a'])\n`,
    'total.ts': 'export function total(items: string[]): number {\n  return 0\n}\n',
  })
  const head = repo.commit({
    'total.ts':
      "import { priceOf } from './price.ts'\n\nexport function total(items: string[]): number {\n  return priceOf(items[0])\n}\n",
  })
  const mirrors = temporaryFolder()
  mkdirSync(join(mirrors, 'owner+name'))
  execFileSync('git', ['clone', '--quiet', '--bare', repo.path, join(mirrors, 'owner+name', 'repo')])
  const fault = faultAt(placeAt('total.ts', 4), { also: [placeAt('bill.ts', 32)] })
  const cases = [
    caseOf({ id: 'calls', base, head, expected: [fault] }),
    caseOf({ id: 'clean', kind: 'clean', base, head }),
  ]
  return { mirrors, cases }
}

test('what must be seen: what the faulty line calls, and the caller that the case names', async () => {
  const { mirrors, cases } = callWorld()
  const run = beginRunFolder(join(temporaryFolder(), 'run'), 'calls', cases, settings)
  const shared = { run, mirrors, cacheFolder: null, facts: sharedFacts(), jobs: 2, signal }
  expect(await runRetrieval(shared)).toEqual({ measured: 1, kept: 0, failed: [] })
  const record = run.retrieval.find('calls')
  expect(record?.units).toEqual([
    { kind: 'listed', path: 'bill.ts', lines: [32] },
    { kind: 'used', path: 'price.ts', lines: [1, 2, 3] },
  ])
  const sheet = scoreRun(openRunFolder(run.folder))
  expect(sheet.scores.map(({ id, retrieval }) => [id, retrieval?.held.ours])).toEqual([
    ['calls', [2, 2, 2, 2]],
  ])
  expect(sheet.scores[0]?.retrieval?.held['whole changed files']).toEqual([0, 0, 0, 0])

  // Gone on with, nothing is measured again; fetched in the other way, the same is.
  expect(await runRetrieval(shared)).toEqual({ measured: 0, kept: 1, failed: [] })
  const linked = beginRunFolder(join(temporaryFolder(), 'run'), 'calls', cases, settings)
  await runRetrieval({ ...shared, run: linked, repositoryOf: linkRepository })
  expect(writeSheet(scoreRun(linked))).toBe(writeSheet(sheet))
})

test('what merely shares a name is needed by nobody: another language, a test, a local', async () => {
  const repo = createRepo()
  const base = repo.commit({
    'tax.py': 'def rate():\n    return 1\n',
    'count.ts': 'export const count = 1\n',
    'total.test.ts': 'export function stub() {}\n',
    'wait.ts': 'export function wait() {\n  function inner() {}\n  inner()\n}\n',
    'item.ts': 'export class Item {\n  price() {\n    return 2\n  }\n}\n',
  })
  const head = repo.commit({
    'total.ts':
      'export function total(one: any) {\n  const count = 3\n  return one.rate() + one.stub() + one.inner() + one.price() + count\n}\n',
  })
  const one = caseOf({ id: 'names', base, head, expected: [faultAt(placeAt('total.ts', 3))] })
  const run = beginRunFolder(join(temporaryFolder(), 'run'), 'names', [one], settings)
  const mirrors = temporaryFolder()
  mkdirSync(join(mirrors, 'owner+name'))
  execFileSync('git', ['clone', '--quiet', '--bare', repo.path, join(mirrors, 'owner+name', 'repo')])
  await runRetrieval({ run, mirrors, cacheFolder: null, facts: sharedFacts(), jobs: 1, signal })
  expect(run.retrieval.find('names')?.units).toEqual([{ kind: 'used', path: 'item.ts', lines: [2, 3, 4] }])
})

test('a case that cannot be fetched is reported, and tried again', async () => {
  const { mirrors, cases } = callWorld()
  const run = beginRunFolder(join(temporaryFolder(), 'run'), 'calls', cases, settings)
  const shared = { run, cacheFolder: null, facts: sharedFacts(), jobs: 1, signal }
  const { failed } = await runRetrieval({ ...shared, mirrors: temporaryFolder() })
  expect(failed.map(({ id }) => id)).toEqual(['calls'])
  expect(scoreRun(run).scores[0]).toMatchObject({ reviewed: false, retrieval: { needed: 0 } })
  expect(await runRetrieval({ ...shared, mirrors })).toMatchObject({ measured: 1, failed: [] })
})

test('the command: run, score, compare and gate as with reviews', async () => {
  const { mirrors, cases } = callWorld()
  const folder = temporaryFolder()
  const set = join(folder, 'calls.jsonl')
  writeFileSync(set, cases.map((one) => `${writeCase(one)}\n`).join(''))
  const env = { XDG_CACHE_HOME: temporaryFolder(), XDG_CONFIG_HOME: temporaryFolder() }
  const out = join(folder, 'run')
  const first = await evals(['retrieval', set, '--out', out, '--mirrors', mirrors], { env })
  expect(first).toMatchObject({ code: 0 })
  expect(first.stdout).toContain('| ours | 100.0 % (100.0 % – 100.0 %)')
  expect(first.stdout).toContain('| whole changed files | +100.0 % \\*')
  expect(readdirSync(join(out, 'retrieval'))).toHaveLength(1)
  expect((await evals(['score', out], { env })).stdout).toBe(first.stdout)
  const compared = await evals(['compare', out, out], { env })
  expect(compared.stdout).toContain('| Needed code in the bundle, 4 K | 100.0 % | 100.0 % | 0.0 % |')
  expect((await evals(['gate', out, out], { env })).code).toBe(0)
  const reviews = await evals(['run', set, '--out', out, '--mirrors', mirrors], { env })
  expect(reviews.stderr).toContain('another set or depth')
})

function sheetOf(ours: readonly number[]): ScoreSheet {
  const scores = ours.map((held, at) => {
    const one = (count: number) => [count, count, count, count]
    const retrieval = { needed: 4, held: { ours: one(held), 'BM25 alone': one(1) } }
    return scoreOf({ id: `c${at}`, retrieval })
  })
  return { format: 1, set: 's', cases: 'c', about: 'a', tolerance: 0, scores }
}

test('scores by hand: the mean of shares, each case alike, those that need nothing left out', () => {
  const { scores } = sheetOf([4, 2, 0])
  const idle = scoreOf({ id: 'idle', retrieval: { needed: 0, held: {} } })
  const all = [...scores, idle]
  expect(retrievalMetric('ours', 0).of(all)).toBe(0.5)
  expect(retrievalMetric('BM25 alone', 3).of(all)).toBe(0.25)
  expect(aheadOf('BM25 alone', 0).of(all)).toBe(0.25)
  expect(retrievalMetric('ours', 0).of([idle])).toBeNull()
  const units = [
    { kind: 'used' as const, path: 'a', lines: [1, 2, 3, 4] },
    { kind: 'used' as const, path: 'b', lines: [1, 2, 3] },
  ]
  expect(
    unitsHeld(
      units,
      new Map([
        ['a', new Set([1, 2])],
        ['b', new Set([1])],
      ]),
    ),
  ).toEqual([0])
})

test('the gate sees a fall, a mixture is refused, reports hold together', () => {
  const [good, bad] = [sheetOf(Array(20).fill(4)), sheetOf(Array(20).fill(2))]
  expect(gate(good, bad).fallen.map(({ metric }) => metric.name)).toContain('retrieval-ours-4k')
  expect(gate(bad, good).passed).toBe(true)
  const reviews = { ...good, scores: [scoreOf({ id: 'c0' })] }
  expect(() => compareSheets(good, reviews)).toThrow('one measures reviews')
  expect(reportAsMarkdown(good)).toContain('| BM25 alone | +75.0 % \\*')
  expect(reportAsHtml(good)).toContain('Ours against each other one')
  expect(reportAsMarkdown(good)).not.toContain('Faults hit')
  const file = join(temporaryFolder(), 'sheet.jsonl')
  writeFileSync(file, writeSheet(good))
  expect(writeSheet(readSheet(file))).toBe(writeSheet(good))
})
