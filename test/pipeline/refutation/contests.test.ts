/** What a reviewer contests: what code decides, what a judge does, and what neither can take away. */
import { expect, test } from 'vitest'
import type { RaisedContest } from '../../../src/domain/contest.ts'
import type { Finding, Refutation, Verdict } from '../../../src/domain/finding.ts'
import { secondWitnessWords } from '../../../src/domain/proof.ts'
import { forJudge, settleContests, weighContests } from '../../../src/pipeline/refutation/settle-contests.ts'
import { wordsOf } from '../../helpers/scripted-gateway.ts'
import { contextOf, evidenceOf } from '../validation/world.ts'
import { answer, context as bare, finding, guard, refute, world } from './world.ts'

const guardLine = '  if (prices.length === 0) return 0'
const context = contextOf(world.change, {
  evidence: [
    ...bare.evidence,
    evidenceOf('src/a.ts', 4, guardLine, { id: 'E3' }),
    evidenceOf('src/d.ts', 1, 'const unrelated = 1', { id: 'E4' }),
  ],
})
const raised: RaisedContest = {
  finding: 'C1',
  reason: 'The guard returns first.',
  citations: [{ evidence: 'E3', quote: 'prices.length === 0' }],
}

/** A finding of code on line 5, likely, which the index alone confirmed. */
function byCode(overrides: Partial<Finding> = {}): Finding {
  const { byModel: _, ...own } = finding()
  const checks = { verifiedBy: ['1 claim confirmed by the code index'] }
  return { ...own, plane: 'new-code', rule: 'new-code/undefined-name', ...checks, ...overrides }
}

function verdictOf(one: Finding): Verdict {
  return { candidate: one, outcome: 'kept', step: 'kept', reason: '', finding: one }
}

function weigh(verdict: Verdict, more: Partial<RaisedContest> = {}, isSuspicious = false) {
  return weighContests({ raised: [{ ...raised, ...more }], verdicts: [verdict], context, isSuspicious })
}

const judged = (outcome: Refutation['outcome']): Refutation[] => [
  { finding: 'C1', outcome, reason: 'Because of the guard.', citations: [] },
]

function settle(one: Finding, refutations: readonly Refutation[]) {
  const { verdicts, contests } = settleContests(weigh(verdictOf(one)), [verdictOf(one)], refutations)
  return { verdict: verdicts[0], contest: contests[0] }
}

test.each([
  ['what a secret is no model decides', byCode({ plane: 'secrets', severity: 'high' }), {}, 'rejected'],
  ['hidden text neither', byCode({ plane: 'hidden-text', severity: 'high' }), {}, 'rejected'],
  ['nor orders to agents', byCode({ plane: 'instructions' }), {}, 'rejected'],
  ['nor what two witnesses say', byCode({ verifiedBy: [secondWitnessWords] }), {}, 'rejected'],
  ['nor what a compiler says', byCode({ verifiedBy: ['1 claim confirmed by tsc 5.9'] }), {}, 'rejected'],
  [
    'words that are not there',
    byCode(),
    { citations: [{ evidence: 'E3', quote: 'prices == 0' }] },
    'unfounded',
  ],
  ['evidence that is not there', byCode(), { citations: [{ evidence: 'E9', quote: 'prices' }] }, 'unfounded'],
  ['no quote at all', byCode(), { citations: [] }, 'unfounded'],
  [
    'words about something else',
    byCode(),
    { citations: [{ evidence: 'E4', quote: 'unrelated' }] },
    'unfounded',
  ],
  [
    'what the check quotes itself',
    byCode(),
    { citations: [{ evidence: 'E1', quote: 'first(prices)' }] },
    'unfounded',
  ],
] satisfies [string, Finding, Partial<RaisedContest>, string][])(
  'without a judge: %s',
  (_, one, more, outcome) => {
    const verdict = verdictOf(one)
    const weighed = weigh(verdict, more)
    expect(weighed.map(({ decided }) => decided?.outcome)).toEqual([outcome])
    expect(forJudge(weighed).size).toBe(0)
    // Even where a judge was asked for another reason, nothing changes.
    const settled = settleContests(weighed, [verdict], judged('refuted'))
    expect(settled.verdicts).toEqual([verdict])
    expect(settled.contests).toMatchObject([{ finding: 'C1', plane: one.plane, rule: one.rule, outcome }])
  },
)

test('a change that speaks to models contests nothing', () => {
  expect(weigh(verdictOf(byCode()), {}, true)).toMatchObject([{ decided: { outcome: 'rejected' } }])
})

test('what the tests of its claims dropped stays dropped, and the contest was right', () => {
  const verdict: Verdict = {
    ...verdictOf(byCode()),
    outcome: 'dropped',
    step: 'claims',
    reason: 'False',
    finding: null,
  }
  expect(weigh(verdict)).toMatchObject([
    { decided: { outcome: 'dropped', decidedBy: 'Its claims were tested again: False' } },
  ])
  expect(weigh({ ...verdict, step: 'limits' })).toMatchObject([{ decided: { outcome: 'rejected' } }])
})

test('findings of models are not contested, and several contests of one finding are one', () => {
  expect(weigh(verdictOf(finding()))).toEqual([])
  const twice = weighContests({
    raised: [{ ...raised, citations: [] }, raised],
    verdicts: [verdictOf(byCode())],
    context,
    isSuspicious: false,
  })
  expect([...forJudge(twice)]).toEqual([['C1', raised.citations]])
})

test('a judge refutes it: dropped with the reason, and kept as a label', () => {
  const { verdict, contest } = settle(byCode(), judged('refuted'))
  expect(verdict).toMatchObject({
    outcome: 'dropped',
    step: 'refutation',
    finding: null,
    reason: 'A reviewing model contested it. An independent check refuted it: Because of the guard.',
  })
  expect(contest).toEqual({
    ...raised,
    plane: 'new-code',
    rule: 'new-code/undefined-name',
    outcome: 'dropped',
    decidedBy: 'An independent check refuted it: Because of the guard.',
  })
})

test.each([
  ['refuted', 'high'],
  ['undecided', 'critical'],
  ['not-asked', 'high'],
  ['undecided', 'low'],
] as const)('not settled (%s): a %s finding is shown, marked and medium at most', (outcome, severity) => {
  const { verdict, contest } = settle(byCode({ severity }), judged(outcome))
  expect(contest?.outcome).toBe('open')
  expect(verdict).toMatchObject({ outcome: 'demoted', step: 'refutation' })
  expect(verdict?.finding).toMatchObject({
    severity: severity === 'low' ? 'low' : 'medium',
    confidence: 'possible',
    contested: raised.reason,
  })
  expect(verdict?.finding?.explanation).toMatch(
    /\n\nA reviewing model says that this is wrong, and nothing settled it: The guard returns first\.$/,
  )
  expect(verdict?.finding?.lowered?.from).toBe(severity === 'low' ? undefined : severity)
})

test.each(['upheld', 'narrowed', 'pre-existing'] as const)(
  'a judge says %s: it stands as it was',
  (outcome) => {
    const one = byCode({ severity: 'high', confidence: 'certain' })
    const { verdict, contest } = settle(one, judged(outcome))
    expect(verdict).toEqual(verdictOf(one))
    expect(contest).toMatchObject({
      outcome: 'rejected',
      decidedBy: 'An independent check upheld the finding: Because of the guard.',
    })
  },
)

test('a judge is asked about what is contested and sees the quoted lines, and not that it is contested', async () => {
  const one = byCode({ title: 'The price may be missing' })
  const verdicts = [verdictOf(one), verdictOf({ ...byCode(), id: 'C2' })]
  const contested = forJudge(weigh(verdictOf(one)))
  const ran = await refute(() => answer('refuted', [guard]), [], { verdicts, contested, context })
  expect(ran.asked).toEqual(['refute/C1'])
  const [question] = ran.questions
  const words = question ? wordsOf({ instructions: [], turns: question.turns }) : ''
  expect(words).toContain('"F1: a finding of a deterministic check"')
  expect(words).toContain(guardLine.trim())
  expect(words).not.toMatch(/contest|guard returns/)
  // What it means for the finding is for the contest to settle; what the index confirmed is no shield.
  expect(ran.verdicts).toEqual(verdicts)
  expect(ran.refutations).toMatchObject([{ finding: 'C1', outcome: 'refuted' }])
})
