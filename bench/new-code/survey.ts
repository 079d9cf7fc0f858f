/**
 * What the checks of new code say of real commits, for reading.
 *
 *   node bench/new-code/survey.ts [--commits 50] [--skip 0] [--callers] [--out bench/out/new-code.jsonl] REPOSITORY…
 *
 * Takes the newest commits without merges that change code, those of merged branches included. One line of JSON for
 * each commit; commits that are in the file already are not run again, so it may be stopped and started.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { type PlaneRun, runPlanesOn } from './plane-run.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '50' },
    callers: { type: 'boolean', default: false },
    skip: { type: 'string', default: '0' },
    out: { type: 'string', default: 'bench/out/new-code.jsonl' },
    cache: { type: 'string', default: '/tmp/sightline-new-code-facts' },
  },
})

type Row = { repository: string; commit: string } & (PlaneRun | { crash: string })

mkdirSync(dirname(values.out), { recursive: true })
const rows: Row[] = existsSync(values.out)
  ? readFileSync(values.out, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Row => JSON.parse(line))
  : []
const done = new Set(rows.map(({ commit }) => commit))
const facts = createFactStore({ cacheFolder: values.cache })
const code = ['py', 'ts', 'tsx', 'js', 'jsx', 'mjs', 'go', 'rs', 'java'].map((ending) => `*.${ending}`)
try {
  for (const repository of positionals) {
    const name = basename(repository) === 'repo' ? basename(dirname(repository)) : basename(repository)
    for (const commit of commitsOf(repository)) {
      if (done.has(commit)) continue
      const row: Row = { repository: name, commit, ...(await attempt(repository, commit)) }
      rows.push(row)
      appendFileSync(values.out, `${JSON.stringify(row)}\n`)
      const said = 'found' in row ? row.found.filter(({ dropped }) => dropped === null) : []
      if ('crash' in row) console.log(`${name} ${commit.slice(0, 10)} CRASH ${row.crash.slice(0, 200)}`)
      for (const { rule, path, line, title } of said)
        console.log(`${name} ${commit.slice(0, 10)} ${rule} ${path}:${line} ${title}`)
    }
  }
} finally {
  await facts.close()
}
const runs = rows.flatMap((row) => ('found' in row ? [row] : []))
const times = runs.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
console.log(
  `${rows.length} commits, ${rows.length - runs.length} crashes; p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`,
)
const byRule = Map.groupBy(
  runs.flatMap(({ found }) => found),
  ({ rule }) => rule,
)
for (const [rule, found] of [...byRule].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`${rule}: ${found.filter(({ dropped }) => dropped === null).length} of ${found.length} kept`)

function commitsOf(repository: string): string[] {
  const skip = `--skip=${values.skip}`
  const max = `--max-count=${values.commits}`
  const args = ['-C', repository, 'log', '--no-merges', skip, max, '--format=%H', 'HEAD', '--', ...code]
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 })
    .split('\n')
    .filter((line) => line !== '')
}

async function attempt(repository: string, commit: string): Promise<PlaneRun | { crash: string }> {
  try {
    return await runPlanesOn(repository, commit, facts, { callers: values.callers })
  } catch (error) {
    return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
