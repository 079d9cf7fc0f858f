/** A line of one side of a change is found on the other, for edits of every kind. */
import { expect, test } from 'vitest'
import { seededRandom } from '../../evals/scores/random.ts'
import type { FileChange } from '../../src/domain/change-set.ts'
import { lineAcross } from '../../src/domain/diff-lines.ts'
import { changeBetween } from '../pipeline/validation/world.ts'

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

/** 60 lines with about a fifth of them removed, replaced, or with a new one above. */
function randomEdit(random: () => number): { old: string[]; now: string[] } {
  const old = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`)
  const now = old.flatMap((line) => {
    const roll = random()
    if (roll < 0.06) return []
    if (roll < 0.12) return [`another ${line}`]
    return roll < 0.18 ? [`new before ${line}`, line] : [line]
  })
  return { old, now }
}

function changedLines(file: FileChange, side: 'old' | 'new'): Set<number | null> {
  const kind = side === 'old' ? 'removed' : 'added'
  return new Set(
    file.hunks.flatMap(({ lines }) => lines.filter((one) => one.kind === kind)).map((one) => one[side]),
  )
}

test('every line that git calls unchanged has its number on the other side, and no changed one has any', () => {
  const random = seededRandom(7)
  let found = 0
  for (let round = 0; round < 40; round++) {
    const { old, now } = randomEdit(random)
    const [file] = changeBetween({ 'a.txt': textOf(old) }, { 'a.txt': textOf(now) }, {}).files
    if (!file) continue
    const ways = [
      { from: 'old', here: old, there: now, back: 'new' },
      { from: 'new', here: now, there: old, back: 'old' },
    ] as const
    for (const { from, here, there, back } of ways)
      for (const [at, text] of here.entries()) {
        const where = `round ${round}, ${from} line ${at + 1}`
        const across = lineAcross(file, from, at + 1)
        expect(across === null, where).toBe(changedLines(file, from).has(at + 1))
        if (across === null) continue
        expect(there[across - 1], where).toBe(text)
        expect(lineAcross(file, back, across), where).toBe(at + 1)
        found++
      }
  }
  expect(found).toBeGreaterThan(4_000)
})

test('a hunk without context, and one with an empty side, move only what is below them', () => {
  const [file] = changeBetween(
    { 'a.txt': textOf(['a', 'b', 'c', 'd']) },
    { 'a.txt': textOf(['a', 'd']) },
    {},
  ).files
  if (!file) throw new Error('no change')
  const bare: FileChange = {
    ...file,
    hunks: file.hunks.map((hunk) => ({
      ...hunk,
      oldStart: 2,
      oldLines: 2,
      newStart: 1,
      newLines: 0,
      lines: hunk.lines.filter(({ kind }) => kind === 'removed'),
    })),
  }
  expect([1, 2, 3, 4].map((line) => lineAcross(bare, 'old', line))).toEqual([1, null, null, 2])
  expect([1, 2].map((line) => lineAcross(bare, 'new', line))).toEqual([1, 4])
})

test('nothing is said of a file whose hunks are not all known', () => {
  const [file] = changeBetween({ 'a.txt': 'a\nb\n' }, { 'a.txt': 'a\nc\n' }, {}).files
  if (!file) throw new Error('no change')
  expect(lineAcross({ ...file, omitted: 'too large' }, 'new', 1)).toBeNull()
})
