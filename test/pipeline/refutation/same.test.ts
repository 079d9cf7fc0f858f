/** Two findings that a judge calls one are told once, with what both bring; what may not be one stays two. */
import { expect, test } from 'vitest'
import type { Finding } from '../../../src/domain/finding.ts'
import { bothReadersWords } from '../../../src/domain/proof.ts'
import type { Question } from '../../../src/llm/contract.ts'
import { labelOf } from '../../helpers/judge-answer.ts'
import { wordsOf } from '../../helpers/scripted-gateway.ts'
import { answer, finding, guard, refute } from './world.ts'

const told = finding({ id: 'C1', title: 'The second price is taken', reader: 'first' })
const retold = finding({
  id: 'C2',
  title: 'A list of one price has no price',
  explanation: 'What comes back is not a number.',
  severity: 'low',
  reader: 'second',
  evidence: [{ evidence: 'E2', quote: 'unseen()' }],
})

/** Upholds both, and calls the later one the same as the earlier. */
const joining = (question: Question<unknown>) => joinAll(question, [told, retold])

function joinAll(question: Question<unknown>, all: readonly Finding[]): object {
  const labels = all.flatMap(({ title }) => labelOf(wordsOf(question), title) ?? []).sort()
  const judgements = labels.map((label, at) => ({
    finding: label,
    ...answer('upheld', [{ ...guard, bears: 'for' }]),
    same_as: at === 0 ? '' : labels[0],
  }))
  return { judgements, look_ups: [] }
}

const standing = ({ verdicts }: Awaited<ReturnType<typeof refute>>): Finding[] =>
  verdicts.flatMap((verdict) => verdict.finding ?? [])

test('the stronger telling stays, in its own words, with the evidence of both and the word of both readers', async () => {
  const ran = await refute(joining, [told, retold])
  expect(ran.asked).toEqual(['refute/C1+C2'])
  expect(standing(ran)).toMatchObject([
    {
      ...{ id: 'C1', title: told.title, explanation: told.explanation, severity: 'medium', reader: 'both' },
      verifiedBy: expect.arrayContaining([bothReadersWords]),
      evidence: [...told.evidence, ...retold.evidence],
    },
  ])
  expect(ran.verdicts[1]).toMatchObject({
    ...{ outcome: 'dropped', step: 'duplicates', finding: null },
    reason: 'It is the same as C1, says an independent check',
  })
  // What was said of each is kept on record.
  expect(ran.refutations.map(({ finding: id, outcome }) => `${id} ${outcome}`)).toEqual([
    'C1 upheld',
    'C2 upheld',
  ])
})

test('the weaker telling goes also where it comes first', async () => {
  const ran = await refute(joining, [
    { ...told, severity: 'low' },
    { ...retold, severity: 'medium' },
  ])
  expect(standing(ran).map(({ id, title }) => `${id} ${title}`)).toEqual([`C2 ${retold.title}`])
})

test.each([
  ['a finding of code', { byModel: undefined }],
  ['a problem from before the change', { preExisting: true }],
  ['a finding in another file', { anchor: { path: 'src/b.ts', tags: [] } }],
])('%s stays apart, whatever a judge says', async (_, other) => {
  const apart = { ...told, ...other } as Finding
  const ran = await refute(joining, [apart, retold])
  expect(standing(ran)).toHaveLength(2)
})

test('a place that it names itself makes another file common', async () => {
  const places = [
    { path: 'src/b.ts', side: 'new' as const, startLine: 9, endLine: 9, quote: 'first(prices)' },
  ]
  const apart = { ...told, anchor: { path: 'src/b.ts', tags: [] }, places: [] }
  const ran = await refute(joining, [apart, { ...retold, places } as unknown as Finding])
  expect(standing(ran)).toHaveLength(1)
})

test('much the same words do so too, and the other place is shown', async () => {
  const elsewhere = {
    ...retold,
    title: 'Of the prices the second is taken',
    explanation: told.explanation,
  } as Finding
  const anchor = { path: 'src/b.ts', tags: [] }
  const both = [told, { ...elsewhere, anchor }]
  const ran = await refute((question) => joinAll(question, both), both)
  expect(standing(ran)).toMatchObject([
    { id: 'C1', places: [{ path: 'src/b.ts', startLine: retold.startLine }] },
  ])
})

test('other lines of the file are a further place, with the words that stand there', async () => {
  const excerpt = (['context', 'removed', 'added', 'added'] as const).map((kind, at) => ({
    kind,
    old: kind === 'added' ? null : 38 + at,
    new: kind === 'removed' ? null : [39, 0, 40, 41][at],
    text: `line ${at}`,
  }))
  const anchor = { ...retold.anchor, tags: ['L40#abc'] }
  const below = { ...retold, startLine: 40, endLine: 41, anchor, excerpt } as unknown as Finding
  const ran = await refute(joining, [told, below])
  expect(standing(ran)).toMatchObject([
    { id: 'C1', places: [{ path: told.anchor.path, startLine: 40, endLine: 41, quote: 'line 2\nline 3' }] },
  ])
})

test('nobody is the same as a later finding, as itself or as one that is not there', async () => {
  for (const same of ['F2', 'F1', 'F9', 'C1']) {
    const say = (question: Question<unknown>) => ({
      judgements: [
        { finding: labelOf(wordsOf(question), told.title), ...answer('upheld'), same_as: same },
        { finding: labelOf(wordsOf(question), retold.title), ...answer('upheld'), same_as: '' },
      ],
      look_ups: [],
    })
    expect(standing(await refute(say, [told, retold]))).toHaveLength(2)
  }
})

const confirmed = '1 claim confirmed by the code index'

test('what code confirmed is no part of something else on the word of a judge, who could not refute it either', async () => {
  const verifiedBy = [...retold.verifiedBy, confirmed]
  const apart = { anchor: { path: 'src/a.ts', tags: [] }, startLine: 40, endLine: 40 }
  const ran = await refute(joining, [told, { ...retold, ...apart, verifiedBy }])
  expect(standing(ran).map(({ id }) => id)).toEqual(['C1', 'C2'])
  // Nor does another one get the word of code for what it says elsewhere.
  expect(standing(ran)[0]?.verifiedBy).not.toContain(confirmed)
  const near = await refute(joining, [told, { ...retold, verifiedBy }])
  expect(standing(near).map(({ id }) => id)).toEqual(['C1'])
})
