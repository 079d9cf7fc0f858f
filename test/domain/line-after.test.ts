/** A line from before a change is found after it, for edits of every kind. */
import { expect, test } from 'vitest'
import { seededRandom } from '../../evals/scores/random.ts'
import { lineAfter } from '../../src/domain/change-set.ts'
import { changeBetween } from '../pipeline/validation/world.ts'

test('every line that git calls unchanged has its new number, and no removed one has any', () => {
  const random = seededRandom(7)
  for (let round = 0; round < 40; round++) {
    const old = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`)
    const edited = old.flatMap((line) => {
      const roll = random()
      if (roll < 0.06) return []
      if (roll < 0.12) return [`another ${line}`]
      return roll < 0.18 ? [`new before ${line}`, line] : [line]
    })
    const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
    const [file] = changeBetween({ 'a.txt': text(old) }, { 'a.txt': text(edited) }, {}).files
    if (!file) continue
    const found = old.map((_, at) => lineAfter(file.hunks, at + 1))
    const removed = new Set(
      file.hunks
        .flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'removed'))
        .map((line) => line.old),
    )
    for (const [at, line] of found.entries()) {
      expect(line === null, `round ${round}, line ${at + 1}`).toBe(removed.has(at + 1))
      if (line !== null) expect(edited[line - 1], `round ${round}, line ${at + 1}`).toBe(old[at])
    }
  }
})
