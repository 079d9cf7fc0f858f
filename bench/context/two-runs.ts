/**
 * Do two runs always suffice? The first `context` of a repository, with nothing kept and no index, then the same twice more.
 *
 *   node bench/context/two-runs.ts --out FOLDER [--commits 1] [--program FILE] NAME=GIT_FOLDER…
 *
 * A third run is needed when the second was cut, has another hash than the third, or left something that the third had to
 * read and keep. Each is a line of FOLDER/two-runs.jsonl as soon as it is made; what is there is not measured again. Exits with 1
 * when a third run was needed.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { commitsOf, isOutOfTime, type Ran, runCommand } from './run-command.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    commits: { type: 'string', default: '1' },
    program: { type: 'string', default: join(import.meta.dirname, '../../bin/sightline.js') },
  },
})
if (!values.out || positionals.length === 0) throw new Error('see the head of this file for its options')

type One = Omit<Ran, 'stdout' | 'firstSeconds'> & {
  hash: string
  cut: string[]
  /** Bytes in the cache afterwards, without Node's compiled modules. */
  kept: number
}
type Row = { repository: string; commit: string; runs: One[] }

const out = resolve(values.out)
const journal = join(out, 'two-runs.jsonl')
mkdirSync(out, { recursive: true })
const rows: Row[] = existsSync(journal)
  ? readFileSync(journal, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Row => JSON.parse(line))
  : []

for (const place of positionals) {
  const at = place.indexOf('=')
  const [repository, folder] = [place.slice(0, at), resolve(place.slice(at + 1))]
  for (const commit of commitsOf(folder, Number(values.commits))) {
    if (rows.some((row) => row.repository === repository && row.commit === commit)) continue
    const row = { repository, commit, runs: await threeRuns(folder, commit) }
    rows.push(row)
    appendFileSync(journal, `${JSON.stringify(row)}\n`)
  }
}

console.log(
  '| Repository | Commit | first: s (CPU s) | second | third | KB kept after each | cut | hashes | third needed |',
)
console.log('|---|---|---:|---:|---:|---|---:|---:|---|')
for (const { repository, commit, runs } of rows) {
  const times = runs.map(({ seconds, cpuSeconds }) => `${seconds.toFixed(1)} (${cpuSeconds.toFixed(1)})`)
  const kept = runs.map((run) => Math.round(run.kept / 1000)).join(', ')
  const cut = runs.reduce((sum, run) => sum + run.cut.length, 0)
  const hashes = new Set(runs.map(({ hash }) => hash)).size
  const cells = [
    repository,
    commit.slice(0, 10),
    ...times,
    kept,
    cut,
    hashes,
    isThirdNeeded(runs) ? 'YES' : 'no',
  ]
  console.log(`| ${cells.join(' | ')} |`)
  if (isThirdNeeded(runs)) process.exitCode = 1
}

async function threeRuns(folder: string, commit: string): Promise<One[]> {
  const cache = join(out, 'two-runs-cache')
  const environment = { XDG_CACHE_HOME: cache, XDG_STATE_HOME: join(out, 'state') }
  rmSync(cache, { recursive: true, force: true })
  const runs: One[] = []
  for (let run = 0; run < 3; run++) {
    const args = [resolve(values.program), 'context', commit, '--repo', folder, '--json']
    const { stdout, seconds, cpuSeconds, load } = await runCommand(args, environment)
    const { hash, cuts } = JSON.parse(stdout) as { hash: string; cuts: string[] }
    runs.push({ seconds, cpuSeconds, load, hash, cut: cuts.filter(isOutOfTime), kept: bytesIn(cache) })
  }
  rmSync(cache, { recursive: true, force: true })
  return runs
}

function bytesIn(cache: string): number {
  const names = readdirSync(join(cache, 'sightline'), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => !name.startsWith('compiled'))
    .map((name) => statSync(join(cache, 'sightline', name)))
    .reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0)
}

function isThirdNeeded([, second, third]: readonly One[]): boolean {
  if (!second || !third) return false
  return second.cut.length > 0 || third.hash !== second.hash || third.kept !== second.kept
}
