/** From what a model says to candidates: nothing is mended that matters, and nothing is lost without a word. */
import { expect, test } from 'vitest'
import { Claim } from '../../../src/domain/claim.ts'
import { openEvidenceBook } from '../../../src/domain/evidence.ts'
import { wireSchema } from '../../../src/llm/answers/wire-schema.ts'
import {
  draftCandidate,
  readClaim,
  readQuote,
} from '../../../src/pipeline/reviewer/answer/draft-candidate.ts'
import { claimKinds, reviewAnswer } from '../../../src/pipeline/reviewer/answer/schema.ts'
import { changeBetween, evidenceOf, tagAt } from '../validation/world.ts'
import { wireClaim, wireFinding } from './wire.ts'

const before = 'export function total(prices: number[]) {\n  return prices[0]\n}\n'
const after = 'export function total(prices: number[]) {\n  return prices[1]\n}\n'
const change = changeBetween(
  { 'src/a.ts': before, 'src/b.ts': 'b\n' },
  { 'src/a.ts': after, 'src/b.ts': 'c\n' },
  {},
)
const tag = tagAt(change, 'src/a.ts', 2)
const bench = {
  plane: 'reviewer',
  change,
  book: openEvidenceBook([evidenceOf('src/c.ts', 7, 'total([1])')]),
  files: ['src/a.ts', 'src/b.ts'],
  repaired: false,
}
const draftOf = (changes: Parameters<typeof wireFinding>[0], more = {}) =>
  draftCandidate(wireFinding({ file: 'src/a.ts', tags: [tag], ...changes }), { ...bench, ...more })

test('the shape of the answer survives every provider, with few keys that may be null', () => {
  const wire = JSON.stringify(wireSchema(reviewAnswer))
  expect(wire.split('"null"').length - 1).toBeLessThanOrEqual(5)
  expect([...claimKinds].sort()).toEqual(Claim.options.map((option) => option.shape.kind.value).sort())
})

test.each(claimKinds)('a claim of kind %s is read with all that it needs', (kind) => {
  const claim = readClaim(
    wireClaim({
      kind,
      line: 3,
      end_line: 4,
      name: 'total',
      other_path: 'src/b.ts',
      other_line: 5,
      other_end_line: 6,
      text: 'words',
      together: 3,
      total: 4,
    }),
  )
  expect(Claim.parse(claim).kind).toBe(kind)
  expect(readClaim(wireClaim({ kind, path: '' }))).toHaveProperty('unfit')
})

test('a quote loses the marks of the prompt only where the bare words stand there', () => {
  const text = '  return prices[1]\n}'
  expect(readQuote('return prices[1]', text)).toBe('return prices[1]')
  expect(readQuote(`[${tag}] +  return prices[1]`, text)).toBe('  return prices[1]')
  expect(readQuote('12|   return prices[1]\n13| }', text)).toBe('  return prices[1]\n}')
  expect(readQuote('[L2#zzz] +return prices[2]', text)).toBe('[L2#zzz] +return prices[2]')
})

test('a cited tag becomes evidence of the diff, a cited number stays a number', () => {
  const { draft, unfit } = draftOf({
    evidence: [
      { id: `[${tag}]`, quote: 'return prices[1]' },
      { id: 'E1', quote: 'total([1])' },
      { id: tagAt(change, 'src/b.ts', 1), quote: 'c' },
      { id: 'E99', quote: 'made up' },
      { id: 'L2#zzz', quote: 'made up' },
    ],
  })
  expect(unfit).toEqual([])
  expect(draft.evidence).toMatchObject([
    { item: { source: 'diff', path: 'src/a.ts', side: 'new', startLine: 2, text: '  return prices[1]' } },
    { cited: 'E1' },
    { item: { path: 'src/b.ts', startLine: 1 } },
    { cited: 'E99', quote: 'made up' },
    { cited: 'L2#zzz', quote: 'made up' },
  ])
})

test('a quote of several lines takes the lines below the tag on its side', () => {
  const { draft } = draftOf({ evidence: [{ id: tag, quote: '  return prices[1]\n}' }] })
  expect(draft.evidence).toMatchObject([
    { item: { startLine: 2, endLine: 3 }, quote: '  return prices[1]\n}' },
  ])
})

test('a model is never certain, and what it says is marked as reported by the reviewer model', () => {
  expect(draftOf({ confidence: 'certain', category: 'security' }).draft).toMatchObject({
    confidence: 'likely',
    byModel: true,
    plane: 'reviewer',
    rule: 'reviewer/security',
  })
})

test('a suggestion needs tags of the diff, and an answer that was not damaged', () => {
  const suggestion = { first_tag: tag, last_tag: tag, replacement: '  return prices[0] ?? 0\n' }
  expect(draftOf({ suggestion }).draft.suggestion).toEqual({
    path: 'src/a.ts',
    startLine: 2,
    endLine: 2,
    replacement: '  return prices[0] ?? 0',
  })
  const old = tagAt(change, 'src/a.ts', 2, 'old')
  for (const first_tag of ['L2#zzz', 'nonsense', old]) {
    const { draft, unfit } = draftOf({ suggestion: { ...suggestion, first_tag } })
    expect(draft.suggestion).toBeNull()
    expect(unfit).toHaveLength(1)
  }
  expect(draftOf({ suggestion }, { repaired: true }).draft.suggestion).toBeNull()
})

test('what is too much, and a claim without its parts, is left out and told', () => {
  const { draft, unfit } = draftOf({
    tags: Array.from({ length: 100 }, () => tag),
    claims: [
      ...Array.from({ length: 30 }, () => wireClaim({ kind: 'undefined', name: 'x', line: 2 })),
      wireClaim(),
    ],
    evidence: Array.from({ length: 30 }, () => ({ id: tag, quote: 'return' })),
  })
  expect([draft.anchor.tags.length, draft.claims.length, draft.evidence.length]).toEqual([40, 20, 20])
  expect(unfit).toHaveLength(3)
  expect(
    draftOf({ claims: [wireClaim({ kind: 'undefined', line: 0, name: 'x' })] }).unfit[0]?.reason,
  ).toContain('line')
})

test('what stands in a file that did not change has no tag: its evidence stands in; elsewhere nothing does', () => {
  const evidence = [{ id: '[E1]', quote: 'total([1])' }]
  expect(draftOf({ file: 'src/c.ts', tags: [], evidence }).draft.anchor).toEqual({
    path: 'src/c.ts',
    tags: ['E1'],
  })
  expect(draftOf({ tags: [], evidence }).draft.anchor.tags).toEqual([])
  expect(draftOf({ file: 'src/c.ts', tags: [], evidence: [] }).draft.anchor.tags).toEqual([])
})
