/**
 * Does the contract plane name the callers that a change did not update? Takes real commits that changed a definition
 * and its callers, keeps only the definition's side, and compares with a judge: the compiler, or the commit itself.
 *
 *   node bench/broken-callers/run.ts --language typescript [--cases 40] [--skip 0] [--only COMMIT] [--out FILE] GIT_DIRECTORY…
 *
 * Prints recall and precision, every miss and every false alarm; writes all of it as JSON.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { type Case, casesOf } from './cases.ts'
import { compilerTruth } from './compiler-truth.ts'
import { type Diagnostic, javaJudge, newDiagnostics, typescriptJudge } from './diagnostics.ts'
import { openScratch } from './git.ts'
import { runPlane } from './review.ts'
import { emptyTally, meets, type Place, placesOf, ratio, type Tally } from './score.ts'
import { changedByCommit, textTruth } from './text-truth.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: 'string', default: 'typescript' },
    cases: { type: 'string', default: '40' },
    commits: { type: 'string', default: '1500' },
    skip: { type: 'string', default: '0' },
    judge: { type: 'string' },
    only: { type: 'string' },
    cache: { type: 'string' },
    out: { type: 'string' },
  },
})

type Row = {
  repository: string
  commit: string
  kept: string[]
  truth: { path: string; line: number; code: string; message: string }[]
  allCodes: number
  missed: string[]
  wrong: string[]
  reported: Place[]
  limits: string[]
  milliseconds: number
}

const { language } = values
const compiler = resolve(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
const judges = { typescript: typescriptJudge(compiler), java: javaJudge }
const judge = values.judge === 'text' ? undefined : judges[language as keyof typeof judges]
const rows: Row[] = []
const tallies = new Map<string, Tally>()

for (const repository of positionals) {
  const gitDir = resolve(repository)
  const name = basename(dirname(gitDir)) || basename(gitDir)
  const tally = emptyTally()
  tallies.set(name, tally)
  const scratch = openScratch(gitDir)
  const facts = createFactStore({ cacheFolder: values.cache ?? null })
  const range = { skip: Number(values.skip), commits: Number(values.commits), only: values.only ?? null }
  for await (const found of casesOf(gitDir, scratch, language, facts, range)) {
    const truth = judge ? null : textTruth(gitDir, language, found, scratch)
    if (truth?.length === 0) continue
    const row = await look(name, found, scratch, gitDir, facts)
    if (!row) continue
    rows.push(row)
    count(tally, row)
    report(row)
    if (tally.cases >= Number(values.cases)) break
  }
  await facts.close()
  rmSync(scratch, { recursive: true, force: true })
}
finish()

/** Null when the judge sees nothing wrong that concerns the changed symbols, and the plane neither. */
async function look(
  repository: string,
  found: Case,
  scratch: string,
  gitDir: string,
  facts: ReturnType<typeof createFactStore>,
): Promise<Row | null> {
  const run = await runPlane(scratch, found.head, facts)
  const kept = new Set(found.kept)
  const reported = placesOf(run.candidates, run.found).filter(({ path }) => !kept.has(path))
  const folder = join(tmpdir(), `broken-callers-tree-${process.pid}`)
  const all: Diagnostic[] = judge
    ? newDiagnostics(judge, scratch, found.base, found.head, folder).filter(({ path }) => !kept.has(path))
    : textTruth(gitDir, language, found, scratch).map(({ path, line, symbol, text }) => ({
        path,
        line,
        code: symbol,
        message: text,
      }))
  rmSync(folder, { recursive: true, force: true })
  // Without a compiler a place is also right when the real commit changed that very line, and it names the symbol.
  const changed = judge ? null : changedByCommit(gitDir, found.commit)
  const truth = judge ? await compilerTruth(all, found, scratch) : all
  if (truth.length === 0 && reported.length === 0) return null
  return {
    repository,
    commit: found.commit,
    kept: found.kept,
    truth,
    allCodes: all.length,
    missed: truth
      .filter((at) => !reported.some((place) => meets(place, at)))
      .map((at) => `${at.path}:${at.line} ${at.code} ${at.message}`),
    wrong: reported
      .filter((place) => !all.some((at) => meets(place, at)) && !changed?.(place))
      .map((place) => `${place.path}:${place.line} ${place.rule} ${place.name}: ${place.words}`),
    reported,
    limits: run.limits,
    milliseconds: Math.round(run.milliseconds),
  }
}

function count(tally: Tally, row: Row): void {
  tally.cases++
  tally.truth += row.truth.length
  tally.named += row.truth.length - row.missed.length
  tally.reported += row.reported.length
  tally.right += row.reported.length - row.wrong.length
}

function report(row: Row): void {
  const { repository, commit, truth, missed, reported, wrong, milliseconds } = row
  console.error(
    `${repository} ${commit.slice(0, 10)} truth ${truth.length} missed ${missed.length} reported ${reported.length} wrong ${wrong.length} (${milliseconds} ms)`,
  )
  for (const line of missed.slice(0, 8)) console.error(`    MISSED ${line.slice(0, 220)}`)
  for (const line of wrong.slice(0, 8)) console.error(`    WRONG  ${line.slice(0, 320)}`)
}

function finish(): void {
  const out = values.out ?? `bench/out/broken-callers-${language}.json`
  mkdirSync(dirname(out), { recursive: true })
  writeFileSync(out, JSON.stringify({ language, rows }, null, 1))
  const total = emptyTally()
  for (const tally of tallies.values())
    for (const key of Object.keys(total) as (keyof Tally)[]) total[key] += tally[key]
  console.log('repository | cases | truth | named | recall | reported | right | precision')
  for (const [name, tally] of [...tallies, ['all', total] as const])
    console.log(
      [
        name,
        tally.cases,
        tally.truth,
        tally.named,
        ratio(tally.named, tally.truth),
        tally.reported,
        tally.right,
        ratio(tally.right, tally.reported),
      ].join(' | '),
    )
}
