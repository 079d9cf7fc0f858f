/** Which of two tellings is the stronger one, and what the merged finding remembers of both. */
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../src/domain/finding.ts'
import { compareSupport, mergeFindings } from '../../src/domain/merge-findings.ts'
import { bothReadersWords } from '../../src/domain/proof.ts'
import { sampleFinding } from '../helpers/sample-review.ts'

const telling = (overrides: Partial<Finding> = {}): Finding =>
  sampleFinding({ byModel: true, severity: 'medium', confidence: 'likely', verifiedBy: [], ...overrides })
const capped = (from: 'critical' | 'high', overrides: Partial<Finding> = {}): Finding =>
  telling({ lowered: { from, why: `severity capped at medium, from ${from}` }, ...overrides })

test('two readers who say the same agree, one who says it twice does not', () => {
  const by = (reader: 'first' | 'second' | 'both') => telling({ reader })
  const agreed = { reader: 'both', verifiedBy: [bothReadersWords] }
  expect(mergeFindings(by('first'), by('second'))).toMatchObject(agreed)
  expect(mergeFindings(by('second'), telling({ ...agreed, reader: 'both' }))).toMatchObject(agreed)
  expect(mergeFindings(by('first'), by('first'))).toMatchObject({ reader: 'first', verifiedBy: [] })
  expect(mergeFindings(telling(), by('second')).verifiedBy).toEqual([])
})

describe('severities that were capped', () => {
  test('the telling that its author called worse is the stronger one', () => {
    const certain = { confidence: 'certain' } as const
    expect(compareSupport(capped('critical'), telling(certain))).toBeLessThan(0)
    expect(compareSupport(capped('high', certain), capped('critical'))).toBeGreaterThan(0)
    expect(compareSupport(capped('critical'), telling({ severity: 'high' }))).toBeGreaterThan(0)
  })
  test('the higher one is remembered, whichever telling had it', () => {
    for (const [winner, other] of [
      [capped('high'), capped('critical')],
      [capped('critical'), capped('high')],
      [telling(), capped('critical')],
      [telling({ severity: 'high' }), capped('critical')],
    ] as const) {
      const merged = mergeFindings(winner, other)
      expect(merged.severity).toBe(winner.severity)
      expect(merged.lowered?.from).toBe('critical')
    }
  })
  test('one that is not above what the merged finding has is forgotten', () => {
    expect(mergeFindings(telling({ severity: 'high' }), capped('high'))).not.toHaveProperty('lowered')
    expect(mergeFindings(telling({ byModel: false }), capped('critical'))).not.toHaveProperty('lowered')
  })
})
