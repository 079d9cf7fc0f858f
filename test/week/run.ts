/**
 * A week of a server in a short time, on all fake hosts (see `week.ts`).
 *
 *   npm run test:week -- [--minutes 120] [--changes 400] [--repositories 50] [--seed S]
 *     [--database embedded|postgres] [--day SECONDS] [--other PATH] [--deploys N] [--without KIND]... [--out FILE]
 *
 * `--other`: `bin/sightline.js` of another version; each deploy goes to the other one. `--without`: a kind of happening that is
 * left out. `--day`: what is stored grows a day older each time, and what is too old is deleted; then growth is also told of the time
 * after the first deletions, when as much goes as comes. `--out`: everything as JSON. Prints how memory, handles, files and rows grow, for people to judge. Exit code 1
 * when a finding is lost, double or in the wrong state, or something has no end. A signal ends all that it started.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism, constants, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Sample, slopeOf, warmSamples, wordsOf } from './growth.ts'
import { playWeek } from './week.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    changes: { type: 'string', default: '400' },
    repositories: { type: 'string', default: '50' },
    seed: { type: 'string', default: '20261124' },
    database: { type: 'string', default: 'postgres' },
    other: { type: 'string' },
    deploys: { type: 'string' },
    without: { type: 'string', multiple: true, default: [] },
    day: { type: 'string' },
    out: { type: 'string' },
  },
})
const [minutes, changes, repositories, seed] = [
  ...[Number(values.minutes), Number(values.changes), Number(values.repositories), Number(values.seed)],
]
const database = values.database === 'embedded' ? 'embedded' : 'postgres'
const say = (text: string) => process.stdout.write(`${text}\n`)
say(
  `seed ${seed}: ${minutes} minutes, ${changes} change requests of ${repositories} repositories, ${database}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`,
)
const ending = new AbortController()
const endedBy = (signal: NodeJS.Signals) => ending.abort(signal)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, endedBy)
const played = await playWeek(
  {
    ...{
      minutes: minutes ?? 0,
      changes: changes ?? 0,
      repositories: repositories ?? 0,
      seed: seed ?? 0,
      database,
    },
    ...(values.day === undefined ? {} : { day: Number(values.day) }),
    ...(values.other === undefined ? {} : { other: values.other }),
    ...(values.deploys === undefined ? {} : { deploys: Number(values.deploys) }),
    without: values.without,
    onNote: (text) => process.stderr.write(`${text}\n`),
  },
  ending.signal,
).catch((error: unknown) => {
  if (!ending.signal.aborted) throw error
  // Whatever is under way may not begin anything any more.
  process.exit(128 + constants.signals[ending.signal.reason as NodeJS.Signals])
})
const { account } = played
const list = (record: Record<string, number>) =>
  Object.entries(record)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
say(`happened         ${list(played.happened)}`)
say(`webhooks         ${played.lost} lost, ${played.repeated} sent twice`)
say(`jobs             ${list(account.jobs)}`)
say(`change requests  ${account.changes}, with ${account.threads} threads`)
for (const excuse of [null, 'webhook lost', 'host or database away'] as const) {
  const times = played.started.filter((one) => one.excuse === excuse).map(({ waited }) => waited)
  times.sort((a, b) => a - b)
  const quantile = (part: number) => Math.round(times[Math.floor((times.length - 1) * part)] ?? Number.NaN)
  const what = excuse === null ? 'push to check' : `  ${excuse}`
  const waits =
    times.length === 0
      ? 'none'
      : `p50 ${quantile(0.5)} ms, p95 ${quantile(0.95)} ms, at most ${quantile(1)} ms`
  say(`${what.padEnd(16)} ${times.length}: ${waits}`)
}
say(`load             ${loadavg()[0]?.toFixed(1)}`)
/** The longest that anything is kept (`leastDays` of a table), and a day in which it is deleted. */
const keptDays = 33
const steadyFrom = values.day === undefined ? 0 : (Number(values.day) * keptDays) / 60
function sayGrowth(name: string, unit: string, samples: readonly Sample[]): void {
  say(`${name.padEnd(17)}${wordsOf(slopeOf(samples), unit)}`)
}
const steady = (samples: readonly Sample[]) => samples.filter(({ minute }) => minute >= steadyFrom)
if (steadyFrom > 0) say(`growth from minute ${Math.ceil(steadyFrom)} on, when as much is deleted as comes:`)
sayGrowth('memory', ' MB', steady(played.memory))
sayGrowth('  warm', ' MB', warmSamples(steady(played.memory)))
sayGrowth('handles', '', steady(played.handles))
for (const [name, kinds] of [
  ['files', played.files],
  ['rows', played.rows],
] as const) {
  sayGrowth(name, '', steady(kinds.get('all') ?? []))
  for (const [kind, samples] of kinds)
    if (kind !== 'all' && (slopeOf(steady(samples))?.low ?? 0) > 0)
      sayGrowth(`  ${kind}`, '', steady(samples))
}
say(`crashes          ${played.crashes}`)
say(`rows             ${list(account.rows)}`)
for (const [what, count] of Object.entries(played.complaints)
  .sort((a, b) => b[1] - a[1])
  .slice(0, 30))
  say(`  logged ${count} × ${what}`)
for (const [what, count] of Object.entries(account.violations)) say(`  violation ${count} × ${what}`)
say(`wrong            ${account.wrong.length}`)
for (const one of account.wrong) say(`  ${one}`)
if (values.out !== undefined)
  writeFileSync(
    values.out,
    `${JSON.stringify({ ...values, ...played, files: Object.fromEntries(played.files), rows: Object.fromEntries(played.rows) }, null, 1)}\n`,
  )
process.exitCode = account.wrong.length > 0 ? 1 : 0
