/** What two readers say of the same files, put together. */
import { expect, test } from 'vitest'
import type { Question } from '../../../src/llm/contract.ts'
import type { WireFinding } from '../../../src/pipeline/reviewer/answer/schema.ts'
import { tagOfLine } from '../../helpers/scripted-gateway.ts'
import { readTwice, type Says } from './deep-stage.ts'
import { wireFinding, wireRequest } from './wire.ts'

const at = (question: Question<unknown>, changes: Partial<WireFinding> = {}) =>
  wireFinding({ tags: [tagOfLine(question, 'return 10')], ...changes })
const price = (question: Question<unknown>, changes: Partial<WireFinding> = {}) =>
  at(question, { title: 'The price is ten times too high', explanation: 'One item costs ten.', ...changes })

test('what both found is one finding, in the words of the one who says more, with all that the other shows', async () => {
  const { drafts, report } = await readTwice(
    (question) => ({
      findings: [
        price(question, {
          severity: 'medium',
          confidence: 'likely',
          evidence: [{ id: 'E1', quote: 'call(5)' }],
          remedy: 'Return one.',
          also_at: [{ file: 'src/b.ts', id: 'E1', quote: 'call(5)' }],
          claims: [{ kind: 'unused', path: 'src/a.ts', line: 1, name: 'one' }],
        }),
        at(question, { title: 'Only the first', category: 'tests' }),
      ],
    }),
    (question) => ({
      findings: [
        at(question, { title: 'Only the second', category: 'security' }),
        price(question, {
          title: 'A price is ten times too high',
          explanation: 'One item costs ten, so that whoever buys one item pays for ten of them.',
          severity: 'high',
          confidence: 'possible',
          evidence: [
            { id: 'E1', quote: 'call(5)' },
            { id: tagOfLine(question, 'return 10'), quote: 'return 10' },
          ],
          wrong_if: 'the price is in tenths',
          claims: [{ kind: 'unused', path: 'src/a.ts', line: 1, name: 'one' }],
        }),
      ],
    }),
  )
  expect(drafts.map(({ title, reader, plane }) => [title, reader, plane])).toEqual([
    ['A price is ten times too high', 'both', 'reviewer'],
    ['Only the first', 'first', 'reviewer'],
    ['Only the second', 'second', 'reviewer'],
  ])
  expect(drafts[0]).toMatchObject({
    explanation: 'One item costs ten, so that whoever buys one item pays for ten of them.',
    severity: 'high',
    confidence: 'likely',
    remedy: 'Return one.',
    wrongIf: 'the price is in tenths',
    claims: [{ kind: 'unused' }],
  })
  expect(drafts[0]?.alsoAt).toHaveLength(1)
  expect(drafts[0]?.evidence.map(({ quote }) => quote)).toEqual(['call(5)', 'return 10'])
  expect(report.groups.map(({ findings }) => findings)).toEqual([2, 1])
})

test('one line can have two problems: other words are another finding', async () => {
  const { drafts } = await readTwice(
    (question) => ({ findings: [price(question)] }),
    (question) => ({
      findings: [at(question, { title: 'Nobody rounds', explanation: 'Fractions of cents pile up.' })],
    }),
  )
  expect(drafts.map(({ reader }) => reader)).toEqual(['first', 'second'])
})

test('what one withdrew after its follow-up is no agreement, and what the other says stands', async () => {
  const withdraws: Says = (question) =>
    question.address.endsWith('/review')
      ? {
          findings: [price(question)],
          context_requests: [wireRequest({ file: 'src/b.ts', line_start: 1, line_end: 2 })],
        }
      : { verdicts: [{ finding: 'F1', verdict: 'dismissed', reason: 'ten is right' }] }
  const says: Says = (question) => ({ findings: [price(question)] })
  const states = async (first: Says, second: Says) =>
    (await readTwice(first, second)).drafts.map(({ reader, withdrawn = null }) => [reader, withdrawn])
  expect(await states(withdraws, says)).toEqual([
    ['first', 'ten is right'],
    ['second', null],
  ])
  expect(await states(says, withdraws)).toEqual([
    ['first', null],
    ['second', 'ten is right'],
  ])
})

test('the first tells the change; of questions and gaps the second adds what the first does not have', async () => {
  const question = { question: 'Is the price in cents?', file: 'src/a.ts', tag: '' }
  const gap = { file: 'src/b.ts', reason: 'its callers are not shown' }
  const step = (sentence: string) => [{ sentence, places: [] }]
  const contest = { finding: 'C1', evidence: [], reason: 'no' }
  const { walkthrough, questions, report } = await readTwice(
    () => ({
      walkthrough: step('It counts in tens.'),
      author_questions: [question],
      insufficient_context: [gap],
      contests: [contest],
    }),
    () => ({
      walkthrough: step('Once more.'),
      author_questions: [
        { ...question, question: 'Is this price in cents?' },
        { ...question, file: '', question: 'Who bills it?' },
      ],
      insufficient_context: [
        { ...gap, reason: 'callers' },
        { ...gap, file: 'src/c.ts' },
      ],
      contests: [contest],
    }),
  )
  expect(walkthrough.map(({ text }) => text)).toEqual(['It counts in tens.'])
  expect(questions.map(({ text }) => text)).toEqual(['Is the price in cents?', 'Who bills it?'])
  expect(report.insufficient.map(({ path }) => path)).toEqual(['src/b.ts', 'src/c.ts'])
  // There is no such finding, which both are told of.
  expect(report.unfit.map(({ address }) => address)).toEqual(['deep/group-1/first', 'deep/group-1/second'])
})

test('where the first does not tell the change, the second does', async () => {
  const { walkthrough } = await readTwice(
    () => ({}),
    () => ({ walkthrough: [{ sentence: 'It counts in tens.', places: [] }] }),
  )
  expect(walkthrough).toHaveLength(1)
})

test.each(['first', 'second'] as const)(
  'where the %s reader does not answer, the other stands, and coverage says so',
  async (silent) => {
    const speaks: Says = (question) => ({
      findings: [price(question)],
      walkthrough: [{ sentence: 'It counts.', places: [] }],
    })
    const declines: Says = () => ({ outcome: 'refused' })
    const other = silent === 'first' ? 'second' : 'first'
    const { drafts, coverage, unread, walkthrough, answered } = await readTwice(
      silent === 'first' ? declines : speaks,
      silent === 'first' ? speaks : declines,
    )
    expect(drafts.map(({ reader }) => reader)).toEqual([other])
    expect(walkthrough).toHaveLength(1)
    expect(answered).toBe(true)
    const missed = { reader: silent, state: 'failed', reason: 'refused: it was refused' }
    const ran = { reader: other, state: 'ran', reason: null }
    expect(coverage).toMatchObject({
      plane: 'reviewer',
      state: 'partly',
      reason: `${silent} reader: refused: it was refused`,
      readers: silent === 'first' ? [missed, ran] : [ran, missed],
    })
    const reason = `not read by the ${silent} reader: the model declined to review it`
    expect([...unread.values()]).toEqual([
      { state: 'partly', reason },
      { state: 'partly', reason },
    ])
  },
)

test('where neither answers, nothing is read; where nobody pays, nobody is asked', async () => {
  const declines: Says = () => ({ outcome: 'refused' })
  const none = await readTwice(declines, declines)
  expect(none.coverage.state).toBe('failed')
  expect([...none.unread.values()].map(({ state }) => state)).toEqual(['not-reviewed', 'not-reviewed'])
  const unpaid = await readTwice(declines, declines, { mayAsk: async () => false })
  expect([unpaid.coverage.state, unpaid.asked]).toEqual(['skipped', []])
})
