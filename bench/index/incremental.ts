/**
 * What a commit of about ten files costs in a new process that finds the index of the tree before it on disk, beside indexing
 * its tree from nothing. Commits are those of the real history, newest first, that change eight to twelve files of code.
 * Usage: node bench/index/incremental.ts GIT_DIRECTORY… [--commits 5] [--program FILE] [--json FILE]. With a file, a run that was stopped goes on
 * after the repositories that are in it.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { languageOf } from '../../src/code-index/language-of.ts'
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
  const fresh = { wall: [] as number[], cpu: [] as number[], inside: [] as number[] }
  const full = { wall: [] as number[], cpu: [] as number[], inside: [] as number[] }
  for (const commit of commits) {
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
    'new process: whole ms': middle(fresh.wall),
    'new process: whole worst ms': worst(fresh.wall),
    'new process: whole CPU ms': middle(fresh.cpu),
    'new process: index ms': middle(fresh.inside),
    'full: whole ms': middle(full.wall),
    'full: whole CPU ms': middle(full.cpu),
    'full: index ms': middle(full.inside),
    'full / new process': rounded(at(full.wall, 0.5) / at(fresh.wall, 0.5)),
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
