/**
 * Is the hash of a bundle the same, however often and wherever it is built?
 *
 *   node bench/context/rebuilds.ts [--runs 1000] [--processes 40] [--commit HEAD] [--json FILE] REPOSITORY
 *
 * Clones the repository into folders with names of different length, each with a cache of its own. Most rebuilds take
 * place in this process, half of them with nothing kept; the others are processes of their own, as if on two machines:
 * another home, time zone, locale, number of threads and folder for temporary files. On a machine that is busy a retrieval
 * may run out of its time, which the bundle says and which is another bundle; those are counted apart.
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
const commit = execFileSync('git', ['-C', repository, 'rev-parse', values.commit], {
  encoding: 'utf8',
}).trim()
const folders = ['a', 'a folder with spaces', `${'long-'.repeat(20)}name`, 'ünïcode'].map((name) => {
  const folder = join(root, name, 'clone')
  mkdirSync(join(root, name), { recursive: true })
  execFileSync('git', ['clone', '--quiet', '--no-checkout', repository, folder])
  return { folder, cacheFolder: join(root, name, 'cache') }
})

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
    const kept = Math.floor(run / folders.length) % 2 === 0 ? cacheFolder : null
    const selector = { kind: 'commit', commit } as const
    note((await freezeChange({ folder, selector, cacheFolder: kept })).context)
    if (run % 100 === 99)
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
    const told = execFileSync('node', [command, 'context', commit, '--repo', folder, '--json'], {
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
