/**
 * Is the hash of a bundle the same, however often, wherever and beside whatever it is built?
 *
 *   node bench/context/rebuilds.ts [--runs 1000] [--processes 40] [--commits 5] [--busy 0,1,8] [--at-once 1] [--round 0]
 *     --out FOLDER NAME=GIT_FOLDER…
 *
 * Of each repository the newest commits that change code (`--commits 3,2`: three of the first, two of the second). Clones
 * lie in folders with names of different length, each with caches of its own. Most rebuilds of a commit and round take place
 * in one process: a quarter with nothing kept, a quarter with what earlier ones left, a quarter with a whole index, a quarter
 * with that of an earlier commit. The others are processes of their own, as if on two machines: another home, time zone,
 * locale, number of threads and folder for temporary files. Each round runs beside so many busy processes in turn (`--round`:
 * that one only, counted from 0), and within a round so many commits are rebuilt at once. Every rebuild is a line of
 * FOLDER/rebuilds.jsonl as soon as it is made: a run that was stopped goes on. Exits with 1 when a commit has two hashes.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { ReviewContext } from '../../src/domain/review-context.ts'
import { freezeChange } from '../../src/index.ts'
import { commitsOf, isOutOfTime } from './run-command.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '1000' },
    processes: { type: 'string', default: '40' },
    commits: { type: 'string', default: '5' },
    busy: { type: 'string', default: '0,1,8' },
    'at-once': { type: 'string', default: '1' },
    round: { type: 'string' },
    /** Of the process that rebuilds one commit in one round: ROUND:COMMIT. */
    only: { type: 'string' },
    out: { type: 'string' },
  },
})
if (!values.out || positionals.length === 0) throw new Error('see the head of this file for its options')

type Row = {
  repository: string
  commit: string
  run: number
  way: Way
  busy: number
  hash: string
  cut: string[]
}
const ways = ['cold', 'warm', 'indexed', 'partly indexed', 'process'] as const
type Way = (typeof ways)[number]

const out = resolve(values.out)
mkdirSync(out, { recursive: true })
const journal = join(out, 'rebuilds.jsonl')
const command = resolve(import.meta.dirname, '../../bin/sightline.js')
const rows: Row[] = readJournal()
const busyCounts = values.busy.split(',').map(Number)
const runs = Number(values.runs)
const processes = Math.min(runs, Number(values.processes))
const folderNames = ['a', 'a folder with spaces', `${'long-'.repeat(20)}name`, 'ünïcode']
const machines = [
  { TZ: 'UTC', LANG: 'C', LC_ALL: 'C', UV_THREADPOOL_SIZE: '1', NODE_OPTIONS: '' },
  {
    TZ: 'Pacific/Kiritimati',
    LANG: 'tr_TR.UTF-8',
    LC_ALL: 'tr_TR.UTF-8',
    UV_THREADPOOL_SIZE: '8',
    NODE_OPTIONS: '--max-semi-space-size=1',
  },
]

const repositories = positionals.map((place) => {
  const at = place.indexOf('=')
  const [name, source] = [place.slice(0, at), resolve(place.slice(at + 1))]
  return { name, source, clones: folderNames.map((folder) => join(out, name, folder, 'clone')) }
})

if (values.only) {
  const [round, commit = ''] = values.only.split(':')
  const [repository] = repositories
  if (repository) await rebuild(repository.name, repository.clones, commit, Number(round))
} else {
  for (const { source, clones } of repositories)
    for (const clone of clones)
      if (!existsSync(clone)) {
        mkdirSync(join(clone, '..'), { recursive: true })
        execFileSync('git', ['clone', '--quiet', '--no-checkout', '--single-branch', source, clone])
      }
  const counts = values.commits.split(',').map(Number)
  const commits = repositories.flatMap(({ name, source }, at) =>
    commitsOf(source, counts[at] ?? counts[0] ?? 0).map((commit) => ({ place: `${name}=${source}`, commit })),
  )
  for (const [round, busy] of busyCounts.entries())
    if (values.round === undefined || values.round === String(round)) await runRound(round, busy, commits)
  rows.splice(0, rows.length, ...readJournal())
  report()
}

async function runRound(
  round: number,
  busy: number,
  commits: readonly { place: string; commit: string }[],
): Promise<void> {
  const beside = startBusy(busy)
  const queue = [...commits]
  const lane = async (): Promise<void> => {
    for (let one = queue.shift(); one; one = queue.shift()) {
      const args = [
        import.meta.filename,
        '--only',
        `${round}:${one.commit}`,
        '--out',
        out,
        '--busy',
        values.busy,
      ]
      args.push('--runs', values.runs, '--processes', values.processes, one.place)
      await finished(spawn(process.execPath, args, { stdio: 'inherit', detached: true }))
    }
  }
  try {
    await Promise.all(Array.from({ length: Number(values['at-once']) }, lane))
  } finally {
    if (beside?.pid) process.kill(-beside.pid, 'SIGKILL')
  }
}

function finished(child: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (code) => (code === 0 ? done() : fail(new Error(`a rebuild ended with ${code}`))))
  })
}

async function rebuild(
  repository: string,
  clones: readonly string[],
  commit: string,
  round: number,
): Promise<void> {
  const done = new Set(
    rows.filter((row) => row.repository === repository && row.commit === commit).map(({ run }) => run),
  )
  const each = Math.ceil(runs / busyCounts.length)
  const busy = busyCounts[round] ?? 0
  for (let run = round * each; run < Math.min(runs, (round + 1) * each); run++) {
    if (done.has(run)) continue
    const clone = clones[run % clones.length] ?? ''
    // The last ones of a round are processes.
    const isProcess = run % each >= each - Math.ceil(processes / busyCounts.length)
    const way: Way = isProcess ? 'process' : (ways[Math.floor(run / clones.length) % 4] ?? 'cold')
    const bundle = isProcess ? inProcess(clone, commit, run) : await inThis(clone, commit, way)
    const cut = bundle.cuts.filter(isOutOfTime)
    keep({ repository, commit, run, way, busy, hash: bundle.hash, cut })
  }
}

type Bundle = Pick<ReviewContext, 'hash' | 'cuts'>

async function inThis(folder: string, commit: string, way: Way): Promise<Bundle> {
  const selector = { kind: 'commit', commit } as const
  const cacheFolder = way === 'cold' ? null : `${folder}-${way.replace(' ', '-')}-${commit.slice(0, 12)}`
  if (cacheFolder !== null && way !== 'warm' && !existsSync(cacheFolder)) {
    const at = way === 'indexed' ? commit : `${commit}~5`
    execFileSync(process.execPath, [command, 'index', '--at', at, '--repo', folder], {
      stdio: 'ignore',
      env: { ...process.env, XDG_CACHE_HOME: cacheFolder },
    })
  }
  const kept = cacheFolder === null ? null : join(cacheFolder, 'sightline')
  return (await freezeChange({ folder, selector, cacheFolder: kept })).context
}

function inProcess(folder: string, commit: string, run: number): Bundle {
  const home = join(out, `home-${commit.slice(0, 12)}-${run}`)
  mkdirSync(home, { recursive: true })
  const told = execFileSync(process.execPath, [command, 'context', commit, '--repo', folder, '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, ...machines[run % machines.length] },
  })
  rmSync(home, { recursive: true, force: true })
  return JSON.parse(told) as Bundle
}

/** In a session of their own, as those of another user are: the system shares its time among sessions first. */
function startBusy(count: number): ChildProcess | null {
  if (count === 0) return null
  return spawn('sh', ['-c', `${'yes & '.repeat(count)}wait`], { stdio: 'ignore', detached: true })
}

function readJournal(): Row[] {
  const lines = existsSync(journal) ? readFileSync(journal, 'utf8').split('\n') : []
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row)
}

function keep(row: Row): void {
  rows.push(row)
  appendFileSync(journal, `${JSON.stringify(row)}\n`)
}

function report(): void {
  const groups = Map.groupBy(rows, ({ repository, commit }) => `${repository} ${commit.slice(0, 12)}`)
  console.log(
    '| Commit | rebuilds | hashes | cut | cold | warm | indexed | partly | processes | beside busy ones |',
  )
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|')
  for (const [name, some] of groups) {
    const hashes = new Set(some.map(({ hash }) => hash)).size
    const cut = some.filter((row) => row.cut.length > 0).length
    const counts = ways.map((way) => some.filter((row) => row.way === way).length)
    const busy = some.filter((row) => row.busy > 0).length
    console.log(`| ${[name, some.length, hashes, cut, ...counts, busy].join(' | ')} |`)
    if (hashes > 1) process.exitCode = 1
  }
  const figures = [...groups].map(([commit, some]) => ({
    commit,
    rebuilds: some.length,
    hashes: [...new Set(some.map(({ hash }) => hash))],
    cut: some.filter((row) => row.cut.length > 0).length,
  }))
  writeFileSync(join(out, 'rebuilds.json'), `${JSON.stringify(figures, null, 1)}\n`)
}
