/**
 * Everything that an operator can lose, move, rotate or have twice, in random orders on the strict fake hosts, through whole
 * servers and the command.
 *
 *   node bench/hosts/losses.ts [--host NAME] [--seed 1] [--count 1] [--older FOLDER]
 *
 * `--older` is a checkout of an earlier version, with its packages; without it the row `older version` is left out. Exit
 * code 1 when something is said twice or wrong; the seed plays it again.
 */
import { parseArgs } from 'node:util'
import { hostKinds } from '../../src/domain/host-kind.ts'
import { playLosses } from '../../test/server/losses/play.ts'

const { values } = parseArgs({
  options: {
    host: { type: 'string' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1' },
    older: { type: 'string' },
  },
})
const kinds = hostKinds.filter((kind) => (values.host ?? kind) === kind)
const [first, count] = [Number(values.seed), Number(values.count)]
const older = values.older ?? null

process.stdout.write('| Host | Seed | Lost before each review | Reviews | Comments | Said twice | Wrong |\n')
process.stdout.write('|---|---:|---|---:|---:|---:|---:|\n')
let failures = 0
for (let seed = first; seed < first + count; seed++)
  for (const host of kinds) {
    const { order, reviews, comments, doubles, wrong } = await playLosses({ host, seed, older })
    const cells = [host, seed, order.join(', '), reviews, comments, doubles.length, wrong.length]
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
    for (const one of [...doubles, ...wrong]) process.stdout.write(`- ${one}\n`)
    failures += doubles.length + wrong.length
  }
process.exit(failures > 0 ? 1 : 0)
