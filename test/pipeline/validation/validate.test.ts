import { expect, test } from 'vitest'
import { Verdict } from '../../../src/domain/finding.ts'
import { validateCandidates } from '../../../src/pipeline/validation/validate.ts'
import { candidate, createWorld, evidenceOf, inputOf, reference, symbol, tagAt } from './world.ts'

const caller = 'import { parse } from "./a"\nparse(1)\n'
const world = createWorld(
  { 'src/a.ts': 'export function parse() {}\nexport const x = 1\n', 'src/b.ts': caller },
  { 'src/a.ts': 'export const x = 2\n', 'src/b.ts': caller },
  {
    facts: {
      'old:src/a.ts': { symbols: [symbol('parse', 1)] },
      'new:src/a.ts': {},
      'new:src/b.ts': { references: [reference('parse', 2)] },
    },
  },
)
const evidence = [evidenceOf('src/b.ts', 2, 'parse(1)'), evidenceOf('src/b.ts', 1, 'parse(1)', { id: 'E2' })]
const good = candidate({
  anchor: { path: 'src/a.ts', tags: [tagAt(world.change, 'src/a.ts', 1, 'old')] },
  claims: [{ kind: 'caller-not-updated', symbol: 'parse', definedIn: 'src/a.ts', path: 'src/b.ts', line: 2 }],
  evidence: [{ evidence: 'E1', quote: 'parse(1)' }],
})
const bad = {
  shape: { ...good, id: 'C2', plane: 'none' },
  anchor: { ...good, id: 'C3', anchor: { path: 'src/a.ts', tags: ['L1#000'] } },
  evidence: { ...good, id: 'C4', evidence: [{ evidence: 'E2', quote: 'parse(1)' }] },
  claims: {
    ...good,
    id: 'C5',
    claims: [
      {
        ...good.claims[0],
        kind: 'caller-not-updated' as const,
        symbol: 'parse',
        definedIn: 'src/a.ts',
        path: 'src/b.ts',
        line: 1,
      },
    ],
  },
  duplicates: { ...good, id: 'C6' },
}
const suggesting = {
  ...good,
  id: 'C7',
  rule: 'contract/renamed-symbol',
  anchor: { path: 'src/a.ts', tags: [tagAt(world.change, 'src/a.ts', 1)] },
  suggestion: { path: 'src/a.ts', startLine: 1, endLine: 1, replacement: 'export const x = 2' },
}

test('every candidate gets a verdict with a step and a reason: one that passes, one for each step', async () => {
  const candidates = [...Object.values(bad), suggesting, good]
  const verdicts = await validateCandidates(inputOf(world, { candidates, evidence }))
  expect(verdicts.map(({ candidate: { id }, outcome, step }) => [id, outcome, step])).toEqual([
    ['C1', 'kept', 'kept'],
    ['C7', 'demoted', 'suggestion'],
    ['C2', 'dropped', 'shape'],
    ['C3', 'dropped', 'anchor'],
    ['C4', 'dropped', 'evidence'],
    ['C5', 'dropped', 'claims'],
    ['C6', 'dropped', 'duplicates'],
  ])
  for (const verdict of verdicts) {
    expect(verdict.reason).not.toBe('')
    expect(Verdict.parse(verdict)).toEqual(verdict)
  }
})

test('a finding carries its place, excerpt, fingerprint and what was checked', async () => {
  const [verdict] = await validateCandidates(inputOf(world, { candidates: [good], evidence }))
  expect(verdict?.finding).toMatchObject({
    side: 'old',
    startLine: 1,
    endLine: 1,
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    excerpt: [
      { kind: 'removed', old: 1 },
      { kind: 'removed', old: 2 },
      { kind: 'added', new: 1 },
    ],
    verifiedBy: [
      'every cited line is in the diff as cited',
      '1 quote is word for word in the evidence',
      '1 claim confirmed by the code index',
      'a second witness: the types, or a text that can mean nothing else',
    ],
  })
})

test('a candidate that is none, and one whose check throws, harm nobody', async () => {
  const head = {
    ...world.head,
    read: () => Promise.reject(new Error('object store is gone')),
    readMany: async () => new Map(),
  }
  const input = inputOf(world, { candidates: [good], evidence })
  const broken = Object.assign([null, 'x', { ...good, anchor: null }, good], {}) as typeof input.candidates
  expect((await validateCandidates({ ...input, candidates: broken })).map(({ step }) => step)).toEqual([
    'kept',
    'shape',
    'shape',
    'shape',
  ])
  const readless = { ...head, readMany: () => Promise.reject(new Error('object store is gone')) }
  expect(await validateCandidates({ ...input, head: readless })).toMatchObject([
    { outcome: 'dropped', step: 'evidence', reason: expect.stringContaining('object store is gone') },
  ])
})

test('the same input gives the same verdicts, byte for byte, however the candidates are ordered', async () => {
  const candidates = [good, suggesting, bad.claims]
  const run = async (list: typeof candidates) =>
    validateCandidates(inputOf(world, { candidates: list, evidence }))
  const first = JSON.stringify(await run(candidates))
  for (let at = 0; at < 5; at++) expect(JSON.stringify(await run(candidates))).toBe(first)
  const standing = (verdicts: Verdict[]) => verdicts.filter(({ finding }) => finding)
  expect(standing(await run([...candidates].reverse()))).toEqual(standing(JSON.parse(first)))
})
