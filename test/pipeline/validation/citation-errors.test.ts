/**
 * Ten thousand citations with the errors that models make. Whatever survives must be on the line that was meant. Of
 * the recoverable ones (the hash fits one line of the diff, in the hunk the number points into) nearly all should.
 * SIGHTLINE_FUZZ_SEED and SIGHTLINE_FUZZ_RUNS choose other citations, and more.
 */
import { expect, test } from 'vitest'
import type { DiffLine, FileChange, Side } from '../../../src/domain/change-set.ts'
import { formatTag } from '../../../src/domain/line-tag.ts'
import { lineIndexOf } from '../../../src/pipeline/validation/anchor/line-index.ts'
import { locateTag } from '../../../src/pipeline/validation/anchor/locate-tag.ts'
import { isDropped } from '../../../src/pipeline/validation/step.ts'
import { Random } from '../../helpers/random.ts'
import { randomEdit, randomFile } from './random-code.ts'
import { changeBetween } from './world.ts'

const seed = Number(process.env.SIGHTLINE_FUZZ_SEED ?? 20_261_121)
const cites = Number(process.env.SIGHTLINE_FUZZ_RUNS ?? 10_000)

/** A wrong number for the line, as each kind of error gives it; null where the error is not possible. */
const errors: Record<
  string,
  (line: DiffLine, side: Side, file: FileChange, random: Random) => number | null
> = {
  'off by one': (line, side, _, random) => (line[side] ?? 0) + random.pick([-1, 1]),
  'number of the other side': (line, side) => line[side === 'new' ? 'old' : 'new'],
  'position in the diff': (line, _, file) => file.hunks.flatMap((hunk) => hunk.lines).indexOf(line) + 1,
  'first of identical lines': (line, side, file) =>
    file.hunks.flatMap((hunk) => hunk.lines).find((one) => one.text === line.text && one !== line)?.[side] ??
    null,
  'stale number': (line, side, _, random) => (line[side] ?? 0) + random.pick([-1, 1]) * random.between(2, 30),
}

type Count = {
  cites: number
  twins: number
  /** Of the twins, those whose words differ: three characters of hash cannot tell every two lines apart. */
  collisions: number
  recoverable: number
  survived: number
  recovered: number
  wrong: number
}

function simulate(): Map<string, Count> {
  const random = new Random(seed)
  const counts = new Map(
    Object.keys(errors).map((kind) => [
      kind,
      { cites: 0, twins: 0, collisions: 0, recoverable: 0, survived: 0, recovered: 0, wrong: 0 },
    ]),
  )
  let done = 0
  while (done < cites) {
    const file = randomChange(random)
    if (!file) continue
    for (let at = 0; at < 20; at++) {
      const line: DiffLine = random.pick(random.pick(file.hunks).lines)
      if (line.text.trim() === '') continue
      const side: Side = line.new !== null ? 'new' : 'old'
      for (const [kind, wrongNumber] of Object.entries(errors)) {
        const number = wrongNumber(line, side, file, random)
        const count = counts.get(kind)
        if (!count || number === null || number < 1 || number === line[side]) continue
        done++
        judge(file, line, side, number, randomQuote(random, file, line), count)
      }
    }
  }
  return counts
}

/** Mostly the line or a piece of it; one time in twenty some other line, as a finding on a distant cause has. */
function randomQuote(random: Random, file: FileChange, line: DiffLine): string {
  if (random.chance(0.05)) return random.pick(random.pick(file.hunks).lines).text
  const words = line.text.trim()
  return random.chance(0.5) ? words : words.slice(0, Math.max(8, random.between(1, words.length)))
}

function judge(
  file: FileChange,
  line: DiffLine,
  side: Side,
  number: number,
  quote: string,
  count: Count,
): void {
  count.cites++
  const index = lineIndexOf(file)
  const located = locateTag(formatTag(side, number, line.hash), file, [quote])
  // The number is right for another line with the same words: a true tag of a twin, which nothing can tell apart.
  if (index.at(side, number)?.line.hash === line.hash) {
    count.twins++
    if (isDropped(located) || located.spot.line.text !== line.text) count.collisions++
    return
  }
  const twins = index.withHash(line.hash)
  const hunk = twins.find((spot) => spot.line === line)?.hunk ?? -1
  const isRecoverable = twins.length === 1 && index.hunksAround(number).has(hunk)
  if (isRecoverable) count.recoverable++
  if (isDropped(located)) return
  count.survived++
  if (located.spot.line !== line) count.wrong++
  else if (isRecoverable) count.recovered++
}

function randomChange(random: Random): FileChange | undefined {
  const before = randomFile(random, random.between(10, 60))
  const after = randomEdit(random, before, random.between(1, 8))
  const join = (lines: string[]) => `${lines.join('\n')}\n`
  return changeBetween({ 'a.ts': join(before) }, { 'a.ts': join(after) }, {}).files[0]
}

test(`of ${cites} wrong citations every survivor is on the right line (seed ${seed})`, () => {
  const counts = simulate()
  const sum = (key: keyof Count) => [...counts.values()].reduce((total, count) => total + count[key], 0)
  const share = sum('recovered') / sum('recoverable')
  console.table([...counts].map(([kind, count]) => ({ kind, ...count })))
  console.log(
    `seed ${seed}: ${(share * 100).toFixed(1)} % of ${sum('recoverable')} recoverable citations survived`,
  )
  expect(sum('cites')).toBeGreaterThanOrEqual(cites)
  for (const count of counts.values()) expect(count.cites).toBeGreaterThan(cites / 100)
  expect(sum('wrong')).toBe(0)
  expect(sum('collisions')).toBeLessThanOrEqual(cites / 5_000)
  expect(share).toBeGreaterThanOrEqual(0.95)
})
