import { describe, expect, test } from 'vitest'
import type { Finding } from '../../../src/domain/finding.ts'
import { mainClaimWords, supportedWords, upheldWords } from '../../../src/domain/proof.ts'
import { severities } from '../../../src/domain/severity.ts'
import {
  certaintyOf,
  noveltyOf,
  rankFindings,
  reachOf,
  weigh,
} from '../../../src/pipeline/synthesis/synthesise.ts'
import { sampleEvidence } from '../../helpers/sample-review.ts'
import { fileChange } from '../conclude/parts.ts'
import { finding, planes, proven, run, standingIds, upheld } from './parts.ts'

/** Each in a file of its own: novelty decides nothing. */
const elsewhere = (file: number) => at(`src/${file}.ts`)
const at = (path: string) => ({ anchor: { path, tags: ['L12#abc'] } })
const ids = (findings: Parameters<typeof rankFindings>[0]) =>
  rankFindings(findings, planes).map(({ id }) => id)

describe('severity × certainty × reach', () => {
  test('one step of severity yields only to far more certainty and reach, two steps never', () => {
    const sure = { confidence: 'certain', ...proven } as const
    for (const [index, severity] of severities.entries()) {
      const [next, after] = severities.slice(index + 1)
      const weak = weigh(finding('C1', { severity, confidence: 'possible' }), 2)
      const usual = weigh(finding('C1', { severity, confidence: 'likely', ...upheld }), 3)
      if (next) {
        expect(weigh(finding('C2', { severity: next, ...sure }), 4)).toBeGreaterThan(weak)
        expect(weigh(finding('C2', { severity: next, ...sure }), 4)).toBeLessThanOrEqual(usual)
        expect(weigh(finding('C2', { severity: next, ...upheld }), 3)).toBeLessThan(usual)
      }
      if (after) expect(weigh(finding('C3', { severity: after, ...sure }), 4)).toBeLessThanOrEqual(weak)
    }
  })
  test('of one severity, what is supported beyond its own quotes comes before what was only not refuted', () => {
    const order: Partial<Finding>[] = [
      { ...proven },
      { verifiedBy: [upheldWords, supportedWords] },
      { verifiedBy: [mainClaimWords, supportedWords] },
      { ...upheld },
      { verifiedBy: [mainClaimWords] },
      {},
      { confidence: 'possible', ...upheld },
      { confidence: 'possible' },
    ]
    const findings = order.map((one, at) => finding(`C${at + 1}`, { ...one, ...elsewhere(at) }))
    const certainties = findings.map(certaintyOf)
    expect(new Set(certainties).size).toBe(order.length)
    expect(ids(findings.toReversed())).toEqual(findings.map(({ id }) => id))
  })
  test('a claim about another place makes no finding surer', () => {
    const far = finding('C1', { verifiedBy: ['1 claim about another place confirmed by the code index'] })
    expect(certaintyOf(far)).toBe(certaintyOf(finding('C1')))
  })
  test('what its author called worse comes before what everybody called medium', () => {
    const lowered = { from: 'critical', why: 'nothing could confirm it' } as const
    expect(ids([finding('C1', elsewhere(1)), finding('C2', { lowered, ...elsewhere(2) })])).toEqual([
      'C2',
      'C1',
    ])
  })
  test('surer comes first', () => {
    expect(
      ids([finding('C1', { confidence: 'possible' }), finding('C2', { confidence: 'certain' })]),
    ).toEqual(['C2', 'C1'])
  })
  test('that a check upheld it does not undo the doubts of its author', () => {
    const doubted = finding('C2', { confidence: 'possible', ...upheld })
    expect(ids([doubted, finding('C1', { confidence: 'likely' })])).toEqual(['C1', 'C2'])
  })
  test('what others use comes before what only developers meet', () => {
    const used = finding('C3', { evidence: [{ evidence: 'E7', quote: 'parse(a)' }] })
    const inTest = finding('C1', at('test/parse.test.ts'))
    const inside = finding('C2', at('src/b.ts'))
    const context = {
      change: {
        files: [fileChange('src/parse.ts'), fileChange('test/parse.test.ts', { role: 'test' })],
        overflow: [],
      },
      evidence: [sampleEvidence({ id: 'E7', title: 'caller of parse()', path: 'src/app.ts' })],
    }
    expect([used, inside, inTest].map((one) => reachOf(one, context))).toEqual([4, 3, 2])
    expect(rankFindings([inTest, inside, used], planes, context).map(({ id }) => id)).toEqual([
      'C3',
      'C2',
      'C1',
    ])
  })
  test('the third of one rule in one file comes after the first of another file', () => {
    const [one, two, three] = [20, 30, 40].map((line, index) =>
      finding(`C${index + 1}`, { startLine: line, endLine: line }),
    )
    const other = finding('C4', at('src/z.ts'))
    if (one && two && three) expect(ids([three, other, two, one])).toEqual(['C1', 'C4', 'C2', 'C3'])
  })
  test('what code said of the lines already comes after what is news', () => {
    const byCode = { plane: 'contract', rule: 'contract/arity', category: 'contract' as const }
    const code = finding('C1', { ...byCode, byModel: false, severity: 'low', title: 'other words' })
    const again = finding('C2', { category: 'contract', rule: 'correctness/contract' })
    const news = finding('C3', at('src/z.ts'))
    expect(noveltyOf(again, [], [code])).toBe(3)
    expect(ids([code, again, news])).toEqual(['C3', 'C2', 'C1'])
  })
  test('novelty ends at its least, and is least for what stood there before', () => {
    const many = Array.from({ length: 9 }, (_, index) => finding(`C${index}`))
    expect(noveltyOf(finding('C10'), many)).toBe(2)
    expect(noveltyOf(finding('C10', { preExisting: true }), [])).toBe(2)
  })
})

test('what stood there before comes last, however grave', () => {
  const old = finding('C1', { severity: 'critical', confidence: 'certain', preExisting: true })
  const low = finding('C2', { severity: 'low', confidence: 'possible', ...at('src/z.ts') })
  expect(standingIds(run([old, low]))).toEqual(['C2', 'C1'])
})

test('ties: planes in their order, then path, line, rule and id', () => {
  expect(
    ids([
      finding('C10', at('src/b.ts')),
      finding('C9', at('src/a.ts')),
      finding('C3', { plane: 'contract', ...at('src/c.ts') }),
      finding('C2', { ...at('src/d.ts'), startLine: 3 }),
    ]),
  ).toEqual(['C3', 'C9', 'C10', 'C2'])
})
