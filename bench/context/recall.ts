/**
 * Does the bundle hold the code that one must see to notice a known fault? Without a model.
 *
 *   node bench/context/recall.ts --mirrors FOLDER [--cache FOLDER] [--every 1] [--repo NAME] [--json FILE] CASES.jsonl…
 *
 * For each budget: the mean share of needed units that a bundle holds, beside baselines in the same run, and the same
 * with one list left out at a time.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { readFileGraph } from '../../src/code-index/graph/file-graph.ts'
import { rankFiles } from '../../src/code-index/graph/rank-files.ts'
import { openIndexedTree } from '../../src/code-index/query/open-indexed-tree.ts'
import { openCodeSearch } from '../../src/code-index/search/search.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { readChangedFiles } from '../../src/pipeline/context/retrieval/changed-places.ts'
import {
  type Passage,
  type PassageLists,
  passageLists,
} from '../../src/pipeline/context/retrieval/contract.ts'
import { fusePassages, usualWeights } from '../../src/pipeline/context/retrieval/fuse-passages.ts'
import { retrieveGraph } from '../../src/pipeline/context/retrieval/retrieve-graph.ts'
import { changedWords } from '../../src/pipeline/context/retrieval/word-lists.ts'
import { readChangeSet } from '../../src/pipeline/diff/read-change-set.ts'
import { bm25Alone, budgets, grepped, linesWithin, wholeFiles } from './bundles.ts'
import { readCases } from './cases.ts'
import { neededUnits, type Unit } from './needed.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mirrors: { type: 'string' },
    cache: { type: 'string' },
    every: { type: 'string', default: '1' },
    repo: { type: 'string' },
    json: { type: 'string' },
    lists: { type: 'string' },
    map: { type: 'boolean', default: false },
  },
})
if (!values.mirrors || positionals.length === 0) throw new Error('see the head of this file for its options')

type Row = {
  id: string
  repo: string
  units: Record<Unit['kind'], number>
  ms: number
  shares: Record<string, number[]>
}
const cacheFolder = values.cache ?? null
const rows: Row[] = []
const saved: { id: string; lists: PassageLists; units: Unit[] }[] = []
const cases = readCases(positionals, values.mirrors)
  .filter(({ repo }) => !values.repo || repo === values.repo)
  .filter((_, at) => at % Number(values.every) === 0)
for (const one of cases) {
  try {
    const row = await measure(one)
    if (row) rows.push(row)
    console.log(
      row
        ? `${row.id} ${JSON.stringify(row.units)} ${Math.round(row.ms)} ms ours ${row.shares.ours?.map((n) => n.toFixed(2)).join(' ')}`
        : `${one.id}: nothing needed`,
    )
  } catch (error) {
    console.log(`${one.id}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
console.log(`\n${rows.length} cases with needed units`)
for (const name of Object.keys(rows[0]?.shares ?? {}))
  console.log(
    `${name.padEnd(28)} ${budgets.map((_, at) => (rows.reduce((sum, { shares }) => sum + (shares[name]?.[at] ?? 0), 0) / rows.length).toFixed(3)).join('  ')}`,
  )
if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, null, 1)}\n`)
if (values.lists) writeFileSync(values.lists, JSON.stringify(saved))

async function measure(one: (typeof cases)[number]): Promise<Row | null> {
  const change = await collectLocal({
    folder: one.folder,
    selector: { kind: 'range', range: `${one.base}..${one.head}` },
    limits: defaultConfig.limits,
  })
  const facts = createFactStore({ cacheFolder })
  try {
    const { base, head, history } = change
    const set = readChangeSet(await change.diff(), { ...defaultConfig.paths, base })
    const changeSet = await set
    const tree = await openIndexedTree(head, facts, {
      cacheFolder,
      repository: change.repositoryLabel,
      keep: true,
    })
    const units = await neededUnits(one, tree, changeSet)
    if (units.length === 0) return null
    const search = await openCodeSearch(head, facts, { cacheFolder })
    const { commits } = await history.recent(3_000)
    const startedAt = performance.now()
    const { lists } = await retrieveGraph(
      { change: changeSet, tree, search, commits, isOutOfTime: () => false },
      head,
    )
    const ms = performance.now() - startedAt
    const words = changedWords(await readChangedFiles(tree.world, changeSet))
    const bundles = new Map<string, readonly Passage[]>([
      ['ours', fusePassages(lists)],
      ['whole changed files', wholeFiles(changeSet)],
      ['grep of identifiers', grepped(one.folder, one.head, words)],
      ['BM25 alone', await bm25Alone(search, words)],
    ])
    if (values.map) {
      const graph = await readFileGraph(
        tree.world,
        (await head.list()).map(({ path }) => path),
      )
      const seeds = new Map(changeSet.files.map(({ path }) => [path, 1]))
      const ranked = rankFiles(graph, seeds, 60)
      const known = await tree.world.factsOf(ranked.map(({ path }) => path))
      bundles.set(
        'map by PageRank',
        ranked.flatMap(({ path }) =>
          (known.get(path)?.symbols ?? []).map(({ startLine, nameLine }) => ({
            path,
            startLine,
            endLine: nameLine,
            title: '',
          })),
        ),
      )
    }
    for (const list of passageLists)
      bundles.set(`without ${list}`, fusePassages(lists, { ...usualWeights, [list]: 0 }))
    const shares: Record<string, number[]> = {}
    for (const [name, passages] of bundles) {
      shares[name] = []
      for (const budget of budgets)
        shares[name].push(shareOf(units, await linesWithin(passages, budget, head)))
    }
    saved.push({ id: one.id, lists, units })
    const count = (kind: Unit['kind']) => units.filter((unit) => unit.kind === kind).length
    return {
      id: one.id,
      repo: one.repo,
      units: { mended: count('mended'), used: count('used'), user: count('user') },
      ms,
      shares,
    }
  } finally {
    await Promise.all([facts.close(), change.close()])
  }
}

/** Units of which at least half of the lines are held. */
function shareOf(units: readonly Unit[], held: ReadonlyMap<string, ReadonlySet<number>>): number {
  const found = units.filter(
    ({ path, lines }) => lines.filter((line) => held.get(path)?.has(line)).length * 2 >= lines.length,
  )
  return found.length / units.length
}
