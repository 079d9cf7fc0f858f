/** The definition around a change becomes evidence that validation finds true; nothing is shown twice. */
import { expect, test } from 'vitest'
import { gatherDefinitions } from '../../../src/pipeline/reviewer/definitions.ts'
import { linkFiles } from '../../../src/pipeline/reviewer/group-files.ts'
import { contextOf, createWorld, reference, symbol } from '../validation/world.ts'

const body = (count: number, changed: number, word: string) =>
  [
    'function outer() {',
    ...Array.from({ length: count }, (_, at) => (at === changed ? `  ${word}()` : `  step${at}()`)),
    '}',
    '',
  ].join('\n')

function worldOf(count: number, changed: number) {
  const after = body(count, changed, 'now')
  return createWorld(
    { 'src/a.ts': body(count, changed, 'before') },
    { 'src/a.ts': after },
    {
      facts: {
        'new:src/a.ts': {
          symbols: [{ ...symbol('outer', 1), kind: 'function', startLine: 1, endLine: count + 2 }],
        },
      },
    },
  )
}

async function chainOf(count: number, changed: number, maxBytes = 60_000) {
  const { change, head, facts } = worldOf(count, changed)
  const { byPath, cut } = await gatherDefinitions({ files: change.files, head, facts, maxBytes })
  return { items: byPath.get('src/a.ts') ?? [], cut, text: body(count, changed, 'now') }
}

test('the definition around a change, with its lines as they are at the head', async () => {
  const { items, text } = await chainOf(40, 20)
  expect(items).toMatchObject([{ startLine: 1, endLine: 42, side: 'new', source: 'file', trust: 'foreign' }])
  expect(items[0]?.text).toBe(text.trimEnd())
})

test('what the hunk shows whole is not shown again', async () => {
  expect((await chainOf(3, 1)).items).toEqual([])
})

test('around the changed lines of a test nothing is gathered: its diff tells what it does', async () => {
  const { change, head, facts } = worldOf(40, 20)
  const files = change.files.map((file) => ({ ...file, role: 'test' as const }))
  expect((await gatherDefinitions({ files, head, facts, maxBytes: 60_000 })).byPath.size).toBe(0)
})

test('of a long definition its signature and the lines near the change', async () => {
  const { items } = await chainOf(1000, 500)
  expect(items.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
    [1, 1],
    [494, 510],
  ])
})

test('what does not fit the budget is left out and counted', async () => {
  const { items, cut } = await chainOf(40, 20, 100)
  expect([items, cut]).toEqual([[], 1])
})

test('files are linked by the names they use of each other and by their tests', () => {
  const { change } = worldOf(3, 1)
  const facts = {
    language: 'typescript',
    parents: [],
    references: [],
    imports: [],
    exports: [],
    typedNames: [],
  }
  const rest = {
    ...{ supertypes: [], packageName: null, otherPackages: [], errorLines: [], lineCount: 9, symbols: [] },
  }
  const links = linkFiles(
    ['a.ts', 'b.ts', 'c.ts', 'a.test.ts'],
    contextOf(change, {
      tests: [{ symbol: 'parse', path: 'a.ts', tests: [{ path: 'a.test.ts', changed: true }] }],
    }),
    new Map([
      ['a.ts', { ...facts, ...rest, symbols: [symbol('parsePrice', 1)] }],
      ['b.ts', { ...facts, ...rest, references: [reference('parsePrice', 2), reference('get', 3)] }],
      ['c.ts', { ...facts, ...rest, symbols: [symbol('get', 1)] }],
    ]),
  )
  expect(links).toEqual([
    { from: 'a.test.ts', to: 'a.ts', weight: 3 },
    { from: 'a.ts', to: 'b.ts', weight: 1 },
  ])
})

test('a file that is gone belongs to whoever used it and uses something else now', () => {
  const world = createWorld(
    {
      'a/loader.ts': 'export function loadPicture() {}\n',
      'b/page.ts': 'loadPicture(url)\n',
      'c/menu.ts': 'old()\n',
    },
    { 'b/page.ts': 'showPicture(url)\n', 'c/menu.ts': 'fresh()\n' },
  )
  const gone = { path: 'a/loader.ts', symbol: symbol('loadPicture', 1) }
  const fate = {
    kind: 'removed' as const,
    language: 'typescript',
    delta: null,
    bodyChanged: false,
    similarity: null,
  }
  const links = linkFiles(
    ['a/loader.ts', 'b/page.ts', 'c/menu.ts'],
    contextOf(world.change, { symbols: [{ ...fate, before: gone, after: null }] }),
    new Map(),
  )
  expect(links).toEqual([{ from: 'a/loader.ts', to: 'b/page.ts', weight: 1 }])
})
