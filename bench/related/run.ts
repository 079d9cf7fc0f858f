/**
 * Given one file of a landed commit and the history before it, are the other files among the first ten?
 *
 *   node bench/related/run.ts --cases FILE --baselines FILE --mirrors FOLDER [--code] [--cache FOLDER] [--every 1] [--json FILE]
 *
 * MIRRORS/owner+name/repo is the repository. `--code` also reads the graph of imports and BM25 at each commit, which takes long.
 * Prints recall@10 and MRR of each signal alone and of all fused, beside the
 * best of the recorded baselines.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readHistorySignals, type SignalScores } from '../../src/code-index/related/signals.ts'
import { type Case, openHistory, pathsAt, readCases } from './cases.ts'
import { readCodeSignals } from './code-signals.ts'
import { defaultWeights, fuseSignals, type RelatedSignal } from './fuse-signals.ts'
import { readPathSignal } from './path-signal.ts'

const { values } = parseArgs({
  options: {
    cases: { type: 'string' },
    baselines: { type: 'string' },
    mirrors: { type: 'string' },
    every: { type: 'string', default: '1' },
    code: { type: 'boolean', default: false },
    cache: { type: 'string' },
    json: { type: 'string' },
  },
})
if (!values.cases || !values.mirrors || !values.baselines)
  throw new Error('see the head of this file for its options')

type Score = { recall: number; mrr: number }
type Row = { repo: string; cases: number; best: Score } & Record<string, unknown>
const baselines = JSON.parse(readFileSync(values.baselines, 'utf8')) as {
  repo: string
  results: Record<string, { 'recall@10': number; mrr: number }>
}[]

const rows: Row[] = []
const mirrors = values.mirrors
for (const [repo, cases] of Map.groupBy(readCases(values.cases), (one) => one.repo)) {
  const asked = cases.filter((_, at) => at % Number(values.every) === 0)
  rows.push(await measure(repo, asked))
  console.log(lineOf(rows.at(-1)))
}
const names = [...Object.keys(defaultWeights), 'fused', 'best']
const mean = (name: string, key: keyof Score) =>
  rows.reduce((sum, row) => sum + ((row[name] as Score | undefined)?.[key] ?? 0), 0) / rows.length
for (const name of names)
  console.log(`${name}: recall@10 ${mean(name, 'recall').toFixed(3)}, MRR ${mean(name, 'mrr').toFixed(3)}`)
if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, null, 1)}\n`)

async function measure(repo: string, cases: readonly Case[]): Promise<Row> {
  const repository = join(mirrors, repo.replace('/', '+'), 'repo')
  const historyBefore = openHistory(repository, cases)
  const sums = new Map<string, Score>()
  for (const one of cases) {
    const tree = pathsAt(repository, one.base)
    const present = new Set(tree)
    const keep = (path: string) => present.has(path) && path !== one.seed
    const signals: Partial<Record<RelatedSignal, SignalScores>> = {
      ...readHistorySignals(historyBefore(one.base), [one.seed]),
      path: readPathSignal(tree, [one.seed]),
      ...(values.code ? await readCodeSignals(repository, one.base, one.seed, values.cache ?? null) : {}),
    }
    const lists = new Map<string, string[]>([['fused', fuseSignals(signals, keep).map(({ path }) => path)]])
    for (const name of Object.keys(signals) as RelatedSignal[])
      lists.set(
        name,
        fuseSignals({ [name]: signals[name] }, keep, { [name]: 1 }).map(({ path }) => path),
      )
    for (const [name, list] of lists) {
      const sum = sums.get(name) ?? { recall: 0, mrr: 0 }
      const { recall, mrr } = score(list, one.targets)
      sums.set(name, { recall: sum.recall + recall / cases.length, mrr: sum.mrr + mrr / cases.length })
    }
  }
  const known = Object.values(baselines.find((one) => one.repo === repo)?.results ?? {})
  const best = {
    recall: Math.max(...known.map((one) => one['recall@10'])),
    mrr: Math.max(...known.map((one) => one.mrr)),
  }
  return { repo, cases: cases.length, best, ...Object.fromEntries(sums) }
}

function score(list: readonly string[], targets: readonly string[]): Score {
  const wanted = new Set(targets)
  const first = list.findIndex((path) => wanted.has(path))
  return {
    recall: list.slice(0, 10).filter((path) => wanted.has(path)).length / wanted.size,
    mrr: first < 0 ? 0 : 1 / (first + 1),
  }
}

function lineOf(row: Row | undefined): string {
  if (!row) return ''
  const shown = Object.entries(row).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null
      ? [`${name} ${(value as Score).recall.toFixed(3)}/${(value as Score).mrr.toFixed(3)}`]
      : [],
  )
  return `${row.repo} (${row.cases}): ${shown.join('  ')}`
}
