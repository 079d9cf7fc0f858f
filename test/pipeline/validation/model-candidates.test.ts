/** What is asked of a candidate because a model made it: its word alone carries nothing. */
import { describe, expect, test } from 'vitest'
import type { Candidate } from '../../../src/domain/finding.ts'
import { isConfirmedByCode } from '../../../src/domain/proof.ts'
import { validateCandidates } from '../../../src/pipeline/validation/validate.ts'
import { candidate, createWorld, evidenceOf, inputOf, reference, symbol, tagAt } from './world.ts'

const caller = 'import { parse } from "./a"\nparse(1)\n'
const call = 'export const x = load(\n  first,\n  second,\n)\n'
const world = createWorld(
  { 'src/a.ts': `export function parse() {}\n${call}`, 'src/b.ts': caller },
  { 'src/a.ts': `\u202econst y = 1\n${call.replace('first', 'other')}`, 'src/b.ts': caller },
  {
    facts: {
      'old:src/a.ts': { symbols: [symbol('parse', 1)] },
      'new:src/a.ts': {},
      'new:src/b.ts': { references: [reference('parse', 2)] },
    },
  },
)
const tag = tagAt(world.change, 'src/a.ts', 3)
const evidence = [
  evidenceOf('src/a.ts', 3, '  other,'),
  evidenceOf('src/b.ts', 2, 'parse(1)', { id: 'E2' }),
  evidenceOf('src/a.ts', 1, '\u202econst y = 1', { id: 'E3' }),
]
const said = (changes: Partial<Candidate> = {}): Candidate =>
  candidate({
    plane: 'reviewer',
    rule: 'reviewer/correctness',
    category: 'correctness',
    byModel: true,
    anchor: { path: 'src/a.ts', tags: [tag] },
    evidence: [{ evidence: 'E1', quote: 'other' }],
    ...changes,
  })
const judge = async (...candidates: Candidate[]) =>
  validateCandidates({ ...inputOf(world, { candidates, evidence }), planes: ['contract', 'reviewer'] })

describe('severity', () => {
  test('a model that is certain is capped all the same', async () => {
    const [verdict] = await judge(said({ severity: 'critical', confidence: 'certain' }))
    expect(verdict).toMatchObject({ outcome: 'demoted', step: 'claims', finding: { severity: 'medium' } })
    expect(verdict?.reason).toContain('it makes no claim that code can check')
    expect(verdict?.finding?.lowered).toEqual({ from: 'critical', why: verdict?.reason })
  })

  test('a claim that is true of any line does not carry it', async () => {
    const claims = [{ kind: 'line-contains', side: 'new', path: 'src/a.ts', line: 3, text: 'other' } as const]
    const [verdict] = await judge(said({ severity: 'high', claims }))
    expect(verdict?.finding).toMatchObject({ severity: 'medium' })
    expect(verdict?.reason).toContain('does not show such harm')
    expect(verdict?.finding?.lowered?.from).toBe('high')
  })

  test('a claim that code confirms carries it, a false one ends it', async () => {
    const claim = {
      kind: 'caller-not-updated',
      symbol: 'parse',
      definedIn: 'src/a.ts',
      path: 'src/b.ts',
      line: 2,
    } as const
    const about = {
      severity: 'high',
      anchor: { path: 'src/a.ts', tags: [tagAt(world.change, 'src/a.ts', 1, 'old')] },
      evidence: [{ evidence: 'E2', quote: 'parse(1)' }],
    } as const
    const [kept] = await judge(
      said({
        ...about,
        anchor: { ...about.anchor, tags: [...about.anchor.tags] },
        evidence: [...about.evidence],
        claims: [claim],
      }),
    )
    expect(kept).toMatchObject({ outcome: 'kept', finding: { severity: 'high' } })
    expect(kept?.finding).not.toHaveProperty('lowered')
    const [elsewhere] = await judge(said({ severity: 'high', claims: [claim] }))
    expect(elsewhere).toMatchObject({ outcome: 'demoted', finding: { severity: 'medium' } })
    expect(elsewhere?.reason).toContain('what code could confirm is about another place')
    // Nor does it protect the finding from a judge.
    expect(elsewhere?.finding?.verifiedBy).toContain(
      '1 claim about another place confirmed by the code index',
    )
    expect(elsewhere?.finding && isConfirmedByCode(elsewhere.finding)).toBe(false)
    const [dropped] = await judge(said({ severity: 'high', claims: [{ ...claim, line: 1 }] }))
    expect(dropped).toMatchObject({ outcome: 'dropped', step: 'claims' })
  })
})

describe('evidence', () => {
  test.each([
    ['E99', 'other', 'which does not exist'],
    ['L3#zzz', 'other', 'which does not exist'],
    ['E1', 'made up', 'are not in'],
    ['E1', ' ', 'without quoting'],
  ])('%s with "%s" is dropped: %s', async (id, quote, reason) => {
    const [verdict] = await judge(said({ evidence: [{ evidence: id, quote }] }))
    expect(verdict).toMatchObject({ outcome: 'dropped', step: 'evidence' })
    expect(verdict?.reason).toContain(reason)
  })

  const right = { evidence: 'E1', quote: 'other' }
  const caller2 = { evidence: 'E2', quote: 'parse(1)' }
  const wrong = { evidence: 'E2', quote: 'parse(2)' }

  test.each([
    [wrong, 'citation left out: the words it quotes are not in E2'],
    [{ evidence: 'E99', quote: 'other' }, 'citation left out: it cites E99, which does not exist'],
    [{ evidence: 'E2', quote: '' }, 'citation left out: it cites E2 without quoting it'],
  ])('one slip among right citations costs that citation: %j', async (slip, reason) => {
    for (const evidence of [
      [right, slip],
      [slip, right, caller2],
    ]) {
      const [verdict] = await judge(said({ severity: 'low', evidence }))
      expect(verdict).toMatchObject({ outcome: 'demoted', step: 'evidence', reason })
      expect(verdict?.finding?.evidence).toEqual(evidence.filter((one) => one !== slip))
    }
  })

  test('right words of another place do not carry a finding whose own line is misquoted', async () => {
    const [verdict] = await judge(said({ evidence: [caller2, { evidence: 'E1', quote: 'made up' }] }))
    expect(verdict).toMatchObject({ outcome: 'dropped', reason: 'The words it quotes are not in E1' })
  })

  test('one right quote does not carry two made-up ones', async () => {
    const evidence = [right, wrong, { evidence: 'E3', quote: 'made up' }]
    expect((await judge(said({ evidence })))[0]).toMatchObject({ outcome: 'dropped', step: 'evidence' })
  })

  test('a claim at lines of a citation that is left out carries no severity', async () => {
    const claim = {
      kind: 'caller-not-updated',
      symbol: 'parse',
      definedIn: 'src/a.ts',
      path: 'src/b.ts',
      line: 2,
    }
    const claims = [claim as Candidate['claims'][number]]
    const about = { severity: 'high', title: 'A broken `parse`', claims } as const
    const anchor = { path: 'src/a.ts', tags: [tagAt(world.change, 'src/a.ts', 1, 'old')] }
    const own = evidenceOf('src/a.ts', 1, 'export function parse() {}', { id: 'E4', side: 'old' })
    const [kept, capped] = await Promise.all(
      [caller2, wrong].map(async (second) => {
        const candidates = [
          said({
            ...about,
            claims: [...claims],
            anchor,
            evidence: [{ evidence: 'E4', quote: 'parse' }, second],
          }),
        ]
        const input = {
          ...inputOf(world, { candidates, evidence: [...evidence, own] }),
          planes: ['contract', 'reviewer'],
        }
        return (await validateCandidates(input))[0]
      }),
    )
    expect(kept?.finding?.severity).toBe('high')
    expect(capped?.finding?.severity).toBe('medium')
  })

  test('words that are nowhere cannot choose the line', async () => {
    const twice = createWorld({ 'src/a.ts': 'one()\n' }, { 'src/a.ts': 'one()\nsame()\nlast()\nsame()\n' })
    const items = [evidenceOf('src/a.ts', 4, 'same()'), evidenceOf('src/a.ts', 1, 'one()', { id: 'E2' })]
    const judgeTwice = async (citations: Candidate['evidence']) =>
      validateCandidates({
        ...inputOf(twice, {
          candidates: [
            said({
              anchor: { path: 'src/a.ts', tags: [tagAt(twice.change, 'src/a.ts', 2)] },
              evidence: citations,
            }),
          ],
          evidence: items,
        }),
        planes: ['reviewer'],
      })
    const [verdict] = await judgeTwice([
      { evidence: 'E1', quote: 'same()' },
      // In the diff, but not in E2: it would move the finding from line 2 to line 4.
      { evidence: 'E2', quote: 'last()\nsame()' },
    ])
    expect(verdict).toMatchObject({ outcome: 'dropped', step: 'evidence' })
  })

  test('a check of ours that misquotes is dropped whatever else it cites', async () => {
    const [verdict] = await judge(said({ plane: 'contract', byModel: false, evidence: [right, wrong] }))
    expect(verdict).toMatchObject({ outcome: 'dropped', step: 'evidence' })
  })

  test('none at all is dropped', async () => {
    expect((await judge(said({ evidence: [] })))[0]).toMatchObject({ outcome: 'dropped', step: 'evidence' })
  })

  test('a hidden character may be quoted as the model was shown it', async () => {
    const [verdict] = await judge(
      said({
        severity: 'low',
        anchor: { path: 'src/a.ts', tags: [tagAt(world.change, 'src/a.ts', 1)] },
        evidence: [{ evidence: 'E3', quote: '⟦U+202E⟧const y' }],
      }),
    )
    expect(verdict?.outcome).toBe('kept')
  })
})

describe('anchor', () => {
  test('an unchanged line of a statement that changed is shown on the changed one', async () => {
    const near = tagAt(world.change, 'src/a.ts', 4)
    const [verdict] = await judge(said({ severity: 'low', anchor: { path: 'src/a.ts', tags: [near] } }))
    expect(verdict?.finding).toMatchObject({ startLine: 3 })
    expect(verdict?.finding?.verifiedBy.join()).toContain('shown on the changed line of the same statement')
  })

  test('any other unchanged line, a made-up tag and a foreign file are dropped', async () => {
    const b = { path: 'src/b.ts', tags: [tag] }
    for (const anchor of [
      { path: 'src/a.ts', tags: ['L3#zzz'] },
      { path: 'src/a.ts', tags: ['nonsense'] },
      b,
    ])
      expect((await judge(said({ anchor })))[0]?.outcome).toBe('dropped')
    const far = createWorld(
      { 'src/a.ts': 'one()\ntwo()\nthree()\n' },
      { 'src/a.ts': 'one()\ntwo()\nfour()\n' },
    )
    const [verdict] = await validateCandidates({
      ...inputOf(far, {
        candidates: [said({ anchor: { path: 'src/a.ts', tags: [tagAt(far.change, 'src/a.ts', 1)] } })],
      }),
      planes: ['reviewer'],
    })
    expect(verdict).toMatchObject({ outcome: 'dropped', step: 'anchor' })
  })
})

test('what its author took back is dropped with the reason', async () => {
  const [verdict] = await judge(said({ withdrawn: 'the caller\nchecks it' }))
  expect(verdict).toMatchObject({
    outcome: 'dropped',
    step: 'refutation',
    reason: 'Its author withdrew it: the caller checks it',
  })
})

test('two different problems of one line stay two findings', async () => {
  const verdicts = await judge(
    said({ severity: 'low', title: 'One thing' }),
    said({ severity: 'low', id: 'C2', title: 'Another thing' }),
  )
  expect(verdicts.map(({ outcome }) => outcome)).toEqual(['kept', 'kept'])
  expect(new Set(verdicts.map(({ finding }) => finding?.fingerprint)).size).toBe(2)
})
