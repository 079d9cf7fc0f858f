/**
 * The chaos run of the server's queue, at full size: 1,000 kills on each database.
 *
 *   node test/chaos/run.ts [--kills N] [--seed S] [--database embedded|postgres|both] [--out FILE]
 *
 * With `--out` finished rounds are kept, and the same call goes on after them; the databases take turns. The disk is filled only inside a sandbox with a
 * small disk, which needs bubblewrap.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bubblewrapPath } from '../../src/base/sandbox/bubblewrap.ts'
import { postgresPrograms } from '../helpers/postgres.ts'
import { faultNames, type RoundResult, runRound } from './round.ts'

const killsOfRound = 50
const diskBytes = 700_000_000
const inside = 'SIGHTLINE_CHAOS_DISK'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '20261122' },
    database: { type: 'string', default: 'both' },
    out: { type: 'string' },
  },
})
const total = Number(values.kills)
const seed = Number(values.seed)
const databases = (['embedded', 'postgres'] as const).filter(
  (name) => values.database === 'both' || values.database === name,
)

/** In a sandbox whose temporary folder is a disk of its own; null where there is none. */
function onOwnDisk(): number | null {
  if (process.env[inside]) return null
  const folder = mkdtempSync(join(tmpdir(), 'sightline-chaos-disk-'))
  const sandbox = [
    '--dev-bind',
    '/',
    '/',
    '--perms',
    '1777',
    '--size',
    String(diskBytes),
    '--tmpfs',
    folder,
    '--die-with-parent',
  ]
  const words = [process.execPath, import.meta.filename, ...process.argv.slice(2)]
  const environment = { ...process.env, TMPDIR: folder, [inside]: '1' }
  try {
    if (spawnSync(bubblewrapPath(), [...sandbox, 'true']).status !== 0) return null
    return (
      spawnSync(bubblewrapPath(), [...sandbox, ...words], { stdio: 'inherit', env: environment }).status ?? 1
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(): Promise<number> {
  const diskIsOwn = process.env[inside] !== undefined
  process.stdout.write(`seed ${seed}, ${total} kills on each database\n`)
  if (!diskIsOwn) process.stdout.write('bubblewrap does not work here: the disk is not filled\n')
  const path = values.out === undefined ? null : resolve(values.out)
  const results: RoundResult[] =
    path && existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as RoundResult[]) : []
  const isHere = (name: string) => name !== 'postgres' || postgresPrograms() !== null
  if (!databases.every(isHere)) process.stdout.write('PostgreSQL is not installed: skipped\n')
  const killsOf = (name: string) =>
    sum(results.filter((one) => one.database === name).map((one) => one.kills))
  for (;;) {
    const [database] = databases
      .filter((name) => isHere(name) && killsOf(name) < total)
      .sort((a, b) => killsOf(a) - killsOf(b))
    if (!database) break
    const kills = Math.min(killsOfRound, total - killsOf(database))
    const result = await runRound({ seed: seed + results.length, kills, database, diskIsOwn })
    results.push(result)
    if (path) writeFileSync(path, `${JSON.stringify(results, null, 1)}\n`)
    process.stdout.write(`${table([result])}\n`)
  }
  process.stdout.write(`\n${table(databases.flatMap((database) => totals(results, database)))}\n`)
  return results.some((one) => one.lost + one.double + one.stuck + one.poisonLeft > 0) ? 1 : 0
}

function totals(results: readonly RoundResult[], database: string): RoundResult[] {
  const rounds = results.filter((one) => one.database === database)
  const add = (name: 'kills' | 'jobs' | 'published' | 'lost' | 'double' | 'stuck' | 'poisonLeft') =>
    sum(rounds.map((one) => one[name]))
  const faults = Object.fromEntries(
    faultNames.map((name) => [name, sum(rounds.map((one) => one.faults[name]))]),
  ) as RoundResult['faults']
  if (rounds.length === 0) return []
  return [
    {
      ...{ seed, database, faults, kills: add('kills'), jobs: add('jobs'), published: add('published') },
      ...{ lost: add('lost'), double: add('double'), stuck: add('stuck'), poisonLeft: add('poisonLeft') },
    },
  ]
}

function table(rounds: readonly RoundResult[]): string {
  return rounds
    .map(({ database, seed: of, kills, faults, jobs, published, lost, double, stuck, poisonLeft }) => {
      const happened = faultNames.map((name) => `${name} ${faults[name]}`).join(', ')
      return `${database} (seed ${of}): kills ${kills}; faults: ${happened}; jobs ${jobs}, published ${published}; lost ${lost}, double ${double}, stuck ${stuck}, poison left ${poisonLeft}`
    })
    .join('\n')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0)
}

process.exitCode = onOwnDisk() ?? (await run())
