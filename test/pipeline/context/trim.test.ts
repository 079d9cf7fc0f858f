/** Passages within a budget. */
import { expect, test } from 'vitest'
import { tokensIn, trimPassages } from '../../../src/pipeline/context/gather.ts'
import type { RankedPassage } from '../../../src/pipeline/context/retrieval/contract.ts'
import { fusePassages } from '../../../src/pipeline/context/retrieval/retrieve-graph.ts'

const file = (text: string) => ({ text, blob: 'b'.repeat(40), lossy: false })
const passage = (path: string, startLine: number, endLine: number, score: number): RankedPassage => ({
  path,
  startLine,
  endLine,
  score,
  title: path,
  ranks: {},
})

test('keeps what is worth most for its length, never more than the budget, and counts the rest', () => {
  const texts = new Map([
    ['a', file('short\n')],
    ['b', file('x'.repeat(3_000))],
    ['c', file('also short\n')],
  ])
  const all = [passage('b', 1, 1, 1.2), passage('a', 1, 1, 1), passage('c', 1, 1, 0.9)]
  const { kept, left, tokens } = trimPassages(all, texts, 100)
  expect(kept.map(({ passage: { path } }) => path)).toEqual(['a', 'c'])
  expect([left, tokens]).toEqual([1, kept.reduce((sum, one) => sum + one.tokens, 0)])
  expect(tokens).toBeLessThanOrEqual(100)
  expect(trimPassages(all, texts, 10_000).kept).toHaveLength(3)
  expect(trimPassages(all, texts, 0)).toEqual({ kept: [], left: 3, tokens: 0 })
})

test('the text is that of the lines, without empty ones at the end; what cannot be read is left out', () => {
  const texts = new Map([['a', file('one\ntwo\n\n\nfive')]])
  const { kept, left } = trimPassages(
    [passage('a', 2, 4, 1), passage('gone', 1, 1, 1), passage('a', 3, 4, 1)],
    texts,
    1_000,
  )
  const drafts = kept.flatMap((one) => one.drafts)
  expect(drafts.map(({ startLine, endLine, text: own }) => [startLine, endLine, own])).toEqual([
    [2, 2, 'two'],
  ])
  expect(left).toBe(0)
})

test('a long function is shown by its signature, its uses of what changed and what comes out of it', () => {
  const lines = Array.from({ length: 300 }, (_, at) => `  const step${at + 1} = 1`)
  lines[0] = 'export function open({'
  lines[4] = '}: Options): File {'
  lines[149] = '  changed(step1)'
  lines[297] = '  return step2'
  const long = { ...passage('a', 1, 300, 1), focus: [150] }
  const { kept } = trimPassages([long], new Map([['a', file(lines.join('\n'))]]), 10_000)
  const spans = kept[0]?.spans ?? []
  expect(spans[0]).toEqual({ startLine: 1, endLine: 5 })
  for (const line of [150, 298])
    expect(spans.some(({ startLine, endLine }) => startLine <= line && line <= endLine)).toBe(true)
  expect(spans.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0)).toBeLessThan(90)
  const short = trimPassages([passage('a', 1, 60, 1)], new Map([['a', file(lines.join('\n'))]]), 10_000)
  expect(short.kept[0]?.spans).toEqual([{ startLine: 1, endLine: 60 }])
})

test('a line that two passages hold is paid for once', () => {
  const texts = new Map([['a', file(Array.from({ length: 20 }, (_, at) => `line ${at}`).join('\n'))]])
  const alone = trimPassages([passage('a', 1, 20, 2)], texts, 10_000)
  const both = trimPassages([passage('a', 1, 20, 2), passage('a', 5, 12, 1)], texts, 10_000)
  expect(both).toEqual(alone)
})

test('tokens are estimated by bytes, not by characters', () => {
  expect([tokensIn('abc'), tokensIn('äöü'), tokensIn('')]).toEqual([1, 2, 0])
})

test('fusing: passages of one place add up, whichever list names them; a list of weight 0 says nothing', () => {
  const at = (path: string, startLine: number, endLine: number) => ({ path, startLine, endLine, title: '' })
  const none = {
    used: [],
    callers: [],
    tests: [],
    siblings: [],
    neighbours: [],
    'look-alikes': [],
  }
  const lists = { ...none, used: [at('a', 1, 10), at('b', 1, 5)], callers: [at('b', 2, 5), at('c', 1, 2)] }
  const fused = fusePassages(lists)
  expect(fused.map(({ path, ranks }) => [path, ranks])).toEqual([
    ['b', { used: 2, callers: 1 }],
    ['a', { used: 1 }],
    ['c', { callers: 2 }],
  ])
  const weights = {
    used: 0,
    callers: 1,
    tests: 0,
    siblings: 0,
    neighbours: 0,
    'look-alikes': 0,
  }
  expect(fusePassages(lists, weights).map(({ path }) => path)).toEqual(['b', 'c'])
})
