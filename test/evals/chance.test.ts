/** Where findings lie, and what pointing blindly would hit; each number worked out by hand. */
import { expect, test } from 'vitest'
import type { ChangedFile } from '../../evals/repositories/changed-lines.ts'
import { parsePatch } from '../../evals/repositories/changed-lines.ts'
import { chanceOfRandomLines, isInLargestHunks } from '../../evals/scores/chance.ts'
import { distance, distanceTo } from '../../evals/scores/places.ts'
import { seededRandom } from '../../evals/scores/random.ts'
import { countCitations } from '../../evals/scores/score-case.ts'
import { faultAt, placeAt } from './case-of.ts'

const lines = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)

/** Ten added lines, 1 to 10, and a small hunk of two, 50 and 51. */
const changed: ChangedFile[] = [
  {
    path: 'a.ts',
    hunks: [
      { newStart: 1, newEnd: 10, oldStart: 1, oldEnd: 1, added: lines(1, 10), removed: [] },
      { newStart: 47, newEnd: 54, oldStart: 38, oldEnd: 43, added: [50, 51], removed: [] },
    ],
  },
]

test('lines between two places', () => {
  expect(distance(placeAt('a', 3, 5), placeAt('a', 5, 9))).toBe(0)
  expect(distance(placeAt('a', 3, 5), placeAt('a', 8))).toBe(3)
  expect(distance(placeAt('a', 8), placeAt('a', 3, 5))).toBe(3)
  expect(distance(placeAt('a', 3), placeAt('b', 3))).toBe(Number.POSITIVE_INFINITY)
  expect(distance(placeAt('a', 3), placeAt('a', 3, 3, 'left'))).toBe(Number.POSITIVE_INFINITY)
  const elsewhere = faultAt(placeAt('a', 100), { also: [placeAt('b', 7)] })
  expect(distanceTo(placeAt('b', 9), elsewhere)).toBe(2)
})

test('random lines: of 12 lines 3 are near, so one guess hits with 3/12 and two with 1 - 9/12 * 8/11', () => {
  const fault = faultAt(placeAt('a.ts', 2))
  expect(chanceOfRandomLines(changed, fault, 1, 1)).toBeCloseTo(3 / 12)
  expect(chanceOfRandomLines(changed, fault, 2, 1)).toBeCloseTo(1 - (9 / 12) * (8 / 11))
  expect(chanceOfRandomLines(changed, fault, 99, 1)).toBe(1)
  expect(chanceOfRandomLines(changed, fault, 0, 1)).toBe(0)
  expect(chanceOfRandomLines(changed, faultAt(placeAt('b.ts', 2)), 5, 1)).toBe(0)
})

test('the closed form agrees with guesses that are drawn', () => {
  const random = seededRandom(3)
  const fault = faultAt(placeAt('a.ts', 51))
  const pool = [...lines(1, 10), 50, 51]
  let hits = 0
  for (let round = 0; round < 20_000; round++) {
    const drawn = [...pool].sort(() => random() - 0.5).slice(0, 1)
    if (drawn.some((line) => Math.abs(line - 51) <= 1)) hits++
  }
  expect(Math.abs(hits / 20_000 - chanceOfRandomLines(changed, fault, 1, 1))).toBeLessThan(0.05)
})

test('the largest hunk first', () => {
  expect(isInLargestHunks(changed, faultAt(placeAt('a.ts', 5)), 1, 0)).toBe(true)
  expect(isInLargestHunks(changed, faultAt(placeAt('a.ts', 50)), 1, 0)).toBe(false)
  expect(isInLargestHunks(changed, faultAt(placeAt('a.ts', 50)), 2, 0)).toBe(true)
  expect(isInLargestHunks(changed, faultAt(placeAt('a.ts', 40, 40, 'left')), 2, 0)).toBe(true)
  expect(isInLargestHunks(changed, faultAt(placeAt('a.ts', 5)), 0, 0)).toBe(false)
})

test('citations are held to the evidence, word for word', () => {
  const item = { id: 'E1', text: 'const a = 1' }
  const evidence = [item] as unknown as Parameters<typeof countCitations>[1]
  const cite = (id: string, quote: string) => ({ evidence: id, quote })
  const finding = { evidence: [cite('E1', 'a = 1'), cite('E1', 'a = 2'), cite('E9', 'a')] }
  expect(countCitations(finding, evidence)).toEqual({ citations: 3, valid: 1 })
})

test('a patch becomes files with hunks', () => {
  const patch = [
    'diff --git a/x.ts b/x.ts',
    '--- a/x.ts',
    '+++ b/x.ts',
    '@@ -1,3 +1,3 @@',
    ' one',
    '-two',
    '+zwei',
    ' three',
    '\\ No newline at end of file',
    'diff --git a/n.ts b/n.ts',
    '--- /dev/null',
    '+++ b/n.ts',
    '@@ -0,0 +1,2 @@',
    '+a',
    '+--- a/fake',
    'diff --git a/gone.ts b/gone.ts',
    '--- a/gone.ts',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-x',
    '',
  ].join('\n')
  expect(
    parsePatch(patch).map(({ path, hunks }) => [path, hunks.map(({ added, removed }) => [added, removed])]),
  ).toEqual([
    ['x.ts', [[[2], [2]]]],
    ['n.ts', [[[1, 2], []]]],
    ['gone.ts', [[[], [1]]]],
  ])
})
