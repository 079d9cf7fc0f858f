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
  const verdict = faults.length === 0 ? 'held' : `over: ${faults.join(', ')} (${words})`
  console.log(
    `${seconds.toFixed(1).padStart(7)} s ${String(Math.round(megabytes)).padStart(6)} MB  exit ${code ?? '-'}  ${name}  ${verdict}`,
  )
}
mkdirSync(dirname(values.out), { recursive: true })
writeFileSync(values.out, `${JSON.stringify(played, null, 2)}\n`)
process.exitCode = played.some(({ faults }) => faults.length > 0) ? 1 : 0
