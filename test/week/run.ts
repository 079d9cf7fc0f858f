/**
 * A week of a server in a short time, on all fake hosts (see `week.ts`).
 *
 *   npm run test:week -- [--minutes 120] [--changes 400] [--repositories 50] [--seed S]
 *     [--database embedded|postgres] [--other PATH] [--deploys N] [--without KIND]... [--out FILE]
 *
 * `--other`: `bin/sightline.js` of another version; each deploy goes to the other one. `--without`: a kind of happening that is
 * left out. `--out`: everything as JSON. Prints how memory, handles, files and rows grow, for people to judge. Exit code 1
 * when a finding is lost, double or in the wrong state, or something has no end. A signal ends all that it started.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism, constants, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { slopeOf } from './growth.ts'
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
for (const [name, unit] of [
  ['memory', 'MB'],
  ['handles', ''],
  ['files', ''],
  ['rows', ''],
] as const) {
  const slope = slopeOf(played[name])
  say(
    `${name.padEnd(17)}${slope ? `${slope.slope.toFixed(1)} ${unit} more for 1,000 reviews (95 %: ${slope.low.toFixed(1)} to ${slope.high.toFixed(1)}; ${slope.samples} samples)` : 'too few samples'}`,
  )
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
  writeFileSync(values.out, `${JSON.stringify({ ...values, ...played }, null, 1)}\n`)
process.exitCode = account.wrong.length > 0 ? 1 : 0
