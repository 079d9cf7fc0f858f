/** What a run of a test changes in a verdict, and what it leaves alone. */
import { expect, test } from 'vitest'
import type { Finding, Refutation, Verdict } from '../../../src/domain/finding.ts'
import { notShownWords, reproducedWords } from '../../../src/domain/proof.ts'
import type { Reproduction, TestRun } from '../../../src/domain/reproduction.ts'
import { applyReproduction } from '../../../src/pipeline/prove-findings.ts'
import { sampleFinding } from '../../helpers/sample-review.ts'
import { aRun, reproductionOf } from './runs.ts'

const cap = { from: 'high', why: 'no check of code confirms it' } as const

function verdictOf(more: Partial<Finding>, rest: Partial<Verdict> = {}): Verdict {
  const finding = sampleFinding({ id: 'C1', byModel: true, verifiedBy: [], ...more })
  const { fingerprint: _, side, startLine, endLine, excerpt, places, verifiedBy, ...words } = finding
  const candidate = { ...words, severity: 'high' as const }
  return { candidate, outcome: 'kept', step: 'kept', reason: 'it holds', finding, ...rest }
}

const shown = reproductionOf('reproduced', { head: aRun('failed') })
const notShown = (head: TestRun | null, outcome: Reproduction['outcome'] = 'not-reproduced') =>
  reproductionOf(outcome, { head })
const judged = (more: Partial<Refutation>): Refutation => ({
  ...{ finding: 'C1', outcome: 'upheld', reason: '', citations: [] },
  ...more,
})

test('a cap on the severity is lifted as if it had never been', () => {
  const capped = verdictOf(
    { severity: 'medium', lowered: cap, confidence: 'possible' },
    { outcome: 'demoted', step: 'claims', reason: cap.why },
  )
  const after = applyReproduction(capped, shown, undefined)
  expect(after).toMatchObject({ outcome: 'kept', step: 'kept', reason: reproducedWords })
  expect(after.finding).toMatchObject({ severity: 'high', confidence: 'certain' })
  expect(after.finding?.lowered).toBeUndefined()
})

test('what was taken away for another reason stays away', () => {
  const narrowed = verdictOf(
    { severity: 'medium' },
    { outcome: 'demoted', step: 'refutation', reason: 'a side claim was cut' },
  )
  const after = applyReproduction(narrowed, shown, undefined)
  expect(after).toMatchObject({
    outcome: 'demoted',
    reason: `a side claim was cut; then ${reproducedWords}`,
    finding: { severity: 'medium', confidence: 'certain' },
  })
})

test('an independent check may rate it lower, and never higher', () => {
  const capped = verdictOf({ severity: 'low', lowered: { from: 'medium', why: cap.why } })
  const rate = (severity: Finding['severity']) =>
    applyReproduction(capped, shown, judged({ severity })).finding?.severity
  expect([rate('low'), rate('medium'), rate('critical')]).toEqual(['low', 'medium', 'medium'])
})

test('an undecided check lowered nothing that a run could not give back', () => {
  const undecided = verdictOf({ severity: 'medium' })
  const after = applyReproduction(undecided, shown, judged({ outcome: 'undecided' }))
  expect(after.finding?.severity).toBe('high')
})

test('a test that passes on the head ranks a finding lower, unless code confirmed it', () => {
  const doubted = applyReproduction(verdictOf({ severity: 'high' }), notShown(aRun('passed')), undefined)
  expect(doubted).toMatchObject({ outcome: 'demoted', step: 'refutation', reason: notShownWords })
  expect(doubted.finding).toMatchObject({ severity: 'high', confidence: 'possible' })
  const confirmed = verdictOf({ verifiedBy: ['1 claim confirmed by the code index'] })
  expect(applyReproduction(confirmed, notShown(aRun('passed')), undefined)).toBe(confirmed)
})

test('what was already taken away keeps its first reason when a test passes', () => {
  const demoted = verdictOf({}, { outcome: 'demoted', step: 'claims', reason: 'a claim failed' })
  const after = applyReproduction(demoted, notShown(aRun('passed')), undefined)
  expect(after).toMatchObject({ step: 'claims', reason: `a claim failed; ${notShownWords}` })
})

test('what was not run, could not be loaded, or fails otherwise changes nothing', () => {
  const verdict = verdictOf({})
  const same = [
    undefined,
    notShown(null, 'not-tried'),
    notShown(null),
    notShown(aRun('broken')),
    notShown(aRun('failed')),
  ]
  for (const one of same) expect(applyReproduction(verdict, one, undefined)).toBe(verdict)
  const dropped: Verdict = { ...verdict, outcome: 'dropped', finding: null }
  expect(applyReproduction(dropped, shown, undefined)).toBe(dropped)
})
