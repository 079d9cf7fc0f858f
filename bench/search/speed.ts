/**
 * How long a search takes: in a process that has never seen the tree, in a new one after it, after a push of ten files,
 * and in a process that lives. Usage: node bench/search/speed.ts REPOSITORY… [--json FILE]. Each measurement but the last
 * is a process of its own. CPU milliseconds beside wall time, since a busy machine lengthens only the latter.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { nameOf, type Row, rounded, rowsOf } from '../figures.ts'
import type { SpeedReport } from './speed-child.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' } },
})

console.table(await rowsOf(positionals, values.json, async (folder) => [measure(resolve(folder))]))

function measure(folder: string): Row {
  const cache = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
  try {
    const pushed = commitBefore(folder, 10)
    const cold = run(folder, pushed, cache)
    const push = run(folder, 'HEAD', cache)
    const warm = run(folder, 'HEAD', cache)
    return {
      repository: nameOf(folder),
      chunks: warm.chunks,
      'source MB': rounded(warm.sourceBytes / 1e6),
      'index MB': rounded(bytesIn(cache, 'search-') / 1e6),
      'cold open ms (CPU)': told(cold.open),
      'push open ms (CPU)': told(push.open),
      'open ms (CPU)': told(warm.open),
      'first query ms (CPU)': told(warm.first),
      'live p50 ms': rounded(warm.live.p50),
      'live p95 ms': rounded(warm.live.p95),
      'process ms (CPU)': told(warm.whole),
      'git grep ms': rounded(grepMs(folder)),
    }
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}

function run(folder: string, commit: string, cache: string): SpeedReport {
  const child = join(import.meta.dirname, 'speed-child.ts')
  const printed = execFileSync(process.execPath, [child, folder, commit, cache], { encoding: 'utf8' })
  return JSON.parse(printed)
}

/** The youngest commit from which at least so many files have changed since. */
function commitBefore(folder: string, files: number): string {
  for (let back = 1; back < 200; back++) {
    const changed = git(folder, 'diff', '--name-only', `HEAD~${back}`, 'HEAD').split('\n').length - 1
    if (changed >= files) return `HEAD~${back}`
  }
  return 'HEAD~1'
}

function grepMs(folder: string): number {
  const start = performance.now()
  git(folder, 'grep', '-n', '-w', '-F', '-e', 'config', 'HEAD')
  return performance.now() - start
}

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 28,
  })
}

function bytesIn(folder: string, prefix: string): number {
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) =>
      readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }).map((path) =>
        join(folder, name, path),
      ),
    )
    .reduce((sum, path) => sum + (statSync(path).isFile() ? statSync(path).size : 0), 0)
}

function told({ wallMs, cpuMs }: { wallMs: number; cpuMs: number }): string {
  return `${rounded(wallMs)} (${rounded(cpuMs)})`
}
