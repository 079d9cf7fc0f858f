/** Chunks stand at the bounds of functions and classes, and cover every line once. */
import { expect, test } from 'vitest'
import { chunkFile } from '../../../src/code-index/chunks/chunk-file.ts'
import type { Chunk } from '../../../src/code-index/chunks/contract.ts'
import { Random } from '../../helpers/random.ts'
import { factReader } from '../read-facts.ts'

const read = factReader()

async function chunksOf(path: string, text: string): Promise<Chunk[]> {
  const chunks = chunkFile(path, text, await read(path, text))
  covers(chunks, text)
  return chunks
}

function covers(chunks: readonly Chunk[], text: string): void {
  let next = 1
  for (const { startLine, endLine } of chunks) {
    expect(startLine).toBe(next)
    next = endLine + 1
  }
  expect(next - 1).toBe(text.replace(/\n$/, '').split('\n').length)
  expect(chunks.map((chunk) => chunk.text).join('\n')).toBe(text.replace(/\n$/, ''))
}

const told = ({ startLine, endLine, symbol }: Chunk): string =>
  `${startLine}-${endLine} ${symbol ? `${symbol.kind} ${symbol.name}` : 'between'}`

function longClass(methods: number, lines: number): string {
  const method = (number: number) =>
    [
      '',
      '  /** What it does. */',
      `  step${number}(value: number): number {`,
      ...Array.from({ length: lines }, (_, at) => `    value += ${at}`),
      '    return value',
      '  }',
    ].join('\n')
  const body = Array.from({ length: methods }, (_, number) => method(number)).join('\n')
  return `import { thing } from './thing.ts'\n\nexport class Machine {\n  private readonly thing = thing\n${body}\n}\n`
}

test('a thousand lines with twelve methods: the head of the class and twelve chunks', async () => {
  const text = longClass(12, 78)
  expect(text.split('\n').length).toBeGreaterThan(1000)
  const chunks = await chunksOf('machine.ts', text)
  expect(chunks).toHaveLength(13)
  expect(chunks[0]).toMatchObject({ startLine: 1, symbol: { name: 'Machine', kind: 'class' } })
  expect(chunks.slice(1).map(({ symbol }) => symbol?.name)).toEqual(
    Array.from({ length: 12 }, (_, number) => `step${number}`),
  )
  expect(chunks[1]?.prefix).toBe('machine.ts (typescript) method Machine.step0')
  // The comment belongs to the method below it.
  expect(chunks[2]?.text).toMatch(/^\s*\/\*\* What it does/)
})

test('Python: imports, decorators, small values and a nested function', async () => {
  const text = `import os
import sys

LIMIT = 3

@wraps
def outer():
    def inner():
        return 1
    return inner

class Shape:
    """A shape."""
    sides = 0

    # How large.
    def area(self):
        return 0

TAIL = 1
`
  expect((await chunksOf('shapes.py', text)).map(told)).toEqual([
    '1-5 between',
    '6-11 function outer',
    '12-15 class Shape',
    '16-20 method area',
  ])
})

test('Go and Rust: methods stand beside their type', async () => {
  const go =
    'package a\n\ntype Point struct {\n\tX int\n\tY int\n}\n\nfunc (p Point) Sum() int {\n\treturn p.X\n}\n'
  expect((await chunksOf('a.go', go)).map(told)).toEqual([
    '1-2 between',
    '3-7 struct Point',
    '8-10 method Sum',
  ])
  const rust = 'struct P;\n\nimpl P {\n    fn one(&self) {\n    }\n\n    fn two(&self) {\n    }\n}\n'
  expect((await chunksOf('a.rs', rust)).map(told)).toEqual(['1-3 impl P', '4-6 method one', '7-9 method two'])
})

test('a long function stays whole up to the cap, and is cut at blank lines beyond it', async () => {
  const body = (lines: number) =>
    `function long() {\n${Array.from({ length: lines }, (_, at) => (at % 20 === 19 ? '' : `  call(${at})`)).join('\n')}\n}\n`
  expect(await chunksOf('a.js', body(290))).toHaveLength(1)
  const cut = await chunksOf('a.js', body(900))
  expect(cut.length).toBeGreaterThan(2)
  expect(cut.every(({ symbol }) => symbol?.name === 'long')).toBe(true)
  expect(cut.every(({ startLine, endLine }) => endLine - startLine < 300)).toBe(true)
  for (const { startLine, text } of cut.slice(1))
    expect([startLine, text.startsWith('  call(')]).toEqual([startLine, true])
})

test('text without facts is cut at blank lines after about forty, and without any at eighty', () => {
  const paragraph = `${'word\n'.repeat(9)}\n`
  const chunks = chunkFile('notes.md', paragraph.repeat(20), null)
  covers(chunks, paragraph.repeat(20))
  expect(chunks.map(({ startLine, endLine }) => endLine - startLine + 1)).toEqual([40, 40, 40, 40, 40])
  expect(chunks[0]).toMatchObject({ language: null, symbol: null, prefix: 'notes.md (text)' })
  const wall = 'line\n'.repeat(200)
  expect(chunkFile('wall.txt', wall, null).map(({ endLine }) => endLine)).toEqual([80, 160, 200])
})

test('nothing, one endless line, and damaged code', async () => {
  expect(chunkFile('empty.txt', '', null)).toEqual([])
  expect(chunkFile('line.txt', 'x'.repeat(200_000), null)[0]?.text).toHaveLength(40_000)
  const random = new Random(7)
  const words = [
    'class A {',
    'def f():',
    '}',
    'function g() {',
    '',
    '  x = 1',
    '/**',
    '@d',
    'it("a", () => {',
  ]
  for (let round = 0; round < 30; round++) {
    const text = Array.from({ length: 120 }, () => random.pick(words)).join('\n')
    await chunksOf(round % 2 === 0 ? 'a.ts' : 'a.py', text)
  }
})
