/** From what a model says to candidates: nothing is mended that matters, and nothing is lost without a word. */
import { expect, test } from 'vitest'
import { readPrompt } from '../../../src/base/package-root.ts'
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
import { wireAnswer, wireClaims, wireFinding } from './wire.ts'

const before = 'export function total(prices: number[]) {\n  return prices[0]\n}\n'
const after = 'export function total(prices: number[]) {\n  return prices[1]\n}\n'
const change = changeBetween(
  { 'src/a.ts': before, 'src/b.ts': 'b\n' },
  { 'src/a.ts': after, 'src/b.ts': 'c\n' },
  {},
)
const tag = tagAt(change, 'src/a.ts', 2)
const bench = {
  reader: null,
  change,
  book: openEvidenceBook([evidenceOf('src/c.ts', 7, 'total([1])')]),
  files: ['src/a.ts', 'src/b.ts'],
  known: [],
  repaired: false,
}
const draftOf = (changes: Parameters<typeof wireFinding>[0], more = {}) =>
  draftCandidate(wireFinding({ file: 'src/a.ts', tags: [tag], ...changes }), { ...bench, ...more })

test('the shape of the answer survives every provider, with few keys that may be null', () => {
  const wire = JSON.stringify(wireSchema(reviewAnswer))
  expect(wire.split('"null"').length - 1).toBeLessThanOrEqual(5)
})

test('every kind of claim is one that a model may make and the prompt explains, but for those that code alone makes', () => {
  const fields = readPrompt('answer-fields', 4).text
  const all = Claim.options.map((option) => option.shape.kind.value)
  expect([...claimKinds, 'changes-together', 'rule-matches', 'call-mismatch'].sort()).toEqual(all.sort())
  for (const kind of claimKinds) expect(fields).toContain(`\`${kind}\``)
})

test('a field of a finding, of a claim or of the answer that the prompt does not explain does not exist', () => {
  const fields = [
    readPrompt('answer-fields', 4).text,
    readPrompt('follow-up', 2).text,
    readPrompt('quick-review', 4).text,
  ].join('')
  for (const key of keysOf(wireSchema(reviewAnswer)))
    if (!['sentence', 'quote', 'finding', 'verdict', 'kind'].includes(key))
      expect(fields).toContain(`\`${key}\``)
})

function keysOf(schema: unknown): Set<string> {
  if (Array.isArray(schema)) return new Set(schema.flatMap((one) => [...keysOf(one)]))
  if (typeof schema !== 'object' || schema === null) return new Set()
  const own = 'properties' in schema && schema.properties ? Object.keys(schema.properties) : []
  return new Set([...own, ...Object.values(schema).flatMap((one) => [...keysOf(one)])])
}

test('what a model leaves out is empty, and a claim that does not fit its kind costs the claim alone', () => {
  const { also_at, claims, enriches, edits, ...least } = wireFinding({ file: 'src/a.ts', tags: [tag] })
  const wire = { findings: [{ ...least, confidence: 'certain', claims: [{ kind: 'undefined', path: 'a' }] }] }
  const read = reviewAnswer.schema.parse(wire)
  expect(read).toMatchObject({
    ...wireAnswer(),
    findings: [{ also_at, enriches, edits, confidence: 'likely' }],
  })
  expect(claims).toEqual([])
  const [finding] = read.findings
  const { draft, unfit } = draftCandidate(finding ?? wireFinding(), bench)
  expect(draft.claims).toEqual([])
  expect(unfit).toMatchObject([{ reason: 'it does not have the fields that its kind needs' }])
})

test.each(claimKinds)('a claim of kind %s is read with all that it needs', (kind) => {
  expect(Claim.parse(readClaim(wireClaims[kind])).kind).toBe(kind)
  expect(readClaim({ ...wireClaims[kind], path: '' })).toHaveProperty('unfit')
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

test('what a model says is marked as reported by the reviewer model', () => {
  expect(draftOf({ category: 'security' }).draft).toMatchObject({
    confidence: 'likely',
    byModel: true,
    plane: 'reviewer',
    rule: 'reviewer/security',
  })
})

test('edits are kept for validation to place, and code of an answer that was damaged is refused', () => {
  const edits = [{ old: '  return prices[1]', new: '  return prices[0] ?? 0' }]
  expect(draftOf({ edits }).draft).toMatchObject({ edits, suggestion: null })
  const { draft } = draftOf({ edits }, { repaired: true })
  expect(draft.edits).toBeUndefined()
  expect(draft.refusedSuggestion).toContain('damaged')
})

test('an edit that was copied with the marks of the prompt loses them, and other text keeps what looks like one', () => {
  const marked = [{ old: `[${tag}] +  return prices[1]`, new: '  return 1' }]
  expect(draftOf({ edits: marked }).draft.edits).toEqual([{ old: '  return prices[1]', new: '  return 1' }])
  const table = [{ old: '1| one\nplain', new: '2| two' }]
  expect(draftOf({ edits: table }).draft.edits).toEqual([{ old: '1| one\nplain', new: '2| two' }])
})

test('further places keep their citation, in the file of the evidence where one is cited', () => {
  const { draft } = draftOf({
    also_at: [
      { file: './src/b.ts', id: `[${tagAt(change, 'src/b.ts', 1)}]`, quote: 'c' },
      { file: '', id: 'E1', quote: '7| total([1])' },
    ],
  })
  expect(draft.alsoAt).toEqual([
    { path: 'src/b.ts', cited: tagAt(change, 'src/b.ts', 1), quote: 'c' },
    { path: 'src/c.ts', cited: 'E1', quote: 'total([1])' },
  ])
})

test('what would show it to be wrong is one line, without the words that stand before it', () => {
  const written = ' Wrong if every caller of `load`\nsorts first. '
  expect(draftOf({ wrong_if: written }).draft.wrongIf).toBe('every caller of `load` sorts first')
  expect(draftOf({ wrong_if: null }).draft.wrongIf).toBeUndefined()
  expect(draftOf({ wrong_if: 'x'.repeat(500) }).draft.wrongIf).toHaveLength(200)
})

test('documented behaviour is kept with the name that it is of, and without a name it is nothing', () => {
  const documented = { name: ' zlib ', behaviour: '`inflateSync` throws for empty input.' }
  expect(draftOf({ documented }).draft.documented).toEqual({
    name: 'zlib',
    behaviour: '`inflateSync` throws for empty input.',
  })
  expect(draftOf({ documented: { name: '', behaviour: 'it throws' } }).draft.documented).toBeUndefined()
})

test('what it strengthens is named by its id, or by evidence that one finding alone cites', () => {
  const anchor = { path: 'src/a.ts', tags: [tag] }
  const cites = (id: string) => [{ evidence: id, quote: 'x' }]
  const known = [
    { id: 'C1', anchor, evidence: cites('E1') },
    { id: 'C2', anchor: { path: 'src/b.ts', tags: [tag] }, evidence: [...cites('E1'), ...cites('E2')] },
    { id: 'C3', anchor, evidence: cites('E3') },
    { id: 'C4', anchor, evidence: cites('E3') },
  ]
  const enriched = (enriches: string) => draftOf({ enriches }, { known })
  expect(enriched('C2').draft.enriches).toBe('C2')
  expect(enriched('e2').draft.enriches).toBe('C2')
  expect(enriched('E1').draft.enriches).toBe('C1')
  for (const name of ['E3', 'C9', 'F1', '__proto__']) {
    const { draft, unfit } = enriched(name)
    expect(draft.enriches).toBeUndefined()
    expect(unfit).toMatchObject([{ reason: 'it names no finding of a check' }])
  }
  expect(enriched('').unfit).toEqual([])
})

test('what is too much, and a claim without its parts, is left out and told', () => {
  const { draft, unfit } = draftOf({
    tags: Array.from({ length: 100 }, () => tag),
    claims: [...Array.from({ length: 30 }, () => wireClaims.undefined), wireClaims['line-contains']],
    evidence: Array.from({ length: 30 }, () => ({ id: tag, quote: 'return' })),
  })
  expect([draft.anchor.tags.length, draft.claims.length, draft.evidence.length]).toEqual([40, 20, 20])
  expect(unfit).toHaveLength(3)
  expect(draftOf({ claims: [{ ...wireClaims.undefined, line: 0 }] }).unfit[0]?.reason).toContain('line')
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
