/**
 * Who else breaks, on a generated world: every labelled change of twelve repositories is collected with the other eleven as its
 * workspace, and what the product says is compared with the labels.
 *
 *   node bench/workspace/accuracy.ts [--seed 1] [--each 20] [--kinds http,sql] [--explain] [--keep FOLDER]
 *
 * `--each` breaking and as many compatible changes of every kind. `--explain` lists every miss and every false place; `--keep`
 * leaves the repositories in a new folder, with a branch of each change. Exits with 1 when a kind misses its aim.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { wilson } from '../../src/ledger/outcomes.ts'
import { allScenes } from './contracts.ts'
import { measureWorld, type Outcome } from './measure.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    each: { type: 'string', default: '20' },
    kinds: { type: 'string', default: '' },
    explain: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
})
const kinds = values.kinds === '' ? null : new Set(values.kinds.split(','))
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'workspace-'))
const aims = { precision: 0.98, recall: 0.9 }
try {
  const outcomes = await measureWorld(allScenes, Number(values.seed), Number(values.each), kinds, folder)
  if (values.explain) outcomes.forEach(explain)
  process.exitCode = printTable(outcomes) ? 0 : 1
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true })
}

function explain({ change, missed, wrong, what }: Outcome): void {
  if (missed.length + wrong.length === 0) return
  console.log(`\n${change.id} ${change.how} ${change.repository}: ${change.what}`)
  for (const { repository, path, lines } of missed)
    console.log(`  missed: ${repository} ${path}:${lines.join(',')}`)
  for (const one of wrong)
    console.log(
      `  false: ${one.repository} ${one.path}:${one.line} ${one.name}, ${one.how} (${one.confidence})`,
    )
  for (const words of what) console.log(`  said: ${words}`)
}

/** Whether every kind reaches its aims. */
function printTable(outcomes: readonly Outcome[]): boolean {
  console.log(`\nSeed ${values.seed}, ${outcomes.length} changes\n`)
  console.log(
    '| Kind | Breaking | Found whole | Places | Found | False | Compatible | With a false finding | Precision | Recall |',
  )
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|---|---|')
  const rows = [...Map.groupBy(outcomes, ({ change }) => change.kind), ['all', outcomes] as const]
  return rows.map(([kind, own]) => printRow(kind, own)).every(Boolean)
}

function printRow(kind: string, outcomes: readonly Outcome[]): boolean {
  const [breaking, compatible] = [true, false].map((is) =>
    outcomes.filter(({ change }) => (change.how !== 'fits') === is),
  ) as [Outcome[], Outcome[]]
  const sum = (of: readonly Outcome[], count: (one: Outcome) => number) =>
    of.reduce((all, one) => all + count(one), 0)
  const found = sum(outcomes, (one) => one.found.length)
  const missed = sum(outcomes, (one) => one.missed.length)
  const wrong = sum(outcomes, (one) => one.wrong.length)
  const cells = [
    kind,
    breaking.length,
    breaking.filter((one) => one.missed.length + one.wrong.length === 0).length,
    found + missed,
    found,
    wrong,
    compatible.length,
    compatible.filter((one) => one.wrong.length > 0).length,
    share(found, found + wrong),
    share(found, found + missed),
  ]
  console.log(`| ${cells.join(' | ')} |`)
  return found >= aims.precision * (found + wrong) && found >= aims.recall * (found + missed)
}

/** `0.987 (0.981–0.992)`, cut, never rounded up. */
function share(part: number, whole: number): string {
  if (whole === 0) return '–'
  const { low, high } = wilson(part, whole)
  const cut = (value: number) => (Math.floor(value * 1000) / 1000).toFixed(3)
  return `${cut(part / whole)} (${cut(low)}–${cut(high)})`
}
