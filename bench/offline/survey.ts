/**
 * Reviews commits of real repositories, without a model, and keeps every finding for reading.
 *
 *   node bench/offline/survey.ts --seed 7 [--commits 50] [--of 2000] [--out bench/out/offline.jsonl] REPOSITORY…
 *   node bench/offline/survey.ts [--reverted] [--commits 50] REPOSITORY…
 *
 * With a seed, the commits are drawn from the newest ones (`--of`) of each repository; without, they are the newest.
 * `--reverted` reviews commits that call themselves fixes backwards, so that each change puts a known fault back.
 * One line of JSON for each commit; a run that was stopped goes on behind the last one, and has taken about as many from
 * each repository. Checks that each finding sits on a line of the diff. Exits with 1 when a review crashed or a finding
 * is off the diff. `read.ts` prints the findings with their code, and the table of what readers said of them.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { seededRandom } from '../../evals/scores/random.ts'
import { createFactStore, type Finding, type Review, reviewChange } from '../../src/index.ts'
import { describeSurvey, type Reviewed, readReviewed, type SurveyRow } from './reviewed.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '50' },
    of: { type: 'string', default: '2000' },
    seed: { type: 'string' },
    reverted: { type: 'boolean', default: false },
    out: { type: 'string', default: 'bench/out/offline.jsonl' },
    cache: { type: 'string' },
  },
})

/** Commits of one repository that follow each other, while its facts are in memory. */
const atOnce = 5

mkdirSync(dirname(values.out), { recursive: true })
// Parsers stay warm from one commit to the next.
const facts = createFactStore({ cacheFolder: values.cache ?? null })
const known = new Set(readReviewed(values.out).map(({ repository, commit }) => `${repository} ${commit}`))
const drawn = positionals.map((repository) => ({
  repository,
  name: basename(dirname(repository)) || basename(repository),
  commits: commitsOf(repository, Number(values.commits)),
}))
for (let from = 0; from < Number(values.commits); from += atOnce)
  for (const { repository, name, commits } of drawn)
    for (const commit of commits.slice(from, from + atOnce)) {
      if (known.has(`${name} ${commit}`)) continue
      const reviewed = await reviewCommit(repository, name, commit)
      appendFileSync(values.out, `${JSON.stringify(reviewed)}\n`)
      process.stderr.write(
        `${name} ${commit.slice(0, 10)} ${reviewed.crash === null ? `${reviewed.rows.length} ${reviewed.durationMs.toFixed(0)} ms` : 'CRASH'}\n`,
      )
    }

await facts.close()

const all = readReviewed(values.out)
console.log(describeSurvey(all))
const offDiff = all.flatMap(({ commit, rows }) =>
  rows.filter(({ onDiff }) => !onDiff).map(({ finding }) => ({ commit, finding })),
)
for (const { commit, finding } of offDiff)
  console.log(`OFF THE DIFF: ${commit} ${finding.rule} ${finding.anchor.path}:${finding.startLine}`)
const crashes = all.filter(({ crash }) => crash !== null)
for (const { repository, commit, crash } of crashes) console.log(`CRASH: ${repository} ${commit}: ${crash}`)
process.exitCode = offDiff.length + crashes.length > 0 ? 1 : 0

async function reviewCommit(folder: string, repository: string, commit: string): Promise<Reviewed> {
  const [base, head] = values.reverted ? [commit, `${commit}^`] : [`${commit}^`, commit]
  const rows: SurveyRow[] = []
  try {
    const { review } = await reviewChange({
      folder,
      selector: values.reverted ? { kind: 'range', range: `${base}..${head}` } : { kind: 'commit', commit },
      cacheFolder: values.cache ?? null,
      facts,
    })
    const lines = review.findings.length > 0 ? changedLines(folder, base, head) : new Map()
    for (const finding of review.findings) rows.push({ finding, onDiff: isOnDiff(finding, lines) })
    const { durationMs } = review.run
    return { repository, commit, durationMs, rows, limits: openItems(review), crash: null }
  } catch (error) {
    const crash = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { repository, commit, durationMs: 0, rows, limits: [], crash }
  }
}

/** Each has a parent that is there: a copy that is cut off has commits without one. */
function commitsOf(repository: string, number: number): string[] {
  const which = values.reverted
    ? ['--extended-regexp', '--regexp-ignore-case', '--grep=^(fix|bug ?fix)\\b']
    : []
  const most = values.seed === undefined ? number : Number(values.of)
  const all = git(
    repository,
    'log',
    '--no-merges',
    '--min-parents=1',
    ...which,
    `--max-count=${most}`,
    '--format=%H',
    'HEAD',
  )
    .trim()
    .split('\n')
  if (values.seed === undefined) return all
  const random = seededRandom(Number(values.seed))
  return all
    .map((commit) => ({ commit, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, number)
    .map(({ commit }) => commit)
}

/** Lines inside the hunks of a commit by `side:path`, read from git's own patch, apart from the product's parser. */
function changedLines(repository: string, base: string, head: string): Map<string, Set<number>> {
  const patch = git(repository, '-c', 'core.quotePath=false', 'diff', '-M', '--no-color', base, head)
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
        // A finding names a renamed file as it is called now.
        for (const path of [oldPath, newPath]) add('old', path, oldLine)
        oldLine++
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

function git(repository: string, ...args: string[]): string {
  return execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', maxBuffer: 1 << 30 })
}
