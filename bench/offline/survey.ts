/**
 * Reviews the last commits of real repositories, without a model, and keeps every finding for reading.
 *
 *   node bench/offline/survey.ts [--commits 50] [--out bench/out/offline.json] REPOSITORY…
 *
 * Prints a table of findings by repository and plane, checks that each sits on a line of the diff, and draws a
 * sample (seeded) to judge by hand. Exits with 1 when a review crashed or a finding is off the diff.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { type Finding, type Review, reviewChange } from '../../src/index.ts'

type Row = { repository: string; commit: string; finding: Finding; onDiff: boolean }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '50' },
    out: { type: 'string', default: 'bench/out/offline.json' },
    cache: { type: 'string' },
  },
})

const rows: Row[] = []
const crashes: string[] = []
const incomplete = new Map<string, number>()
let reviews = 0

for (const repository of positionals) {
  const name = basename(dirname(repository)) || basename(repository)
  for (const commit of lastCommits(repository, Number(values.commits))) {
    reviews++
    try {
      const { review } = await reviewChange({
        folder: repository,
        selector: { kind: 'commit', commit },
        cacheFolder: values.cache ?? null,
      })
      const linesOf = review.findings.length > 0 ? changedLines(repository, commit) : new Map()
      for (const finding of review.findings)
        rows.push({ repository: name, commit, finding, onDiff: isOnDiff(finding, linesOf) })
      for (const limit of openItems(review)) incomplete.set(limit, (incomplete.get(limit) ?? 0) + 1)
      process.stderr.write(
        `${name} ${commit.slice(0, 10)} ${review.findings.length} ${review.run.durationMs.toFixed(0)} ms\n`,
      )
    } catch (error) {
      crashes.push(`${name} ${commit}: ${error instanceof Error ? (error.stack ?? error.message) : error}`)
      process.stderr.write(`${name} ${commit.slice(0, 10)} CRASH ${error}\n`)
    }
  }
}

mkdirSync(dirname(values.out), { recursive: true })
writeFileSync(values.out, JSON.stringify({ reviews, rows, crashes, incomplete: [...incomplete] }, null, 1))
printTable()
const offDiff = rows.filter((row) => !row.onDiff)
for (const row of offDiff)
  console.log(
    `OFF THE DIFF: ${row.commit} ${row.finding.rule} ${row.finding.anchor.path}:${row.finding.startLine}`,
  )
for (const crash of crashes) console.log(`CRASH: ${crash}`)
process.exitCode = offDiff.length + crashes.length > 0 ? 1 : 0

function lastCommits(repository: string, number: number): string[] {
  return git(repository, 'log', '--no-merges', `--max-count=${number}`, '--format=%H', 'HEAD')
    .trim()
    .split('\n')
}

/** Lines inside the hunks of a commit by `side:path`, read from git's own patch, apart from the product's parser. */
function changedLines(repository: string, commit: string): Map<string, Set<number>> {
  const patch = git(
    repository,
    '-c',
    'core.quotePath=false',
    'diff',
    '-M',
    '--no-color',
    `${commit}^`,
    commit,
  )
  const lines = new Map<string, Set<number>>()
  let [oldPath, newPath, oldLine, newLine] = ['', '', 0, 0]
  const add = (side: string, path: string, line: number) => {
    const key = `${side}:${path}`
    lines.set(key, (lines.get(key) ?? new Set()).add(line))
  }
  let [oldLeft, newLeft] = [0, 0]
  for (const line of patch.split('\n')) {
    if (oldLeft > 0 || newLeft > 0) {
      if (line.startsWith('\\')) continue
      if (!line.startsWith('+')) {
        add('old', oldPath, oldLine++)
        oldLeft--
      }
      if (!line.startsWith('-')) {
        add('new', newPath, newLine++)
        newLeft--
      }
      continue
    }
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (hunk) {
      ;[oldLine, oldLeft, newLine, newLeft] = [
        Number(hunk[1]),
        Number(hunk[2] ?? 1),
        Number(hunk[3]),
        Number(hunk[4] ?? 1),
      ]
    } else if (line.startsWith('--- ')) oldPath = line.slice(6).replace(/\t$/, '')
    else if (line.startsWith('+++ ')) newPath = line.slice(6).replace(/\t$/, '')
  }
  return lines
}

function isOnDiff(finding: Finding, lines: Map<string, Set<number>>): boolean {
  for (let line = finding.startLine; line <= finding.endLine; line++)
    if (lines.get(`${finding.side}:${finding.anchor.path}`)?.has(line)) return true
  return false
}

function openItems(review: Review): string[] {
  return [
    ...review.coverage.limits,
    ...review.coverage.planes
      .filter((plane) => plane.state !== 'ran')
      .map((plane) => `${plane.plane}: ${plane.state} ${plane.reason}`),
    ...review.coverage.files
      .filter((file) => file.state === 'partly' || file.state === 'not-reviewed')
      .map((file) => `${file.state}: ${file.reason}`),
  ]
}

function printTable(): void {
  const planes = [...new Set(rows.map((row) => row.finding.rule))].sort()
  const repositories = [...new Set(rows.map((row) => row.repository))]
  console.log(`${reviews} reviews, ${rows.length} findings, ${crashes.length} crashes`)
  console.log(['| rule |', ...repositories.map((name) => ` ${name} |`), ' all |'].join(''))
  console.log(`| --- |${' ---: |'.repeat(repositories.length + 1)}`)
  for (const rule of planes) {
    const of = rows.filter((row) => row.finding.rule === rule)
    const cells = repositories.map((name) => ` ${of.filter((row) => row.repository === name).length} |`)
    console.log(`| ${rule} |${cells.join('')} ${of.length} |`)
  }
  for (const [limit, times] of [...incomplete].sort((a, b) => b[1] - a[1]).slice(0, 20))
    console.log(`limit ×${times}: ${limit}`)
}

function git(repository: string, ...args: string[]): string {
  return execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', maxBuffer: 1 << 30 })
}
