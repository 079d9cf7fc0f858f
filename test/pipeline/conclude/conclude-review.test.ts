import { expect, test } from 'vitest'
import { defaultConfig } from '../../../src/config/schema.ts'
import { checkFailed } from '../../../src/domain/finding.ts'
import { Review } from '../../../src/domain/review.ts'
import { type ConclusionInput, concludeReview } from '../../../src/pipeline/conclude/conclude-review.ts'
import { sampleEvidence } from '../../helpers/sample-review.ts'
import { changed, codeSymbol, contextWith, fileChange, outcome, verdictOn } from './parts.ts'

const input: ConclusionInput = {
  version: '0.1.0',
  depth: 'offline',
  context: contextWith(
    { files: [fileChange('src/a.ts', { added: 900 }), fileChange('src/parse.ts')] },
    {
      symbols: [changed('removed', 'src/parse.ts', codeSymbol('parse'))],
      evidence: [sampleEvidence(), sampleEvidence({ id: 'E2' }), sampleEvidence({ id: 'E3' })],
    },
  ),
  verdicts: [
    verdictOn(),
    verdictOn(
      { id: 'C2', evidence: [{ evidence: 'E3', quote: 'parse' }] },
      { outcome: 'dropped', step: 'claims', finding: null },
    ),
  ],
  outcomes: [outcome('contract', { drafts: [1, 2] })],
  parseFailures: [],
  config: defaultConfig,
  run: { startedAt: new Date(0), stagesMs: { diff: 2, planes: 3 }, repository: 'demo\u001b[2J' },
}

test('a whole review follows from its parts and fits the schema', () => {
  const review = concludeReview(input)
  expect(Review.parse(review)).toEqual(review)
  expect(review).toMatchObject({
    conclusion: { word: 'REQUEST_CHANGES' },
    confidence: { score: null },
    coverage: { complete: true },
    run: { startedAt: '1970-01-01T00:00:00.000Z', durationMs: 5, repository: 'demo⟦U+001B⟧[2J' },
  })
  expect(review.findings.map(({ id }) => id)).toEqual(['C1'])
  expect(review.verdicts).toHaveLength(2)
})

test.each(['dropped', 'demoted'] as const)(
  'whose check failed is %s, and the review is incomplete',
  (how) => {
    const reason = `${checkFailed}: EIO: i/o error, fstat`
    const lost = verdictOn(
      { severity: 'low' },
      { outcome: how, reason, ...(how === 'dropped' ? { finding: null } : {}) },
    )
    const { coverage, conclusion } = concludeReview({ ...input, verdicts: [lost] })
    expect(coverage.complete).toBe(false)
    expect(coverage.planes).toMatchObject([
      { state: 'partly', reason: `1 possible finding could not be checked. ${reason}` },
    ])
    expect(conclusion).toMatchObject({
      word: 'INCOMPLETE',
      headline: expect.stringContaining('1 plane ran in part'),
    })
  },
)

test('a filter hides findings and decides nothing', () => {
  const shown = concludeReview(input)
  const filters = {
    minSeverity: { severity: 'critical' as const, by: '--min-severity critical' },
    planes: new Map(),
  }
  const hidden = concludeReview({ ...input, filters })
  expect(hidden.findings).toEqual([])
  expect(hidden.hidden).toHaveLength(shown.findings.length)
  expect([hidden.conclusion.word, hidden.confidence]).toEqual([shown.conclusion.word, shown.confidence])
})

test('evidence of dropped candidates stays, uncited evidence goes', () => {
  expect(concludeReview(input).evidence.map(({ id }) => id)).toEqual(['E1', 'E3'])
})

test('files with findings and reshaped symbols come before large ones', () => {
  expect(concludeReview(input).files.map(({ path, summary }) => `${path}: ${summary}`)).toEqual([
    'src/parse.ts: function `parse()` removed',
    'src/a.ts: 900 lines added, 1 removed',
  ])
})

test('the same input gives the same bytes, whatever the time', () => {
  const { run: _, ...first } = concludeReview(input)
  const { run: __, ...second } = concludeReview({ ...input, run: { ...input.run, startedAt: new Date(9) } })
  expect(JSON.stringify(second)).toBe(JSON.stringify(first))
})

test('what synthesis and second looks say goes into the review, and a look that was not made into its limits', () => {
  const refutation = {
    finding: 'C1',
    outcome: 'not-asked' as const,
    reason: 'beyond review.refutations',
    citations: [{ evidence: 'E2', quote: 'parse' }],
  }
  const signals = [
    { plane: 'contract', severity: 'high' as const, findings: 1, confidence: 'certain' as const },
  ]
  const review = concludeReview({ ...input, signals, refutations: [refutation], criteria: [] })
  expect(Review.parse(review)).toEqual(review)
  expect(review).toMatchObject({ signals, refutations: [refutation], criteria: [] })
  expect(review.coverage.limits).toEqual([
    '1 finding of a model was not checked independently: beyond review.refutations',
  ])
  expect(review.coverage.complete).toBe(true)
  expect(review.evidence.map(({ id }) => id)).toContain('E2')
})

test('without a model nothing is said of second looks or conflicts', () => {
  const keys = Object.keys(concludeReview(input))
  for (const key of ['refutations', 'conflicts', 'criteria', 'signals']) expect(keys).not.toContain(key)
})
