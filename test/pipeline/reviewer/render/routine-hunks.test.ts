/** A change that makes one edit in many places shows a few of them whole, and of the others what changed. */
import { expect, test } from 'vitest'
import { createFence } from '../../../../src/base/untrusted/untrusted.ts'
import { renderFileBlock } from '../../../../src/pipeline/reviewer/render/file-block.ts'
import { routineHunks } from '../../../../src/pipeline/reviewer/render/routine-hunks.ts'
import { contextOf, createWorld } from '../../validation/world.ts'

const gap = '\n'.repeat(8)

/** So many places of one file, each edited by `edit`. */
function changed(places: number, edit: (line: string, at: number) => string) {
  const lines = Array.from({ length: places }, (_, at) => `before ${at}\nvoid f${at}(int x);\nafter ${at}`)
  const before = lines.join(gap)
  const after = lines.map((text, at) => text.replace(/^void.*$/m, (line) => edit(line, at))).join(gap)
  return createWorld({ 'a.c': before }, { 'a.c': after }).change
}

const putIn = (line: string) => line.replace('int', 'const int')

test('after three of one edit, of the others what changed', () => {
  const change = changed(9, putIn)
  const [file] = change.files
  if (!file) throw new Error('there is no change')
  const routine = routineHunks(change.files)
  const parts = {
    context: contextOf(change),
    candidates: [],
    chain: [],
    fence: createFence('0123456789abcdef'),
  }
  const { text, shown } = renderFileBlock(file, { ...parts, routine, maxBytes: 100_000 })
  for (const at of Array(9).keys()) {
    expect(text).toContain(`-void f${at}(int x);`)
    expect(text).toContain(`+void f${at}(const int x);`)
    expect(text.includes(`before ${at}`)).toBe(at < 3)
  }
  expect(text.match(/unchanged lines are left out/g)).toHaveLength(6)
  // What was left out cannot be cited.
  expect(shown.filter(({ text: line }) => line === 'before 8')).toEqual([])
  expect(shown.filter(({ kind }) => kind !== 'context')).toHaveLength(18)
})

test('a place where something else changes too is shown whole', () => {
  const change = changed(12, (line, at) => (at === 9 ? putIn(line).replace('x', 'y') : putIn(line)))
  const odd = change.files[0]?.hunks[9]
  expect(odd && routineHunks(change.files).has(odd)).toBe(false)
  expect(routineHunks(change.files).size).toBe(8)
})

test.each([
  ['seven places are few', 7, putIn],
  ['signs alone may turn what code means', 12, (line: string) => line.replace('x', '!x')],
  ['each place has its own words', 12, (line: string, at: number) => line.replace('x', `x${at}`)],
  [
    'what is long is nothing that is known by heart',
    12,
    (line: string) => line.replace('x', 'one two three four'),
  ],
])('%s', (_, places, edit) => {
  expect(routineHunks(changed(places, edit).files).size).toBe(0)
})
