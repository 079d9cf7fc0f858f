/**
 * How the work of a review grows with each shape of code, in every language: reviews it in this process at four sizes, each
 * twice the one before, counts the steps of our own code, and fits the exponent of their growth.
 *
 *   node bench/hostile/growth.ts [--only TEXT]… [--sample N --seed S] [--bytes 8000] [--json FILE] [--explain]
 *
 * With both, a sample of the others goes with those that are named. Exits with 1 when a shape grows faster than n log n, or when the finding in the other file is lost.
 */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openCounter } from '../../test/helpers/in-memory/count-work.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    bytes: { type: 'string', default: '8000' },
    json: { type: 'string' },
    explain: { type: 'boolean', default: false },
  },
})

const counter = await openCounter(resolve(import.meta.dirname, '../../src'), { explained: values.explain })
// Loaded only now, so that their blocks are counted.
const { measureGrowth, sampleOf } = await import('../../test/red-team/inputs/growth.ts')
const { shapes } = await import('../../test/red-team/inputs/shapes.ts')

const { only, sample } = values
const isNamed = ({ name, language }: (typeof shapes)[number]) =>
  only?.some((text) => `${language}: ${name}`.includes(text)) ?? false
const named = shapes.filter(isNamed)
const others = shapes.filter((shape) => !isNamed(shape))
const chosen =
  sample === undefined
    ? only === undefined
      ? shapes
      : named
    : [...named, ...sampleOf(others, Number(sample), Number(values.seed))]
const results = []
for (const shape of chosen) {
  const one = await measureGrowth(shape, Number(values.bytes), counter)
  results.push(one)
  const { name, language, exponent, steps, faults, most } = one
  console.log(
    `${exponent.toFixed(2)}  ${steps.map((count) => Math.round(count / 1000)).join(' → ')} thousand steps  ${language}: ${name}${faults.length > 0 ? `  FAILED: ${faults.join(', ')}` : ''}`,
  )
  if (values.explain)
    for (const { place, steps: count } of most) console.log(`      ${Math.round(count / 1000)}  ${place}`)
}
const failed = results.filter(({ faults }) => faults.length > 0)
console.log(
  `${results.length} shapes, ${failed.length} failed; the largest exponent is ${Math.max(...results.map(({ exponent }) => exponent)).toFixed(2)}`,
)
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 1)}\n`)
process.exitCode = failed.length > 0 ? 1 : 0
