/**
 * Does the bundle hold the code that one must see to notice a known fault? Without a model. As `npm run evals --
 * retrieval`, over mirrors as they are, with what later fixes changed, and with one list left out at a time.
 *
 *   node bench/context/recall.ts --mirrors FOLDER [--cache FOLDER] [--every 1] [--repo NAME] [--json FILE] CASES.jsonl…
 *
 * Prints the mean share of needed units that a bundle holds within 4, 8, 16 and 32 K tokens.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { measureRetrieval, type RetrievalMeasured } from '../../evals/retrieval/measure.ts'
import type { PassageLists } from '../../src/index.ts'
import { linesFixedBy, readCases } from './cases.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mirrors: { type: 'string' },
    cache: { type: 'string' },
    every: { type: 'string', default: '1' },
    repo: { type: 'string' },
    json: { type: 'string' },
    lists: { type: 'string' },
  },
})
if (!values.mirrors || positionals.length === 0) throw new Error('see the head of this file for its options')

type Units = RetrievalMeasured['units']
type Row = { id: string; repo: string; units: object; ms: number; shares: Record<string, number[]> }
const rows: Row[] = []
const saved: { id: string; lists: PassageLists | null; units: Units }[] = []
const cases = readCases(positionals, values.mirrors)
  .filter(({ repo }) => !values.repo || repo === values.repo)
  .filter((_, at) => at % Number(values.every) === 0)
for (const one of cases) {
  const { id, repo, folder, base, head, expected, fix_commit } = one
  try {
    const places = expected.map(({ file, start_line, end_line }) => {
      return { file, start: start_line, end: end_line, side: 'right' as const }
    })
    const fixed = fix_commit ? linesFixedBy(folder, fix_commit) : new Map<string, string[]>()
    const truth = { places, also: [], fixed }
    const cacheFolder = values.cache ?? null
    const question = { folder, base, head, truth, cacheFolder, withoutLists: true }
    const { units, bundles, lists, ms } = await measureRetrieval(question)
    if (units.length === 0) {
      console.log(`${id}: nothing needed`)
      continue
    }
    const shares = Object.fromEntries(
      bundles.map(({ name, held }) => [name, held.map((some) => some.length / units.length)]),
    )
    rows.push({ id, repo, units: countKinds(units), ms, shares })
    saved.push({ id, lists, units })
    console.log(`${id} ${Math.round(ms)} ms ours ${shares.ours?.map((share) => share.toFixed(2)).join(' ')}`)
  } catch (error) {
    console.log(`${id}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
console.log(`\n${rows.length} cases with needed units`)
for (const name of Object.keys(rows[0]?.shares ?? {})) {
  const mean = (at: number) =>
    rows.reduce((sum, { shares }) => sum + (shares[name]?.[at] ?? 0), 0) / rows.length
  console.log(`${name.padEnd(28)} ${[0, 1, 2, 3].map((at) => mean(at).toFixed(3)).join('  ')}`)
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, null, 1)}\n`)
if (values.lists) writeFileSync(values.lists, JSON.stringify(saved))

function countKinds(units: Units): object {
  const count = (wanted: Units[number]['kind']) => units.filter(({ kind }) => kind === wanted).length
  return { fixed: count('fixed'), used: count('used'), user: count('user') }
}
