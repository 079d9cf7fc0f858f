/** What a scout is shown of a change: the important first, cuts named, and what the reviewer has anyway. */
import { expect, test } from 'vitest'
import { createFence } from '../../../src/base/untrusted/untrusted.ts'
import type { ReviewContext } from '../../../src/domain/review-context.ts'
import { renderScoutRequest } from '../../../src/pipeline/explore/scout-request.ts'
import { type Changed, readChange, type Texts } from '../../helpers/in-memory/change.ts'
import { freezeChange } from '../context/frozen.ts'

const fence = createFence('0123456789abcdef')

async function frozen(before: Texts, after: Changed): Promise<ReviewContext> {
  return await freezeChange((await readChange({ 'keep.txt': 'kept\n', ...before }, after)).change)
}

const long = (name: string, lines: number) =>
  `export function ${name}(): string[] {\n  return [\n${`    '${name} ${'x'.repeat(60)}',\n`.repeat(lines)}  ]\n}\n`

test('the diff of the file that matters comes before those that the alphabet puts first', async () => {
  const context = await frozen(
    { 'zoo/central.ts': 'export function pay(cents: number): number {\n  return cents\n}\n' },
    {
      'zoo/central.ts':
        'export function pay(cents: number, tax: number): number {\n  return cents + tax\n}\n',
      'a/notes.test.ts': long('notes', 100),
      'b/first.config.json': `{ "a": "${'x'.repeat(300)}" }\n`,
    },
  )
  const request = renderScoutRequest(context, fence)
  const at = (text: string) => request.indexOf(text)
  expect(at('"diff of zoo/central.ts"')).toBeGreaterThan(0)
  expect(at('"diff of zoo/central.ts"')).toBeLessThan(at('"diff of a/notes.test.ts"'))
  expect(at('modified zoo/central.ts, source, +2 -2: signature-changed pay')).toBeLessThan(
    at('added a/notes.test.ts'),
  )
  expect(request).toContain('+ 1: export function pay(cents: number, tax: number): number {')
  expect(request).toContain('- 1: export function pay(cents: number): number {')
})

test('what is gone comes after what came instead', async () => {
  const context = await frozen(
    { 'a/old.ts': long('old', 100), 'b/use.ts': 'export const use = 1\n' },
    { 'a/old.ts': null, 'b/use.ts': 'export const use = 2\n', 'c/new.ts': long('fresh', 20) },
  )
  const request = renderScoutRequest(context, fence)
  const order = [...request.matchAll(/"diff of (\S+)"/g)].map(([, path]) => path)
  expect(order).toHaveLength(3)
  expect(order.at(-1)).toBe('a/old.ts')
})

test('what is not shown is named with its hunks, and everything is in the map', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `src/part${at}.ts`)
  const context = await frozen(
    {},
    Object.fromEntries(names.map((name, at) => [name, long(`part${at}`, 100)])),
  )
  const request = renderScoutRequest(context, fence)
  const shown = names.filter((name) => request.includes(`"diff of ${name}"`))
  expect(shown.length).toBeGreaterThan(2)
  expect(shown.length).toBeLessThan(names.length)
  for (const name of names) {
    expect(request).toContain(`added ${name}, source`)
    expect(request.includes(`${name}: 1 hunk, from line 1`)).toBe(!shown.includes(name))
  }
  expect(Buffer.byteLength(request)).toBeLessThan(70_000)
})

test('a file that is new and long is shown as far as it fits, with a mark of the cut', async () => {
  const context = await frozen({}, { 'src/pay.ts': long('pay', 500) })
  const request = renderScoutRequest(context, fence)
  expect(request).toContain('+ 1: export function pay(): string[] {')
  const [, mark, next] =
    /\n\((\d+) more lines of this hunk are left out\)\n>>>end[\s\S]*pay\.ts: \1 lines from line (\d+)/.exec(
      request,
    ) ?? []
  expect(Number(mark) + Number(next)).toBe(505)
  expect(request).toContain(`+ ${Number(next) - 1}: `)
  expect(request).not.toContain(`+ ${next}: `)
  const bytes = Buffer.byteLength(request)
  expect(bytes).toBeGreaterThan(23_000)
  expect(bytes).toBeLessThan(26_000)
})

test('a hunk that is too long takes no room from the ones below it', async () => {
  const gap = Array.from({ length: 20 }, (_, at) => `// ${at}\n`).join('')
  const context = await frozen(
    { 'src/pay.ts': `${gap}const last = 1\n` },
    { 'src/pay.ts': `${long('pay', 500)}${gap}const last = 2\n` },
  )
  const request = renderScoutRequest(context, fence)
  expect(request).toMatch(/more lines of this hunk are left out\)\n@@ line \d+/)
  expect(request).toMatch(/\+ \d+: const last = 2/)
})

test('of a test that is long only the beginning is shown, so that code has the room', async () => {
  const context = await frozen({}, { 'test/pay.test.ts': long('pays', 200), 'src/pay.ts': long('pay', 200) })
  const request = renderScoutRequest(context, fence)
  expect(request).toMatch(/test\/pay\.test\.ts: \d+ lines from line \d+/)
  expect(request).not.toMatch(/src\/pay\.ts: \d+ lines from/)
})

test('documentation is shown last, and of a long diff of it only the beginning', async () => {
  const context = await frozen(
    { 'a-guide.md': 'Call `pay` once.\n', 'src/pay.ts': long('pay', 1) },
    {
      'a-guide.md': 'Call `pay` twice.\n',
      'src/pay.ts': long('pay', 2),
      'b-guide.md': 'word '.repeat(60).concat('\n').repeat(40),
    },
  )
  const request = renderScoutRequest(context, fence)
  expect(request).toContain('+ 1: Call `pay` twice.')
  expect(request.indexOf('"diff of src/pay.ts"')).toBeLessThan(request.indexOf('"diff of a-guide.md"'))
  const [guide = ''] = request.split('"diff of b-guide.md"').slice(1)
  expect(Buffer.byteLength(guide)).toBeLessThan(5_000)
  expect(request).toMatch(/b-guide\.md: \d+ lines from line \d+/)
})

test('it says what the reviewer gets anyway, by lines and without the text; the notice on foreign text is there once', async () => {
  const context = await frozen({}, { 'a.ts': long('a', 1) })
  const known = {
    id: 'E1',
    source: 'file',
    trust: 'foreign',
    title: 'caller of a',
    path: 'src/use.ts',
    blob: null,
    side: 'new',
    startLine: 10,
    endLine: 30,
    text: 'the text itself',
  } as const
  const next = { ...known, id: 'E2', startLine: 31, endLine: 40, text: 'what follows' }
  const apart = { ...known, id: 'E3', startLine: 42, endLine: 50, text: 'one line later' }
  const request = renderScoutRequest({ ...context, evidence: [apart, next, known] }, fence)
  expect(request).toContain('src/use.ts: 10-40, 42-50\n')
  expect(request).not.toContain('the text itself')
  expect(request.split(fence.rule)).toHaveLength(2)
})
