/**
 * Random histories of change requests on the strict fake hosts, with a crash at every request of every publication.
 *
 *   node bench/hosts/histories.ts [--host NAME] [--seed 1] [--count 1000] [--out FILE]
 *
 * Without `--host`, the seeds go around all hosts. With `--out`, what is done is written there after each history, and
 * the next call with the same file goes on behind it. Exit code 1 when a history fails; its seed plays it again.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type HistoryTotals, noTotals, playHistory } from '../../test/contracts/host-history.ts'
import type { FakeHost } from '../../test/contracts/host-setup.ts'
import { hostSetups } from '../../test/contracts/host-setups.ts'

const { values } = parseArgs({
  options: {
    host: { type: 'string' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
    out: { type: 'string' },
  },
})

type Name = keyof typeof hostSetups
type Progress = {
  next: number
  byHost: Record<string, HistoryTotals & { histories: number }>
  failed: string[]
}

const names = (Object.keys(hostSetups) as Name[]).filter((name) => (values.host ?? name) === name)
const [first, count] = [Number(values.seed), Number(values.count)]
if (names.length === 0 || !Number.isInteger(first) || !Number.isInteger(count)) {
  process.stderr.write(
    `histories: --host ${Object.keys(hostSetups).join(' | ')}; --seed and --count are whole numbers\n`,
  )
  process.exit(2)
}

function readProgress(): Progress {
  try {
    if (values.out !== undefined) return JSON.parse(readFileSync(values.out, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return { next: first, byHost: {}, failed: [] }
}

const progress = readProgress()
/** A server for a few histories: what it remembers of earlier ones makes it slow. */
const mostOnOne = 20
const servers = new Map<Name, { fake: FakeHost; played: number }>()

async function serverOf(name: Name): Promise<FakeHost> {
  const known = servers.get(name)
  if (known && known.played < mostOnOne) {
    known.played++
    return known.fake
  }
  await known?.fake.close()
  const fake = await hostSetups[name].start()
  servers.set(name, { fake, played: 1 })
  return fake
}

for (; progress.next < first + count; progress.next++) {
  const seed = progress.next
  const name = names[seed % names.length] ?? 'github'
  const done = progress.byHost[name] ?? { histories: 0, ...noTotals() }
  progress.byHost[name] = done
  try {
    const totals = await playHistory(hostSetups[name], await serverOf(name), seed)
    for (const key of Object.keys(totals) as (keyof HistoryTotals)[]) done[key] += totals[key]
  } catch (error) {
    progress.failed.push((error as Error).message)
    process.stderr.write(`${(error as Error).message}\n`)
    // What it began may be in the way of the next one.
    await servers.get(name)?.fake.close()
    servers.delete(name)
  }
  done.histories++
  if (values.out !== undefined)
    writeFileSync(values.out, `${JSON.stringify({ ...progress, next: seed + 1 })}\n`)
}
for (const { fake } of servers.values()) await fake.close()

const rows = Object.entries(progress.byHost).map(([name, totals]) => {
  const { histories, publications, attempts, requests, crashes, comments, closed } = totals
  return `| ${name} | ${[histories, publications, attempts, requests, crashes, comments, closed].join(' | ')} |`
})
process.stdout.write(
  [
    '| Host | Histories | Publications | Attempts | Requests | Processes ended | Comments | Threads closed |',
    '|---|---:|---:|---:|---:|---:|---:|---:|',
    ...rows,
    `\nSeeds ${first} to ${first + count - 1}. Failed: ${progress.failed.length}.`,
    ...progress.failed.map((one) => `- ${one}`),
    '',
  ].join('\n'),
)
process.exitCode = progress.failed.length > 0 ? 1 : 0
