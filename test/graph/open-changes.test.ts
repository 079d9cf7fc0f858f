/** Where the patches of other change requests are in the base of ours, and what they have in common with it. */
import { expect, test } from 'vitest'
import type { OpenChange } from '../../src/domain/open-change.ts'
import { placePatch, rankOverlaps } from '../../src/graph/open-changes.ts'

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`)
const text = lines(40).join('\n')

function placed(patch: string | null, base: string | null = text) {
  const other = { name: '#8', title: 'Other', author: 'eve', isDraft: false }
  const file = { path: 'b.ts', oldPath: 'a.ts', patch }
  return placePatch({ ...other, files: [file] }, new Map([['a.ts', base]]))?.files[0]?.places
}

test('a patch made against another base is found where its lines are now', () => {
  const replaced = '@@ -9,3 +9,3 @@ fn\n line 9\n-line 10\n+ten\n line 11'
  expect(placed(replaced)).toEqual([{ start: 10, end: 10 }])
  expect(placed(replaced, `new\nnew\n${text}`)).toEqual([{ start: 12, end: 12 }])
  // The context was edited since: what is replaced is still there.
  expect(placed(replaced, text.replace('line 9\n', 'nine\n'))).toEqual([{ start: 10, end: 10 }])
  expect(placed(replaced, text.replace('line 10\n', 'ten\n'))).toBeNull()
  expect(placed(replaced, text.replaceAll('\n', '\r\n'))).toEqual([{ start: 10, end: 10 }])
})

test('an addition is between two lines, and many hunks keep their order', () => {
  expect(placed('@@ -3,2 +3,3 @@\n line 3\n+x\n line 4')).toEqual([{ start: 3, end: 4 }])
  expect(placed('@@ -0,0 +1,2 @@\n+x\n+y', '')).toEqual([])
  const two =
    '@@ -3,3 +3,2 @@\n line 3\n-line 4\n line 5\n@@ -20,2 +19,2 @@\n-line 20\n-line 21\n+x\n\\ No newline at end of file'
  expect(placed(two, `new\n${text}`)).toEqual([
    { start: 5, end: 5 },
    { start: 21, end: 22 },
  ])
})

test('what has no text is unknown, and another file is nothing', () => {
  expect([placed(null), placed('@@ -1,1 +1,1 @@\n-a\n+b', null)]).toEqual([null, null])
  const other = { name: '#8', title: 'Other', author: null, isDraft: true, files: [] }
  expect(placePatch(other, new Map([['a.ts', text]]))).toBeNull()
})

test('the same lines come before the same definition, and that before the same file', () => {
  const change = (name: string, places: OpenChange['files'][number]['places'], path = 'a.ts') => ({
    ...{ name, title: name, author: null, isDraft: false },
    files: [{ path, places }],
  })
  const own = [
    { path: 'a.ts', places: [{ start: 10, end: 12 }], symbols: [{ name: 'decode', start: 5, end: 20 }] },
  ]
  const others = [
    change('#1', [{ start: 30, end: 31 }]),
    change('#2', [{ start: 18, end: 18 }]),
    change('#3', [{ start: 13, end: 14 }]),
    change('#4', [{ start: 1, end: 1 }], 'elsewhere.ts'),
    change('#5', null),
  ]
  const found = rankOverlaps(own, others)
  expect(
    found.map(({ other, lines: same, symbols, files }) => [other.name, same.length, symbols, files]),
  ).toEqual([
    ['#3', 1, ['decode'], []],
    ['#5', 0, [], ['a.ts']],
    ['#2', 0, ['decode'], []],
    ['#1', 0, [], ['a.ts']],
  ])
})
