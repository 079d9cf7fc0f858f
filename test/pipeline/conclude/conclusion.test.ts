import { describe, expect, test } from 'vitest'
import { upheldWords } from '../../../src/domain/proof.ts'
import type { Severity } from '../../../src/domain/severity.ts'
import { decideConclusion } from '../../../src/pipeline/conclude/conclusion.ts'
import { rateConfidence } from '../../../src/pipeline/conclude/confidence.ts'
import { sampleFinding } from '../../helpers/sample-review.ts'
import { coverageOf, verdictOn } from './parts.ts'

const incomplete = coverageOf({
  files: [
    { path: 'a.ts', state: 'reviewed', reason: null },
    { path: 'b.ts', state: 'not-reviewed', reason: 'too large' },
  ],
  planes: [{ plane: 'contract', state: 'failed', reason: 'x', candidates: 0 }],
  complete: false,
})

const decide = (severities: Severity[], coverage = coverageOf()) =>
  decideConclusion(
    severities.map((severity) => sampleFinding({ severity })),
    coverage,
  )

describe('conclusion', () => {
  test.each<[Severity[], string, string]>([
    [['low', 'critical'], 'REQUEST_CHANGES', '1 critical finding stands.'],
    [['high', 'high', 'medium'], 'REQUEST_CHANGES', '2 high and 1 medium findings stand.'],
    [['medium', 'low'], 'NEEDS_DISCUSSION', '1 medium finding stands.'],
    [
      ['low', 'low'],
      'APPROVE',
      'Only 2 low findings stand; all that the rules do not leave out was looked at.',
    ],
    [[], 'APPROVE', 'No finding stands; all that the rules do not leave out was looked at.'],
  ])('%j → %s', (severities, word, reason) => {
    expect(decide(severities)).toEqual({ word, reason })
  })

  test('what stood there before the change does not count', () => {
    const old = [sampleFinding({ severity: 'critical', preExisting: true })]
    expect(decideConclusion(old, coverageOf()).word).toBe('APPROVE')
  })

  test('an incomplete review is never green, and says what is missing', () => {
    expect(decide([], incomplete)).toEqual({
      word: 'NEEDS_DISCUSSION',
      reason:
        'No finding above low stands; the review is incomplete: 1 file not looked at and 1 plane failed.',
    })
    expect(decide(['high'], incomplete)).toMatchObject({
      word: 'REQUEST_CHANGES',
      reason: expect.stringContaining('incomplete'),
    })
    expect(decide([], coverageOf({ complete: false })).reason).toContain('a limit cut it short')
  })
})

describe('confidence', () => {
  test('offline it is at most 3, and says that no model looked', () => {
    expect(rateConfidence(coverageOf(), [], 'offline')).toEqual({
      score: 3,
      reasons: [
        expect.stringContaining('No model looked, so at most 3'),
        'The one changed file was looked at.',
      ],
    })
  })
  test('with a model a complete, confirmed review gets 5', () => {
    expect(rateConfidence(coverageOf(), [verdictOn()], 'standard')).toEqual({
      score: 5,
      reasons: ['The one changed file was looked at.', 'Every finding was confirmed by code.'],
    })
  })
  test('gaps, failed planes and open doubts cost one each, and a mostly unread change two', () => {
    const doubtful = [
      verdictOn({ confidence: 'possible' }),
      verdictOn({}, { outcome: 'demoted', step: 'claims' }),
    ]
    const score = (...args: Parameters<typeof rateConfidence>) => rateConfidence(...args).score
    expect(score(coverageOf(), doubtful, 'standard')).toBe(4)
    expect(score(incomplete, [], 'standard')).toBe(3)
    expect(score(incomplete, doubtful, 'standard')).toBe(2)
    expect(score(coverageOf(), doubtful, 'offline')).toBe(2)
    const unread = {
      ...incomplete,
      files: incomplete.files.map((file) => ({ ...file, state: 'not-reviewed' as const })),
    }
    expect(score(unread, doubtful, 'standard')).toBe(1)
    expect(score(unread, doubtful, 'offline')).toBe(1)
  })
  test('a model’s finding is open until code confirms it or a second look upholds it', () => {
    const rate = (verifiedBy: string[], outcome: 'upheld' | 'undecided' | 'not-asked', more = {}) =>
      rateConfidence(
        coverageOf(),
        [verdictOn({ id: 'C1', byModel: true, confidence: 'likely', verifiedBy, ...more })],
        'standard',
        [{ finding: 'C1', outcome, reason: '', citations: [] }],
      )
    expect(rate([upheldWords], 'upheld')).toEqual({
      score: 5,
      reasons: [
        'The one changed file was looked at.',
        'Every finding was confirmed by code, or held against a second look.',
      ],
    })
    expect(rate([], 'not-asked')).toMatchObject({
      score: 4,
      reasons: [
        expect.anything(),
        'Minus 1: 1 finding could not be confirmed in full (1 had no second look).',
      ],
    })
    expect(rate([], 'undecided', { confidence: 'possible' })).toMatchObject({
      score: 4,
      reasons: [
        expect.anything(),
        'Minus 1: 1 finding could not be confirmed in full (a second look could not decide 1).',
      ],
    })
    expect(rate(['1 claim confirmed by the code index'], 'not-asked').score).toBe(5)
    expect(rate(['1 claim confirmed by the text of the line'], 'not-asked').score).toBe(4)
    expect(rate([], 'not-asked', { preExisting: true }).score).toBe(5)
  })
  test('what the rules leave out does not count against it', () => {
    const excluded = coverageOf({ files: [{ path: 'x.lock', state: 'excluded', reason: 'lock file' }] })
    expect(rateConfidence(excluded, [], 'deep')).toEqual({
      score: 5,
      reasons: ['The rules leave every changed file out; there was nothing to look at.'],
    })
  })
})
