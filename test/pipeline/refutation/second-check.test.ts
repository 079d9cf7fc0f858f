/** The second check: who is judged twice, what the second judge is not told, and what two judgements leave. */
import { describe, expect, test } from 'vitest'
import type { Refutation, RefutationOutcome } from '../../../src/domain/finding.ts'
import { joinChecks, needsSecondCheck, withoutWeight } from '../../../src/pipeline/refutation/second-check.ts'
import { wordsOf } from '../../helpers/scripted-gateway.ts'
import { answer, finding, guard, refute } from './world.ts'

const said = (outcome: RefutationOutcome, more: Partial<Refutation> = {}): Refutation => ({
  ...{ finding: 'C1', outcome, reason: `${outcome} it`, citations: [] },
  ...more,
})

describe('who is judged twice', () => {
  test.each([
    ['what is high and upheld', { severity: 'high' }, said('upheld'), true],
    ['what its author called critical', { lowered: { from: 'critical', why: '' } }, said('narrowed'), true],
    ['what the judge rates high', {}, said('upheld', { severity: 'high' }), true],
    ['what the judge could not settle', {}, said('undecided', { severity: 'medium' }), true],
    ['nothing that is medium and upheld', {}, said('upheld', { severity: 'medium' }), false],
    ['nothing that was called overstated', { severity: 'high' }, said('overstated'), false],
    ['nothing that is refuted', { severity: 'high' }, said('refuted'), false],
    ['nothing whose answer could not be read', {}, said('undecided'), false],
    [
      'nothing that code confirmed',
      { severity: 'high', verifiedBy: ['1 claim confirmed by tsc'] },
      said('upheld'),
      false,
    ],
    ['nothing that nobody judged', { severity: 'high' }, undefined, false],
  ] as const)('%s', (_name, changes, first, expected) => {
    expect(
      needsSecondCheck(
        finding({ ...changes, verifiedBy: [...('verifiedBy' in changes ? changes.verifiedBy : [])] }),
        first,
      ),
    ).toBe(expected)
  })
})

describe('what two judgements leave', () => {
  const outcomes = [
    'upheld',
    'narrowed',
    'overstated',
    'latent',
    'pre-existing',
    'undecided',
    'refuted',
  ] as const
  const firsts = ['upheld', 'narrowed', 'undecided'] as const
  test('it never takes away less than either, but for a dispute, which is open', () => {
    for (const first of firsts)
      for (const second of outcomes) {
        const joint = joinChecks(said(first), said(second)).outcome
        const more = outcomes[Math.max(outcomes.indexOf(first), outcomes.indexOf(second))]
        const expected =
          second === 'undecided' ? first : second === 'refuted' && first !== 'undecided' ? 'undecided' : more
        expect([first, second, joint]).toEqual([first, second, expected])
      }
  })
  test('of two severities the milder, and support only where both have it', () => {
    const high = said('upheld', { severity: 'high', beyond: true })
    expect(joinChecks(high, said('upheld', { severity: 'medium', beyond: true }))).toMatchObject({
      severity: 'medium',
      beyond: true,
    })
    expect(joinChecks(high, said('upheld', { severity: 'critical', beyond: false }))).toMatchObject({
      severity: 'high',
      beyond: false,
    })
    expect(joinChecks(high, said('undecided'))).toMatchObject({
      outcome: 'upheld',
      severity: 'high',
      beyond: false,
    })
  })
  test('a second check that did not come about changes nothing; any other is on record', () => {
    const first = said('upheld', { severity: 'high', beyond: true })
    expect(joinChecks(first, said('not-asked'))).toBe(first)
    expect(joinChecks(first, said('refuted', { severity: 'low' })).second).toEqual({
      outcome: 'refuted',
      reason: 'refuted it',
      severity: 'low',
    })
  })
})

test('words that weigh go, and names of code stay', () => {
  expect(withoutWeight('A critical race seriously corrupts `critical_section` of the major heap.')).toBe(
    'A race corrupts `critical_section` of the heap.',
  )
})

describe('the stage', () => {
  const severe = finding({ severity: 'high', explanation: 'A serious fault: `price` is undefined.' })
  test('a high finding that one judge upholds and another refutes is open, and medium', async () => {
    const ran = await refute(
      ({ address }) =>
        address.startsWith('refute/second/')
          ? answer('refuted', [guard])
          : answer('upheld', [guard], { severity: 'high' }),
      [severe],
    )
    expect([ran.asked, ran.again]).toEqual([['refute/C1'], ['refute/second/C1']])
    expect(ran.refutations).toMatchObject([{ outcome: 'undecided', second: { outcome: 'refuted' } }])
    expect(ran.verdicts[0]?.finding).toMatchObject({ severity: 'medium', confidence: 'possible' })
  })
  test('the second judge sees the same evidence in another order, no word that weighs, and nothing of the first', async () => {
    const { questions } = await refute(
      () => answer('upheld', [guard], { reason: 'A telling reason.', severity: 'high' }),
      [severe],
    )
    const [first = '', second = ''] = questions.map((question) => wordsOf({ ...question, instructions: [] }))
    expect(questions.map(({ apartFrom }) => apartFrom)).toEqual([undefined, expect.any(String)])
    expect(first).toContain('A serious fault')
    expect(second).toContain('A fault')
    expect(second).not.toMatch(/serious|A telling reason/)
    expect(second.split('\n').sort()).toEqual(first.replace('serious ', '').split('\n').sort())
    const order = (words: string) =>
      words.indexOf('The evidence') < words.indexOf('The relevant part of the diff')
    expect([order(first), order(second)]).toEqual([false, true])
  })
})
