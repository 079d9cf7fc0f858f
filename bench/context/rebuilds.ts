/**
 * Is the hash of a bundle the same, however often and wherever it is built?
 *
 *   node bench/context/rebuilds.ts [--runs 1000] [--processes 40] [--commit HEAD] [--json FILE] REPOSITORY
 *
 * Clones the commit into folders with names of different length, each with a cache of its own. Most rebuilds take place in
 * this process, every eighth with nothing kept; the others are processes of their own, as if on two machines: another
 * home, time zone, locale, number of threads and folder for temporary files. A configuration beside the code gives the
 * graph all the time it needs: a bundle that ran out of time is another bundle, and such are counted apart.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { ReviewContext } from '../../src/domain/review-context.ts'
import { freezeChange } from '../../src/index.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '1000' },
    processes: { type: 'string', default: '40' },
    commit: { type: 'string', default: 'HEAD' },
    json: { type: 'string' },
  },
})
const [repository] = positionals
if (!repository) throw new Error('see the head of this file for its options')

const root = mkdtempSync(join(tmpdir(), 'rebuilds-'))
const command = resolve(import.meta.dirname, '../../bin/sightline.js')
const commit = git(repository, {}, 'rev-parse', values.commit)
const source = join(root, 'source.git')
execFileSync('git', ['clone', '--quiet', '--bare', '--shared', repository, source])
const reviewed = withTime(withTime(`${commit}^`, `${commit}^`), commit)
const folders = ['a', 'a folder with spaces', `${'long-'.repeat(20)}name`, 'ünïcode'].map((name) => {
  const folder = join(root, name, 'clone')
  mkdirSync(join(root, name), { recursive: true })
  execFileSync('git', ['clone', '--quiet', '--no-checkout', source, folder])
  return { folder, cacheFolder: join(root, name, 'cache') }
})

function git(folder: string, env: Record<string, string>, ...args: string[]): string {
  const options = { encoding: 'utf8', env: { ...process.env, ...env } } as const
  return execFileSync('git', ['-C', folder, ...args], options).trim()
}

/** The tree of a commit with the configuration beside it, committed at a fixed time. */
function withTime(parent: string, tree: string): string {
  const person = { NAME: 'Bench', EMAIL: 'bench@example.org', DATE: '2026-01-01T00:00:00Z' }
  const named = Object.entries(person).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ])
  const env = { ...Object.fromEntries(named), GIT_INDEX_FILE: join(root, 'index') }
  writeFileSync(join(root, 'config.yaml'), 'context: { graphSeconds: 600 }\n')
  const blob = git(source, env, 'hash-object', '-w', join(root, 'config.yaml'))
  git(source, env, 'read-tree', tree)
  git(source, env, 'update-index', '--add', '--cacheinfo', `100644,${blob},.sightline.yaml`)
  const made = git(source, env, 'commit-tree', git(source, env, 'write-tree'), '-p', parent, '-m', 'bench')
  git(source, env, 'update-ref', 'HEAD', made)
  return made
}

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

type Bundle = Pick<ReviewContext, 'hash' | 'cuts'>
const hashes = new Map<string, number>()
const outOfTime = new Map<string, number>()
function note({ hash, cuts }: Bundle): void {
  const counts = cuts.some((cut) => /ran out|took longer/.test(cut)) ? outOfTime : hashes
  counts.set(hash, (counts.get(hash) ?? 0) + 1)
}
const runs = Number(values.runs)
const processes = Math.min(runs, Number(values.processes))
const cpuBefore = process.cpuUsage()
const startedAt = performance.now()
try {
  for (let run = 0; run < runs - processes; run++) {
    const { folder, cacheFolder } = folders[run % folders.length] ?? { folder: repository, cacheFolder: '' }
    const kept = run % 8 === 7 ? null : cacheFolder
    const selector = { kind: 'commit', commit: reviewed } as const
    note((await freezeChange({ folder, selector, cacheFolder: kept })).context)
    if (run % 50 === 49)
      console.log(`${run + 1} rebuilds, ${hashes.size} hashes; out of time: ${sumOf(outOfTime)}`)
  }
  for (let run = 0; run < processes; run++) {
    const { folder } = folders[run % folders.length] ?? { folder: repository }
    const home = join(root, `home-${run}`)
    mkdirSync(home)
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      TMPDIR: home,
      ...machines[run % machines.length],
    }
    const told = execFileSync(process.execPath, [command, 'context', reviewed, '--repo', folder, '--json'], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env,
    })
    note(JSON.parse(told) as Bundle)
    rmSync(home, { recursive: true, force: true })
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}
const { user, system } = process.cpuUsage(cpuBefore)
const result = {
  commit,
  runs,
  processes,
  folders: folders.length,
  hashes: Object.fromEntries(hashes),
  outOfTime: sumOf(outOfTime),
  seconds: Math.round((performance.now() - startedAt) / 1000),
  cpuSecondsHere: Math.round((user + system) / 1e6),
}
console.log(JSON.stringify(result, null, 1))
if (values.json) writeFileSync(values.json, `${JSON.stringify(result, null, 1)}\n`)
if (hashes.size !== 1) process.exitCode = 1

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}
