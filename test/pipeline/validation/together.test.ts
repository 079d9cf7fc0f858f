import { describe, expect, test } from 'vitest'
import type { Claim } from '../../../src/domain/claim.ts'
import type { Candidate, Finding, Verdict } from '../../../src/domain/finding.ts'
import { anchorCandidate } from '../../../src/pipeline/validation/anchor/anchor-candidate.ts'
import { isDropped } from '../../../src/pipeline/validation/contract.ts'
import { settleVerdicts, togetherSteps } from '../../../src/pipeline/validation/settle.ts'
import { makeFinding } from '../../../src/pipeline/validation/validate.ts'
import { candidate, createWorld, factsOf, symbol, tagAt } from './world.ts'

const text = (top: string) => `${top}export function run() {\n  danger(1)\n  other(2)\n  danger(1)\n}\n`
const symbolAt = (line: number, name = 'run') =>
  factsOf({ symbols: [symbol(name, line, { endLine: line + 4 })] })

function findingAt(line: number, overrides: Partial<Candidate> = {}, top = '', facts = symbolAt(1)): Finding {
  const { change } = createWorld({}, { 'src/a.ts': text(top) })
  const tested = candidate({
    anchor: { path: 'src/a.ts', tags: [tagAt(change, 'src/a.ts', line)] },
    ...overrides,
  })
  const anchored = anchorCandidate(tested, change)
  if (isDropped(anchored)) throw new Error(anchored.dropped)
  return makeFinding(tested, anchored.location, [anchored], facts)
}

describe('fingerprint', () => {
  const { fingerprint } = findingAt(2)
  test('does not know line numbers', () => {
    expect(findingAt(5, {}, '// a\n// b\n// c\n', symbolAt(4)).fingerprint).toBe(fingerprint)
  })
  test('knows rule, symbol, text and what the claims are about', () => {
    const claim: Claim = { kind: 'unused', name: 'x', path: 'src/a.ts', line: 2 }
    for (const other of [
      findingAt(2, { rule: 'other/rule' }),
      findingAt(2, {}, '', symbolAt(1, 'state')),
      findingAt(3),
      findingAt(2, { claims: [claim] }),
    ])
      expect(other.fingerprint).not.toBe(fingerprint)
    expect(findingAt(2, { claims: [{ ...claim, line: 9 }] }).fingerprint).toBe(
      findingAt(2, { claims: [claim] }).fingerprint,
    )
  })
  test('knows nothing of the words', () => {
    expect(findingAt(2, { title: 'Otherwise', severity: 'low' }).fingerprint).toBe(fingerprint)
  })
})

const planes = ['secrets', 'contract', 'rules']

function settle(findings: Finding[], excluded: readonly string[] = []): Verdict[] {
  const verdicts = findings.map(
    (finding): Verdict => ({
      candidate: candidate({ id: finding.id }),
      outcome: 'kept',
      step: 'kept',
      reason: '',
      finding,
    }),
  )
  return settleVerdicts(verdicts, { excluded: new Set(excluded), planes }, togetherSteps)
}

const told = (verdicts: Verdict[]) => verdicts.map(({ candidate: { id }, step }) => `${id} ${step}`)

describe('duplicates', () => {
  test('the same fingerprint is told once, and the other place is named', () => {
    const verdicts = settle([findingAt(2, { id: 'C1' }), findingAt(4, { id: 'C2' })])
    expect(told(verdicts)).toEqual(['C1 kept', 'C2 duplicates'])
    expect(verdicts[1]).toMatchObject({ outcome: 'dropped', reason: 'It is the same as C1', finding: null })
    expect(verdicts[0]?.finding?.explanation).toContain('Also on line 4.')
  })
  test('overlapping anchors of one rule are one, unless they are about different things', () => {
    const { change } = createWorld({}, { 'src/a.ts': text('') })
    const tags = [2, 3].map((line) => tagAt(change, 'src/a.ts', line))
    const about = (name: string): Claim => ({ kind: 'unused', name, path: 'src/a.ts', line: 2 })
    const wide = { id: 'C1', anchor: { path: 'src/a.ts', tags } }
    expect(told(settle([findingAt(2, wide), findingAt(3, { id: 'C2' })]))).toEqual([
      'C1 kept',
      'C2 duplicates',
    ])
    expect(
      told(
        settle([
          findingAt(2, { ...wide, claims: [about('x')] }),
          findingAt(3, { id: 'C2', claims: [about('y')] }),
        ]),
      ),
    ).toEqual(['C1 kept', 'C2 kept'])
  })
  test('two checks on one line and category are one only with the same claims', () => {
    const claims: Claim[] = [{ kind: 'unused', name: 'x', path: 'src/a.ts', line: 2 }]
    const other = { id: 'C2', plane: 'rules', rule: 'r' }
    const both = (first: Partial<Candidate>, second: Partial<Candidate>) =>
      told(settle([findingAt(2, { id: 'C1', ...first }), findingAt(2, { ...other, ...second })]))
    expect(both({}, {})).toEqual(['C1 kept', 'C2 kept'])
    expect(both({ claims }, { claims })).toEqual(['C1 kept', 'C2 duplicates'])
    const renamed: Claim[] = [{ kind: 'undefined', name: 'x', path: 'src/a.ts', line: 2 }]
    expect(both({ claims }, { claims: renamed })).toEqual(['C1 kept', 'C2 kept'])
  })
  test('two problems that a model reports of one line stay two, with fingerprints of their own', () => {
    const model = { byModel: true, rule: 'reviewer/correctness', plane: 'reviewer' }
    const first = findingAt(2, {
      ...model,
      id: 'C1',
      title: '`danger` runs before the input is checked',
      explanation: 'An attacker chooses the argument of `danger`.',
    })
    const second = findingAt(2, {
      ...model,
      id: 'C2',
      title: 'The result of the call is dropped',
      explanation: 'A failed call looks like success to whoever waits for `run`.',
    })
    expect(second.fingerprint).toBe(first.fingerprint)
    const verdicts = settle([first, second])
    expect(told(verdicts)).toEqual(['C1 kept', 'C2 kept'])
    expect(new Set(verdicts.map(({ finding }) => finding?.fingerprint)).size).toBe(2)
    const again = settle([second, first]).map(({ finding }) => finding?.fingerprint)
    expect(again.sort()).toEqual(verdicts.map(({ finding }) => finding?.fingerprint).sort())
  })
  test('what several planes say in the same words is said once', () => {
    const title = '`danger` is called twice with the same `argument`'
    const explanation = 'The second call of `danger` charges the customer again for one `argument`.'
    const findings = ['rules', 'security', 'tests', 'performance', 'intent'].map((plane, at) =>
      findingAt(2, { id: `C${at + 1}`, plane, rule: plane, title, explanation, byModel: true }),
    )
    const [winner, ...rest] = settle(findings)
    expect(rest.every(({ outcome }) => outcome === 'dropped')).toBe(true)
    expect(winner?.finding?.explanation).toBe(explanation)
  })
  test('another category, or another line, is another finding', () => {
    const first = findingAt(2, { id: 'C1' })
    const others = [
      findingAt(2, { id: 'C2', plane: 'rules', rule: 'r', category: 'security' }),
      findingAt(3, { id: 'C3', plane: 'rules', rule: 'r' }),
    ]
    expect(told(settle([first, ...others])).every((line) => line.endsWith('kept'))).toBe(true)
  })
})

describe('limits and order', () => {
  test('what lies in files that are excluded is dropped, but for what code found of secrets and hidden text', () => {
    const low = findingAt(3, { id: 'C2', severity: 'low' })
    expect(settle([low], [low.anchor.path])[0]).toMatchObject({
      step: 'limits',
      reason: expect.stringContaining('paths.exclude'),
    })
    const secret = { ...low, plane: 'secrets' }
    expect(settle([secret], [low.anchor.path])[0]).toMatchObject({ finding: secret })
    expect(settle([{ ...secret, byModel: true }], [low.anchor.path])[0]).toMatchObject({ step: 'limits' })
  })
  test('severity, then confidence, then the order of planes, then path and line', () => {
    const findings = [
      findingAt(5, { id: 'C1', rule: 'a', severity: 'low' }),
      findingAt(3, { id: 'C2', rule: 'b', confidence: 'possible' }),
      findingAt(4, { id: 'C3', rule: 'c', plane: 'rules' }),
      findingAt(2, { id: 'C4', rule: 'd' }),
      findingAt(1, { id: 'C5', rule: 'e' }),
      findingAt(5, { id: 'C6', rule: 'f', plane: 'secrets' }),
      findingAt(1, {
        id: 'C7',
        rule: 'g',
        severity: 'critical',
        confidence: 'possible',
        category: 'security',
      }),
    ]
    const ids = (list: Finding[]) => settle(list).map(({ candidate: { id } }) => id)
    expect(ids(findings)).toEqual(['C7', 'C6', 'C5', 'C4', 'C3', 'C2', 'C1'])
    expect(ids([...findings].reverse())).toEqual(ids(findings))
  })
  test('beyond a thousand the mildest go, with the reason', () => {
    const many = Array.from(
      { length: 1001 },
      (_, at): Finding => ({
        ...findingAt(2),
        id: `C${at}`,
        rule: `r${at}`,
        fingerprint: `${at}`,
      }),
    )
    expect(settle(many).filter(({ step }) => step === 'limits')).toHaveLength(1)
  })
})
