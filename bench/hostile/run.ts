/**
 * What a review of each hostile input costs: the real command at depth offline, with processor time and peak memory of
 * it and all its children together.
 *
 *   node bench/hostile/run.ts [--only TEXT] [--out bench/out/hostile.json]
 *
 * Exits with 1 when an input costs more than 10 seconds or 500 MB, or ends as it must not.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { type PlayedInput, playInput } from '../../test/red-team/inputs/play-input.ts'
import { hostileInputs } from '../../test/red-team/inputs/registry.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    out: { type: 'string', default: 'bench/out/hostile.json' },
  },
})

const played: PlayedInput[] = []
for (const input of hostileInputs.filter(({ name }) => name.includes(values.only))) {
  const one = await playInput(input)
  played.push(one)
  const { name, seconds, megabytes, code, faults, words } = one
  const verdict = faults.length === 0 ? 'held' : `FAILED: ${faults.join(', ')}`
  console.log(
    `${seconds.toFixed(1).padStart(7)} s ${String(Math.round(megabytes)).padStart(6)} MB  exit ${code ?? '-'}  ${name}: ${verdict} (${words})`,
  )
}
const failed = played.filter(({ faults }) => faults.length > 0)
const most = (of: (one: PlayedInput) => number) => Math.max(0, ...played.map(of))
console.log(
  `${played.length} inputs, ${failed.length} failed; at most ${most(({ seconds }) => seconds).toFixed(1)} s and ${Math.round(most(({ megabytes }) => megabytes))} MB`,
)
mkdirSync(dirname(values.out), { recursive: true })
writeFileSync(values.out, `${JSON.stringify(played, null, 2)}\n`)
process.exitCode = failed.length > 0 ? 1 : 0
