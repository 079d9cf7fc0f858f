/**
 * Is the hash of a bundle the same, however often, wherever and beside whatever it is built?
 *
 *   node bench/context/rebuilds.ts [--runs 1000] [--processes 40] [--commits 5] [--busy 0,1,8] --out FOLDER NAME=GIT_FOLDER…
 *
 * Of each repository the newest commits that change code. Clones lie in folders with names of different length, each with
 * a cache of its own. Most rebuilds take place in this process: a quarter with nothing kept, a quarter with what earlier ones
 * left, a quarter with a whole index, a quarter with that of an earlier commit. The others are processes of their own, as if
 * on two machines: another home, time zone, locale, number of threads and folder for temporary files. Each round runs
 * beside so many busy processes in turn. Every rebuild is a line of FOLDER/rebuilds.jsonl as soon as it is made: a run that
 * was stopped goes on. Exits with 1 when a commit has two hashes.
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
const rows: Row[] = existsSync(journal)
  ? readFileSync(journal, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row)
  : []
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

for (const place of positionals) {
  const at = place.indexOf('=')
  const [name, source] = [place.slice(0, at), resolve(place.slice(at + 1))]
  const clones = folderNames.map((folder) => join(out, name, folder, 'clone'))
  for (const clone of clones)
    if (!existsSync(clone)) {
      mkdirSync(join(clone, '..'), { recursive: true })
      execFileSync('git', ['clone', '--quiet', '--no-checkout', '--single-branch', source, clone])
    }
  for (const commit of commitsOf(source, Number(values.commits))) await rebuild(name, clones, commit)
}
report()

async function rebuild(repository: string, clones: readonly string[], commit: string): Promise<void> {
  const done = new Set(
    rows.filter((row) => row.repository === repository && row.commit === commit).map(({ run }) => run),
  )
  const each = Math.ceil(runs / busyCounts.length)
  for (const [round, busy] of busyCounts.entries()) {
    const beside = startBusy(busy)
    try {
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
    } finally {
      for (const one of beside) one.kill('SIGKILL')
    }
  }
}

type Bundle = Pick<ReviewContext, 'hash' | 'cuts'>

async function inThis(folder: string, commit: string, way: Way): Promise<Bundle> {
  const selector = { kind: 'commit', commit } as const
  const cacheFolder = way === 'cold' ? null : `${folder}-${way.replace(' ', '-')}`
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
  const home = join(out, `home-${run}`)
  mkdirSync(home, { recursive: true })
  const told = execFileSync(process.execPath, [command, 'context', commit, '--repo', folder, '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, ...machines[run % machines.length] },
  })
  rmSync(home, { recursive: true, force: true })
  return JSON.parse(told) as Bundle
}

function startBusy(count: number): ChildProcess[] {
  return Array.from({ length: count }, () => spawn('yes', { stdio: 'ignore' }))
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
