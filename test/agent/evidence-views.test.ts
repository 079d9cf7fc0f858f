/** Evidence in a prompt: each line once, every item still to be cited. */
import { expect, test } from 'vitest'
import {
  bytesAdded,
  linesInDiffs,
  renderViews,
  ShownLines,
  takeWithin,
} from '../../src/agent/evidence-views.ts'
import { createFence } from '../../src/base/untrusted/untrusted.ts'
import { changeBetween, evidenceOf } from '../pipeline/validation/world.ts'

const fence = createFence('0123456789abcdef')
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}`).join('\n')
const part = (id: string, from: number, to: number, more = {}) =>
  evidenceOf('src/a.ts', from, lines(from, to), { id, title: `why ${id}`, ...more })
const textOf = (views: readonly string[]) => views.join('\n')

test('what several items hold of one file is one view, each line once, under the number of the first', () => {
  const views = renderViews(
    [part('E1', 10, 20), part('E2', 15, 25), part('E3', 40, 41)],
    new ShownLines(),
    fence,
  )
  expect(views).toHaveLength(1)
  expect(views[0]).toMatch(/^E1:\n<<<foreign 0123456789abcdef "src\/a\.ts: why E1; why E2; why E3"\n/)
  const numbers = [...textOf(views).matchAll(/^(\d+)\| line \1$/gm)].map(([, line]) => Number(line))
  expect(numbers).toEqual([...Array.from({ length: 16 }, (_, at) => 10 + at), 40, 41])
  expect(views[0]).toContain('25| line 25\n…\n40| line 40')
})

test('lines that the prompt shows already are named, not repeated, and the item can still be cited', () => {
  const shown = new ShownLines()
  for (const line of [12, 13, 14]) shown.add('new', 'src/a.ts', line)
  const [view] = renderViews([part('E1', 10, 16)], shown, fence)
  expect(view).toMatch(
    /^E1:\n<<<foreign \S+ "src\/a\.ts:10-16: why E1"\n10\| line 10\n11\| line 11\n… 12-14: shown above\n15\| line 15\n16\| line 16\n>>>end/,
  )
  shown.addAll([part('E1', 10, 16)])
  expect(renderViews([part('E2', 11, 18)], shown, fence)[0]).toContain(
    '… 11-16: shown above\n17| line 17\n18| line 18',
  )
})

test('of what the prompt shows whole already, only the numbers are told, all in one text', () => {
  const shown = new ShownLines()
  for (const line of [12, 13, 14]) shown.add('new', 'src/a.ts', line)
  const views = renderViews(
    [part('E1', 12, 13), part('E2', 14, 14), part('E3', 1, 1, { path: 'src/b.ts' })],
    shown,
    fence,
  )
  expect(views).toEqual([
    expect.stringMatching(/^E3:\n/),
    'Shown above:\n<<<foreign 0123456789abcdef "evidence that is shown above"\nE1 src/a.ts:12-13, 14\n>>>end 0123456789abcdef',
  ])
})

test('the two sides of a file are two views', () => {
  const views = renderViews([part('E1', 1, 2), part('E2', 1, 2, { side: 'old' })], new ShownLines(), fence)
  expect(views.map((view) => view.split('\n')[1])).toEqual([
    '<<<foreign 0123456789abcdef "src/a.ts:1-2: why E1"',
    '<<<foreign 0123456789abcdef "src/a.ts:1-2 before the change: why E2"',
  ])
})

const before = `${lines(1, 20)}\n`
const after = before.replace('line 4\n', 'first\nsecond\n').replace('line 15\n', '')
const [changed] = changeBetween({ 'src/a.ts': before }, { 'src/a.ts': after }, {}).files
if (!changed) throw new Error('nothing changed')
const diff = linesInDiffs([{ file: changed, lines: changed.hunks.slice(0, 1).flatMap((hunk) => hunk.lines) }])

test('of the code before the change, what the code after it shows unchanged is named and not repeated', () => {
  const items = [
    evidenceOf('src/a.ts', 1, after, { id: 'E1', endLine: 20 }),
    part('E2', 1, 20, { side: 'old', title: 'before' }),
  ]
  const [, old] = renderViews(items, diff, fence)
  expect(old?.split('\n').slice(2, -1)).toEqual([
    '… 1-7: shown above',
    '… 8-14: unchanged, 9-15 after the change',
    '15| line 15',
    '… 16-20: unchanged, 16-20 after the change',
  ])
  const shown = linesInDiffs([{ file: changed, lines: [] }])
  shown.addAll(items.slice(0, 1))
  expect(bytesAdded(part('E3', 5, 14, { side: 'old' }), shown)).toBe(0)
  expect(bytesAdded(part('E4', 14, 15, { side: 'old' }), shown)).toBe(14)
})

test('what stands at the same place after the change with another text is not taken for unchanged', () => {
  const items = [evidenceOf('src/a.ts', 9, lines(108, 114), { id: 'E1' }), part('E2', 8, 14, { side: 'old' })]
  const [, old] = renderViews(items, diff, fence)
  expect(old).toContain('8| line 8\n')
  expect(old).not.toContain('unchanged')
})

const toolItem = (id: string, title: string, text: string) =>
  evidenceOf('src/a.ts', 1, text, {
    id,
    title,
    source: 'tool',
    path: null,
    side: null,
    startLine: null,
    endLine: null,
  })

test('marks of what was cut are in one text of their own, whole, however many there are', () => {
  const items = Array.from({ length: 9 }, (_, at) => [
    part(`E${2 * at + 1}`, 30 * at + 1, 30 * at + 20, { title: 'read src/a.ts' }),
    toolItem(`E${2 * at + 2}`, 'read_file::{"path":"src/a.ts"}', `(go on with line_start ${30 * at + 21})`),
  ]).flat()
  const views = renderViews(items, new ShownLines(), fence)
  expect(views).toHaveLength(2)
  expect(views[0]).toContain('"src/a.ts"\n')
  for (const at of items.keys())
    if (at % 2 === 1)
      expect(views[1]).toContain(
        `E${at + 1} read_file::{"path":"src/a.ts"}: (go on with line_start ${15 * (at - 1) + 21})\n`,
      )
})

test('an item of which not all is shown says which of its lines are missing', () => {
  const text = Array.from({ length: 40 }, () => 'x'.repeat(500)).join('\n')
  const [view] = renderViews([evidenceOf('src/a.ts', 11, text)], new ShownLines(), fence)
  expect(view).toMatch(/\n34\| x+\n… 35-50: left out, too long\n>>>end/)
})

test('an outline keeps what the code does not show; with hardly anything left it is left out', () => {
  const entries = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => `  ${10 * at + 1}-${10 * at + 9} method m${at}() { ${'x'.repeat(60)} }`,
    )
  const outline = (id: string, path: string, count: number) =>
    toolItem(id, `outline_symbols::{"path":"${path}"}`, [...entries(count), '(400 lines)'].join('\n'))
  const items = [part('E1', 1, 35), outline('E2', 'src/a.ts', 5), outline('E3', 'src/b.ts', 12)]
  const views = textOf(renderViews(items, new ShownLines(), fence))
  expect(views).not.toContain('E2')
  expect(views).toContain('1-9 method m0()')
  const [view = ''] = renderViews(
    [part('E1', 1, 35), outline('E2', 'src/a.ts', 20)],
    new ShownLines(),
    fence,
  ).slice(1)
  expect(view).not.toContain('method m3()')
  expect(view).toContain('  41-49 method m4()')
  expect(view).toContain('(400 lines)\n(4 of 20 definitions begin in the code above and are left out)')
})

test('of hits and uses that are shown the places remain', () => {
  const shown = new ShownLines()
  shown.add('new', 'src/d.ts', 4)
  const text = [
    'src/a.ts:2: line 2',
    'src/a.ts:3: line 3',
    'src/a.ts:90: line 90',
    'src/d.ts:4 call (import): load()',
    'src/d.ts:9 call (import): load()',
    'src/e.ts:4 function load() (import)',
    '(6 lines in 3 files)',
  ].join('\n')
  const [, view] = renderViews(
    [part('E1', 1, 5), toolItem('E2', 'grep::{"query":"line"}', text)],
    shown,
    fence,
  )
  expect(view).toContain(
    [
      'src/a.ts:2, 3: shown above',
      'src/a.ts:90: line 90',
      'src/d.ts:4 call (import): shown above',
      'src/d.ts:9 call (import): load()',
      'src/e.ts:4 function load() (import)',
      '(6 lines in 3 files)',
    ].join('\n'),
  )
  const old = renderViews([part('E1', 1, 5), toolItem('E2', 'grep::{"side":"base"}', text)], shown, fence)
  expect(old[1]).toContain('src/a.ts:2: line 2')
})

test('a line that was shown costs nothing; an item that does not fit leaves room for the next', () => {
  const { taken, bytes } = takeWithin(
    [part('E1', 1, 10), part('E2', 3, 8), part('E3', 20, 90), part('E4', 95, 95)],
    250,
  )
  expect(taken.map(({ id }) => id)).toEqual(['E1', 'E2', 'E4'])
  expect(bytes).toBeLessThanOrEqual(250)
})
