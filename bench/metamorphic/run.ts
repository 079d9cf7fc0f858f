/**
 * Metamorphic tests: changes in every language are reviewed by code before and after rewrites that change no meaning; no finding
 * may come or go.
 *
 *   node bench/metamorphic/run.ts [--runs 100] [--seed 1]
 *
 * Prints each run that differs, and exits with 1 when there is one.
 */
import { parseArgs } from 'node:util'
import { playMetamorphic } from '../../test/helpers/in-memory/metamorphic.ts'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
})
const { played, changes, withFindings, counts, differences } = await playMetamorphic(
  Number(values.runs),
  Number(values.seed),
)
for (const { name, lost, gained } of differences) {
  console.log(name)
  for (const words of lost) console.log(`  lost: ${words}`)
  for (const words of gained) console.log(`  new: ${words}`)
}
for (const [name, many] of Object.entries(counts).sort()) console.log(`${many}  ${name}`)
console.log(
  `${played} runs over ${changes} changes (${withFindings} with findings), seed ${values.seed}: ${differences.length} differ`,
)
process.exitCode = differences.length > 0 ? 1 : 0
