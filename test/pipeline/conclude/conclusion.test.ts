import { describe, expect, test } from 'vitest'
import { decideConclusion, type Judged } from '../../../src/domain/conclusion.ts'
import type { GroupOutcome, ReviewGroup } from '../../../src/domain/model-report.ts'
import { upheldWords } from '../../../src/domain/proof.ts'
import type { Severity } from '../../../src/domain/severity.ts'
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

const judged: Judged = { findings: [], hidden: [], coverage: coverageOf(), looked: true, groups: [] }
const decide = (severities: Severity[], more: Partial<Judged> = {}) =>
  decideConclusion({
    ...judged,
    findings: severities.map((severity) => sampleFinding({ severity })),
    ...more,
  })
const group = (outcome: GroupOutcome, reason: string | null = null): ReviewGroup => ({
  address: 'quick/group-1/review',
  files: ['a.ts'],
  outcome,
  reason,
  findings: 0,
  usd: 0,
})
const noModel = 'Code checks only; no model reviewed this change.'

describe('conclusion', () => {
  test.each<[Severity[], string, string]>([
    [['low', 'critical'], 'REQUEST_CHANGES', 'REQUEST_CHANGES: 1 critical and 1 low findings.'],
    [['high'], 'REQUEST_CHANGES', 'REQUEST_CHANGES: 1 high finding.'],
    [['medium', 'low', 'low'], 'NEEDS_DISCUSSION', 'NEEDS_DISCUSSION: 1 medium and 2 low findings.'],
    [['low', 'low'], 'APPROVE', 'APPROVE: 2 low findings.'],
    [[], 'APPROVE', 'APPROVE: no findings.'],
  ])('%j, read by a model → %s', (severities, word, headline) => {
    expect(decide(severities)).toEqual({ word, headline, notices: [] })
  })

  test.each<[Severity[], string, string]>([
    [['high'], 'REQUEST_CHANGES', `REQUEST_CHANGES: 1 high finding. ${noModel}`],
    [['low'], 'CHECKS_ONLY', `1 low finding. ${noModel}`],
    [[], 'CHECKS_ONLY', `No findings. ${noModel}`],
  ])('%j, checked by code alone → %s', (severities, word, headline) => {
    expect(decide(severities, { looked: false })).toEqual({ word, headline, notices: [] })
  })

  test('what stood there before the change does not count', () => {
    const findings = [sampleFinding({ severity: 'critical', preExisting: true })]
    expect(decideConclusion({ ...judged, findings })).toMatchObject({
      word: 'APPROVE',
      headline: 'APPROVE: no new findings.',
    })
  })

  test('an incomplete review is never green, and says what is missing', () => {
    expect(decide([], { coverage: incomplete })).toEqual({
      word: 'INCOMPLETE',
      headline: 'Incomplete: 1 file not reviewed and 1 plane failed. No findings so far.',
      notices: [],
    })
    expect(decide(['high'], { coverage: incomplete })).toMatchObject({
      word: 'REQUEST_CHANGES',
      headline: 'REQUEST_CHANGES: 1 high finding. Incomplete: 1 file not reviewed and 1 plane failed.',
    })
    expect(decide([], { coverage: coverageOf({ complete: false }) }).headline).toContain(
      'a limit cut the review short',
    )
    const planes = [
      { plane: 'intent', state: 'left-out', reason: 'left out by --skip intent', candidates: 0 } as const,
    ]
    expect(decide([], { coverage: coverageOf({ planes, complete: false }) }).headline).toBe(
      'Incomplete: intent left out by --skip intent. No findings so far.',
    )
  })

  test('where no file counts, nothing was reviewed, and the reason is told', () => {
    expect(decide([], { coverage: coverageOf({ files: [] }), looked: false })).toMatchObject({
      word: 'NOTHING_REVIEWED',
      headline: 'Nothing reviewed: the change is empty.',
    })
    const files = ['a', 'b'].map((path) => ({ path, state: 'excluded' as const, reason: 'lock file' }))
    const headlineOf = (left: typeof files) => decide([], { coverage: coverageOf({ files: left }) }).headline
    expect(headlineOf(files)).toBe('Nothing reviewed: all 2 changed files were left out by rule (lock file).')
    expect(headlineOf(files.slice(1))).toBe(
      'Nothing reviewed: the changed file was left out by rule (lock file).',
    )
    // A finding on such a file is still a finding.
    expect(decide(['high'], { coverage: coverageOf({ files }) }).word).toBe('REQUEST_CHANGES')
  })

  test('hidden findings are counted by filter', () => {
    const hide = (id: string, severity: Severity, by: string) => ({ id, severity, preExisting: false, by })
    const hidden = [
      hide('C1', 'high', '--min-severity critical'),
      hide('C2', 'high', '--skip rules'),
      hide('C3', 'low', '--skip rules'),
    ]
    expect(decide(['high', 'high', 'low'], { hidden }).notices).toEqual([
      '1 high finding hidden by --min-severity critical.',
      '1 high and 1 low findings hidden by --skip rules.',
    ])
  })

  test('a model that could not be asked is told in full, with the way to find out', () => {
    const reason = 'a/one: it answered 401: invalid x-api-key\nb/two: it answered 400: no such field'
    const groups = [group('failed', reason), group('failed', reason)]
    expect(decide([], { coverage: coverageOf({ complete: false }), looked: false, groups })).toEqual({
      word: 'INCOMPLETE',
      headline: 'Incomplete: no model was available. No findings so far.',
      notices: [
        'No model was available: a/one: it answered 401: invalid x-api-key',
        'No model was available: b/two: it answered 400: no such field',
        expect.stringContaining('`sightline doctor`'),
      ],
    })
    const partly = [group('answered'), group('failed', 'a/one: it answered 500')]
    const seen = decide([], { coverage: incomplete, groups: partly })
    expect(seen.headline).toContain('1 file not reviewed')
    expect(seen.notices[0]).toBe('Part of the change could not be sent to a model: a/one: it answered 500')
  })

  test.each<[GroupOutcome, string]>([
    ['refused', 'the model declined to review the change'],
    ['truncated', 'the answer of the model was cut off'],
    ['unusable', 'the answer of the model could not be read'],
    ['over-budget', 'the budget did not allow a model to read the change'],
    ['declined', 'the cost was declined, so no model was asked'],
  ])('%s: %s', (outcome, words) => {
    const coverage = coverageOf({ complete: false })
    const { headline } = decide([], { coverage, looked: false, groups: [group(outcome, 'x')] })
    expect(headline).toBe(`Incomplete: ${words}. No findings so far.`)
  })
})

describe('confidence', () => {
  test('where no model read the change there is no grade', () => {
    expect(rateConfidence(coverageOf(), [], 'offline')).toEqual({
      score: null,
      reasons: [expect.stringContaining('No model read the change')],
    })
  })
  test('with a model a complete, confirmed review gets 5', () => {
    expect(rateConfidence(coverageOf(), [verdictOn()], 'standard')).toEqual({
      score: 5,
      reasons: ['The changed file was reviewed.', 'Every finding was confirmed by code.'],
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
    const unread = {
      ...incomplete,
      files: incomplete.files.map((file) => ({ ...file, state: 'not-reviewed' as const })),
    }
    expect(score(unread, doubtful, 'standard')).toBe(1)
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
        'The changed file was reviewed.',
        'Every finding was confirmed by code or passed an independent check.',
      ],
    })
    expect(rate([], 'not-asked')).toMatchObject({
      score: 4,
      reasons: [
        expect.anything(),
        'Minus 1: 1 finding could not be confirmed in full (1 not checked independently).',
      ],
    })
    expect(rate([], 'undecided', { confidence: 'possible' })).toMatchObject({
      score: 4,
      reasons: [
        expect.anything(),
        'Minus 1: 1 finding could not be confirmed in full (an independent check could not decide 1).',
      ],
    })
    expect(rate(['1 claim confirmed by the code index'], 'not-asked').score).toBe(5)
    expect(rate(['1 claim confirmed by the text of the line'], 'not-asked').score).toBe(4)
    expect(rate([], 'not-asked', { preExisting: true }).score).toBe(5)
    // A severity that code could not confirm is settled by whoever upholds the finding and rates it.
    const capped = { id: 'C1', byModel: true, confidence: 'likely' } as const
    const scoreOf = (verifiedBy: string[]) =>
      rateConfidence(
        coverageOf(),
        [verdictOn({ ...capped, verifiedBy }, { outcome: 'demoted', step: 'claims' })],
        'standard',
      ).score
    expect([scoreOf([upheldWords]), scoreOf([])]).toEqual([5, 4])
  })
  test('what the rules leave out does not count against it', () => {
    const excluded = coverageOf({ files: [{ path: 'x.lock', state: 'excluded', reason: 'lock file' }] })
    expect(rateConfidence(excluded, [], 'deep')).toEqual({
      score: 5,
      reasons: ['Rules exclude every changed file, so there was nothing to review.'],
    })
  })
})
