/**
 * What a commit of about ten files costs, beside indexing its tree from nothing: in a process that has the tree before
 * it at hand, and in a new process (the command itself) that finds that tree's index on disk. Commits are those of the
 * real history, newest first, that change eight to twelve files of code.
 * Usage: node bench/index/incremental.ts GIT_DIRECTORY… [--commits 5] [--program FILE] [--json FILE]. With a file, a run that was stopped goes on
 * after the repositories that are in it.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { languageOf } from '../../src/code-index/language-of.ts'
import { LiveTrees } from '../../src/code-index/query/live-trees.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { runCommand } from '../context/run-command.ts'
import { at, nameOf, type Row, rounded, rowsOf } from '../figures.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '5' },
    program: { type: 'string', default: join(import.meta.dirname, '../../bin/sightline.js') },
    json: { type: 'string' },
  },
})

const command = resolve(values.program)
const files = { fewest: 8, most: 12 }
const commitsLookedAt = 1_500

if (positionals.length === 0) {
  process.stderr.write(
    'usage: node bench/index/incremental.ts GIT_DIRECTORY… [--commits 5] [--program FILE] [--json FILE]\n',
  )
  process.exitCode = 2
} else {
  for (const row of await rowsOf(positionals, values.json, async (folder) => [await measure(folder)]))
    console.table(row)
}

async function measure(folder: string): Promise<Row> {
  const commits = tenFileCommits(folder).slice(0, Number(values.commits))
  const live = { collect: [] as number[], open: [] as number[], cpu: [] as number[] }
  const fresh = { wall: [] as number[], cpu: [] as number[], inside: [] as number[] }
  const full = { wall: [] as number[], cpu: [] as number[], inside: [] as number[] }
  for (const commit of commits) {
    const started = await openLive(folder, commit)
    live.collect.push(started.collectMs)
    live.open.push(started.openMs)
    live.cpu.push(started.cpuMs)
    await withCache(async (cache) => {
      push(full, await runIndex(folder, `${commit}^`, cache))
      push(fresh, await runIndex(folder, commit, cache))
    })
  }
  const middle = (all: number[]) => rounded(at(all, 0.5))
  const worst = (all: number[]) => rounded(Math.max(...all))
  return {
    repository: nameOf(folder),
    commits: commits.length,
    'live: find the commit ms': middle(live.collect),
    'live: index ms': middle(live.open),
    'live: index worst ms': worst(live.open),
    'live: index CPU ms': middle(live.cpu),
    'new process: whole ms': middle(fresh.wall),
    'new process: whole worst ms': worst(fresh.wall),
    'new process: whole CPU ms': middle(fresh.cpu),
    'new process: index ms': middle(fresh.inside),
    'full: whole ms': middle(full.wall),
    'full: whole CPU ms': middle(full.cpu),
    'full: index ms': middle(full.inside),
    'full / new process': rounded(at(full.wall, 0.5) / at(fresh.wall, 0.5)),
    'full / live': rounded(at(full.inside, 0.5) / at(live.open, 0.5)),
  }
}

/** The tree before the commit is open and warm; then the commit comes. CPU is this process's, without its parsers. */
async function openLive(
  folder: string,
  commit: string,
): Promise<{ collectMs: number; openMs: number; cpuMs: number }> {
  const cache = mkdtempSync(join(tmpdir(), 'bench-live-'))
  const facts = createFactStore({ cacheFolder: cache })
  const limits = defaultConfig.limits
  const before = await collectLocal({ folder, selector: { kind: 'commit', commit: `${commit}^` }, limits })
  try {
    const trees = new LiveTrees({ facts, cacheFolder: cache, repository: folder })
    await trees.warm(await trees.open(before.head))
    const start = performance.now()
    const change = await collectLocal({ folder, selector: { kind: 'commit', commit }, limits })
    const collected = performance.now()
    const cpu = process.cpuUsage()
    await trees.open(change.head)
    const openMs = performance.now() - collected
    const { user, system } = process.cpuUsage(cpu)
    await change.close()
    return { collectMs: collected - start, openMs, cpuMs: (user + system) / 1000 }
  } finally {
    await Promise.all([facts.close(), before.close()])
    rmSync(cache, { recursive: true, force: true })
  }
}

type Run = { wall: number; cpu: number; inside: number }

/** The command in a process of its own; CPU is that of the process and of all it started. */
async function runIndex(folder: string, commit: string, cache: string): Promise<Run> {
  const words = [command, 'index', '--json', '--at', commit, '--repo', folder]
  const { stdout, seconds, cpuSeconds } = await runCommand(words, { XDG_CACHE_HOME: cache })
  const report: { times: { totalMs: number } } = JSON.parse(stdout)
  return { wall: seconds * 1000, cpu: cpuSeconds * 1000, inside: report.times.totalMs }
}

async function withCache(use: (cache: string) => Promise<void>): Promise<void> {
  const cache = mkdtempSync(join(tmpdir(), 'bench-cache-'))
  try {
    await use(cache)
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}

function push(into: Record<keyof Run, number[]>, run: Run): void {
  into.wall.push(run.wall)
  into.cpu.push(run.cpu)
  into.inside.push(run.inside)
}

/** Newest first; merges and the first commit are left out. */
function tenFileCommits(folder: string): string[] {
  const args = ['log', '--no-merges', '--name-only', '-n', String(commitsLookedAt), '--format=%x00%H %P']
  const log = execFileSync('git', ['--git-dir', folder, ...args, 'HEAD'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  return log.split('\0').flatMap((entry) => {
    const [head = '', ...paths] = entry.split('\n').filter((line) => line !== '')
    const [commit = '', parent = ''] = head.split(' ')
    const code = paths.filter((path) => languageOf(path) !== null).length
    return parent !== '' && code >= files.fewest && paths.length <= files.most ? [commit] : []
  })
}
