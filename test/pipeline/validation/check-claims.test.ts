import { expect, test } from 'vitest'
import type { Claim } from '../../../src/domain/claim.ts'
import type { Candidate } from '../../../src/domain/finding.ts'
import { claimSteps } from '../../../src/pipeline/validation/claims/check-claims.ts'
import {
  type CandidateState,
  type DiffLocation,
  isDropped,
  type ValidationContext,
} from '../../../src/pipeline/validation/contract.ts'
import { openValidationContext } from '../../../src/pipeline/validation/validate.ts'
import { candidate, createWorld, evidenceOf, inputOf, reference, symbol } from './world.ts'

const callers = 'parse(1)\nparse(2)\n// parse(3)\n'
const world = createWorld(
  { 'src/a.ts': 'export function parse() {}\n', 'src/b.ts': callers },
  { 'src/a.ts': 'const x = 1\n', 'src/b.ts': callers },
  {
    facts: {
      'old:src/a.ts': { symbols: [symbol('parse', 1)] },
      'new:src/a.ts': {},
      'new:src/b.ts': { references: [reference('parse', 1), reference('parse', 2)] },
    },
  },
)
const [file] = world.change.files
if (!file) throw new Error('the change is empty')
const place: DiffLocation = {
  file,
  side: 'old',
  startLine: 1,
  endLine: 1,
  shown: null,
  tags: [],
  excerpt: [],
}
const bench = openValidationContext(
  inputOf(world, {
    evidence: [1, 2, 3].map((line) => evidenceOf('src/b.ts', line, `parse(${line})`, { id: `E${line}` })),
  }),
)
const caller = (line: number): Claim => ({
  kind: 'caller-not-updated',
  symbol: 'parse',
  definedIn: 'src/a.ts',
  path: 'src/b.ts',
  line,
})
const holds: Claim = { kind: 'line-contains', side: 'new', text: 'parse', path: 'src/b.ts', line: 1 }
const untrue: Claim = { ...holds, text: 'nothing' }
const unsure: Claim = { kind: 'type-mismatch', checker: 'tsc', message: '', path: 'src/b.ts', line: 1 }

async function prove(
  claims: Claim[],
  overrides: Partial<Candidate> = {},
  onBench: ValidationContext = bench,
) {
  let walk: CandidateState = {
    candidate: candidate({ claims, ...overrides }),
    location: place,
    checkedClaims: [],
  }
  const notes = { verifiedBy: [] as string[], demotions: [] as string[] }
  for (const { run } of claimSteps) {
    const result = await run(walk, onBench)
    if (isDropped(result)) return result.dropped
    const { verifiedBy = [], demotions = [], ...changed } = result
    notes.verifiedBy.push(...verifiedBy)
    notes.demotions.push(...demotions)
    walk = { ...walk, ...changed }
  }
  return { candidate: walk.candidate, ...notes }
}

test('confirmed claims are counted by what confirmed them', async () => {
  expect(await prove([caller(1), caller(2), holds], { rule: 'contract/removed-symbol' })).toMatchObject({
    verifiedBy: [
      '2 claims confirmed by the code index',
      '1 claim confirmed by the text of the line',
      'a second witness: the types, or a text that can mean nothing else',
    ],
    demotions: [],
    candidate: { severity: 'high' },
  })
})

test('one refuted claim drops the candidate', async () => {
  expect(await prove([holds, untrue])).toContain('A claim is false (line-contains)')
})

test('of many callers the refuted ones go, with their evidence, and the words say so', async () => {
  const cites = [1, 2, 3].map((line) => ({ evidence: `E${line}`, quote: 'parse' }))
  expect(await prove([caller(1), caller(2), caller(3)], { evidence: cites })).toMatchObject({
    candidate: {
      claims: [caller(1), caller(2)],
      evidence: [cites[0], cites[1]],
      explanation: expect.stringContaining('1 of the 3 places named did not hold and is left out'),
    },
    demotions: [expect.stringContaining('one place left out: `src/b.ts:3`')],
  })
})

test('a candidate whose callers are all refuted is dropped', async () => {
  expect(await prove([caller(3), caller(9)])).toContain('A claim is false (caller-not-updated)')
})

test('when no claim can be checked the severity is capped at medium, and low stays', async () => {
  expect(await prove([unsure], { severity: 'critical' })).toMatchObject({
    candidate: { severity: 'medium' },
    demotions: [expect.stringContaining('capped at medium, from critical')],
  })
  expect(await prove([unsure], { severity: 'low' })).toMatchObject({
    candidate: { severity: 'low' },
    demotions: [],
  })
  expect(await prove([unsure, holds])).toMatchObject({ candidate: { severity: 'high' } })
})

test('without claims only a certain plane keeps its severity', async () => {
  expect(await prove([], { confidence: 'certain' })).toMatchObject({ candidate: { severity: 'high' } })
  expect(await prove([], { confidence: 'likely' })).toMatchObject({ candidate: { severity: 'medium' } })
})

test('a check that throws proves nothing', async () => {
  const broken = {
    ...bench,
    sources: { ...world.sources, lines: () => Promise.reject(new Error('disk on fire')) },
  }
  expect(await prove([holds], {}, broken)).toMatchObject({
    candidate: { severity: 'medium' },
    demotions: [expect.stringContaining('disk on fire')],
  })
})
