/** Large changes are cut the same way every time, without losing a file, within the cap. */
import { expect, test } from 'vitest'
import type { FileChange } from '../../../src/domain/change-set.ts'
import { groupFiles } from '../../../src/pipeline/reviewer/group-files.ts'
import { answerTokensFor, roomForGroup } from '../../../src/pipeline/reviewer/question-size.ts'
import { Random } from '../../helpers/random.ts'
import { changeBetween } from '../validation/world.ts'

function item(path: string, bytes: number, changes: Partial<FileChange> = {}) {
  const [file] = changeBetween({ [path]: 'a\n' }, { [path]: 'b\n' }, { files: { [path]: changes } }).files
  if (!file) throw new Error('no file')
  return { file, bytes }
}

const paths = (groups: { file: FileChange }[][]) => groups.map((group) => group.map(({ file }) => file.path))

test('what fits is one group, in path order', () => {
  expect(paths(groupFiles([item('b.ts', 10), item('a.ts', 10)], [], 100))).toEqual([['a.ts', 'b.ts']])
  expect(groupFiles([], [], 100)).toEqual([])
})

test('files that use each other stay together before files of one folder do', () => {
  const items = [item('a/one.ts', 40), item('a/two.ts', 40), item('b/three.ts', 40), item('b/four.ts', 40)]
  const links = [
    { from: 'a/one.ts', to: 'b/three.ts', weight: 3 },
    { from: 'a/two.ts', to: 'b/four.ts', weight: 1 },
  ]
  expect(
    paths(groupFiles(items, links, 80))
      .map((group) => group.join())
      .sort(),
  ).toEqual(['a/one.ts,b/three.ts', 'a/two.ts,b/four.ts'])
  expect(
    paths(groupFiles(items, [], 80))
      .map((group) => group.join())
      .sort(),
  ).toEqual(['a/one.ts,a/two.ts', 'b/four.ts,b/three.ts'])
})

test('within a folder languages stay together', () => {
  const items = [
    item('a/1.ts', 40),
    item('a/2.py', 40, { language: 'python' }),
    item('a/3.ts', 40),
    item('a/4.py', 40, { language: 'python' }),
  ]
  expect(paths(groupFiles(items, [], 80))).toEqual([
    ['a/1.ts', 'a/3.ts'],
    ['a/2.py', 'a/4.py'],
  ])
})

test('where a defect hurts most comes first', () => {
  const items = [
    item('a.md', 90, { role: 'docs' }),
    item('z.ts', 90),
    item('b.test.ts', 90, { role: 'test' }),
  ]
  expect(paths(groupFiles(items, [], 100))).toEqual([['z.ts'], ['b.test.ts'], ['a.md']])
})

test('in random changes every file is in one group, no group is too large, and the order of the input is nothing', () => {
  const source = new Random(7)
  const random = () => source.next()
  for (let round = 0; round < 60; round++) {
    const items = Array.from({ length: 1 + Math.floor(random() * 40) }, (_, index) =>
      item(
        `${'abc'[Math.floor(random() * 3)]}/${'xy'[Math.floor(random() * 2)]}/${index}.ts`,
        Math.floor(random() * 60),
      ),
    )
    const links = items.flatMap(({ file: from }) =>
      items
        .filter(() => random() < 0.05)
        .map(({ file: to }) => ({ from: from.path, to: to.path, weight: 1 })),
    )
    const groups = groupFiles(items, links, 50)
    const all = paths(groups).flat()
    expect(all.length).toBe(items.length)
    expect(new Set(all).size).toBe(items.length)
    for (const group of groups)
      expect(group.length === 1 || group.reduce((sum, { bytes }) => sum + bytes, 0) <= 50).toBe(true)
    expect(paths(groupFiles([...items].reverse(), links, 50))).toEqual(paths(groups))
  }
})

test('a group leaves room for instructions, answers and the follow-up in the window', () => {
  const parts = { answerTokens: 22_000, fixedBytes: 6_000, groupBytes: 160_000 }
  const room = (contextWindow: number | null) =>
    roomForGroup({ model: { model: 'a/b', contextWindow }, ...parts })
  expect(room(1_000_000)).toBe(160_000)
  expect(room(32_000)).toBe(24_000)
  expect(room(null)).toBe(room(32_000))
  expect(room(8_000)).toBe(2_000)
})

test('a small window leaves less for an answer, a large one no more than enough', () => {
  expect(answerTokensFor({ model: 'a/b', contextWindow: 1_000_000 })).toEqual({
    review: 12_000,
    followUp: 8_000,
  })
  expect(answerTokensFor({ model: 'a/b', contextWindow: 8_192 })).toEqual({ review: 2_457, followUp: 1_638 })
})
