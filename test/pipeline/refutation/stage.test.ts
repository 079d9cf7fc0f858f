/** The stage as a whole: who is asked about what, in which order, and what a question holds. */
import { expect, test } from 'vitest'
import { Config } from '../../../src/config/schema.ts'
import type { Verdict } from '../../../src/domain/finding.ts'
import { bothReadersWords } from '../../../src/domain/proof.ts'
import type { Question } from '../../../src/llm/contract.ts'
import { estimateRefutation } from '../../../src/pipeline/refutation/estimate.ts'
import { labelsIn } from '../../helpers/judge-answer.ts'
import { scriptedGateway, wordsOf } from '../../helpers/scripted-gateway.ts'
import { verdictOn } from '../conclude/parts.ts'
import { contextOf, evidenceOf } from '../validation/world.ts'
import { answer, finding, guard, refute, world } from './world.ts'

const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    finding({ id: `C${at + 1}`, title: `Fault ${at + 1} of the first price` }),
  )

test('a question: evidence first, foreign words fenced, no severity and no confidence', async () => {
  const questions: Question<unknown>[] = []
  await refute(
    (asked) => {
      questions.push(asked)
      return answer('upheld')
    },
    [finding({ severity: 'critical', confidence: 'certain', rule: 'secret-rule' })],
  )
  const [question] = questions
  if (!question) throw new Error('nobody was asked')
  const { role, address, prompt, instructions, turns } = question
  expect([role, address, prompt]).toEqual(['judge', 'refute/C1', 'refute@7'])
  const words = wordsOf({ instructions: [], turns })
  const places = [
    'The relevant part of the diff:',
    'The evidence',
    'total(first(prices))',
    'The findings:',
    'What code verified about F1:',
    'Finding F1:',
    'Try to refute each by itself (F1)',
  ].map((part) => words.indexOf(part))
  expect(places.every((place) => place >= 0)).toBe(true)
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(words).toContain('prices.length === 0')
  expect(words).not.toMatch(/critical|certain|secret-rule/)
  const unfenced = words.replace(
    /<<<foreign 0123456789abcdef "[^\n]*"\n[\s\S]*?\n>>>end 0123456789abcdef/g,
    '',
  )
  expect(unfenced).not.toMatch(/src\/|prices|second price/)
  expect(instructions.map(({ text }) => text).join('')).not.toMatch(/prices|0123456789abcdef/)
})

test('a judge is not told that two readers agree', async () => {
  const held = ['every cited line is in the diff as cited', bothReadersWords]
  const { questions } = await refute(() => answer('upheld'), [finding({ reader: 'both', verifiedBy: held })])
  const [question] = questions
  if (!question) throw new Error('nobody was asked')
  expect(wordsOf(question)).toContain(held[0])
  expect(wordsOf(question)).not.toContain(bothReadersWords)
})

test('what one of two readers found is judged by half as much again as what both found', async () => {
  const names = ['b', 'c', 'd', 'e', 'f', 'g']
  const long = (name: string, at: number) => {
    const text = Array.from({ length: 200 }, (_, line) => `line ${line} of ${name}.ts, which is long`).join(
      '\n',
    )
    return evidenceOf(`src/${name}.ts`, 1, text, { id: `E${at + 1}` })
  }
  const bundle = contextOf(world.change, { evidence: names.map(long) })
  const evidence = names.map((name, at) => ({ evidence: `E${at + 1}`, quote: `line 7 of ${name}.ts` }))
  const isWhole = async (reader: 'first' | 'second' | 'both' | undefined) => {
    const asked = finding({ evidence, ...(reader ? { reader } : {}) })
    const { questions } = await refute(() => answer('upheld'), [asked], { context: bundle })
    return questions.map((one) => wordsOf(one).includes('line 8 of g.ts'))
  }
  expect(await isWhole('first')).toEqual([true])
  expect(await isWhole('second')).toEqual([true])
  expect(await isWhole('both')).toEqual([false])
  expect(await isWhole(undefined)).toEqual([false])
})

test('the word of another tool is asked about like that of a model', async () => {
  const { byModel: _, ...said } = finding({ byTool: 'ESLint', plane: 'linters' })
  const ran = await refute(() => answer('refuted', [guard]), [said])
  expect(ran.asked).toEqual(['refute/C1'])
  expect(ran.verdicts[0]).toMatchObject({ outcome: 'dropped', step: 'refutation' })
})

test('only findings of models that stand are asked about', async () => {
  const dropped: Verdict = {
    ...verdictOn({ id: 'C3', byModel: true }),
    outcome: 'dropped',
    step: 'anchor',
    finding: null,
  }
  const byCode = verdictOn({ id: 'C2' })
  const verdicts = [{ ...verdictOn(), candidate: finding(), finding: finding() }, byCode, dropped]
  const ran = await refute(() => answer('refuted', [guard]), [], { verdicts })
  expect(ran.asked).toEqual(['refute/C1'])
  expect(ran.verdicts.slice(1)).toEqual([byCode, dropped])
  expect(ran.refutations.map((one) => one.finding)).toEqual(['C1'])
})

test('beyond the cap nobody is asked: the gravest come first, and the rest is told', async () => {
  const findings = [
    finding({ id: 'C1', severity: 'low' }),
    finding({ id: 'C2', severity: 'medium', preExisting: true }),
    finding({ id: 'C10', severity: 'medium', title: 'Another' }),
    finding({ id: 'C9', severity: 'medium' }),
  ]
  const ran = await refute(() => answer('upheld'), findings, { review: { refutations: 2 } })
  expect(ran.asked).toEqual(['refute/C9+C10'])
  expect(ran.refutations.map(({ finding: id, outcome }) => `${id} ${outcome}`)).toEqual([
    'C1 not-asked',
    'C2 not-asked',
    'C10 upheld',
    'C9 upheld',
  ])
  expect(ran.refutations[0]?.reason).toBe('beyond review.refutations')
  const none = await refute(() => answer('upheld'), findings, { review: { refutations: 0 } })
  expect([none.asked, none.prompts]).toEqual([[], []])
})

test('without a judge every finding stands and says so', async () => {
  const ran = await refute(() => answer('refuted', [guard]), undefined, {
    gateway: (scripted) => ({ ...scripted, modelOf: () => null }),
  })
  expect(ran.refutations).toMatchObject([{ outcome: 'not-asked', reason: 'no model plays the judge' }])
  expect(ran.verdicts[0]?.finding).not.toBeNull()
})

test('waves of four, and the same result whichever answers first', async () => {
  const waves: number[] = []
  // Only what the answers leave open is asked about alone, in the next waves.
  const say = (question: Question<unknown>) => {
    const labels = labelsIn(wordsOf(question))
    const judged = labels.map((label, at) => ({
      finding: label,
      ...(at % 2 === 0 ? answer('refuted', [guard]) : answer('undecided', [guard])),
    }))
    return { judgements: labels.length > 1 ? judged.slice(1) : judged, look_ups: [] }
  }
  const run = (order: (index: number) => number) =>
    refute(say, numbered(24), {
      gateway: (scripted) => ({
        ...scripted,
        async askAll(questions) {
          waves.push(questions.length)
          return Promise.all(
            questions.map(async (question, index) => {
              await new Promise((resolve) => setTimeout(resolve, order(index)))
              return scripted.ask(question)
            }),
          )
        },
      }),
    })
  const [one, two] = [await run((index) => index * 5), await run((index) => 20 - index * 5)]
  expect(waves).toEqual([4, 4, 1, 1, 2, 2, 4, 4, 1, 1, 2, 2])
  expect(two.asked).not.toEqual(one.asked)
  for (const part of ['verdicts', 'refutations', 'context', 'events'] as const)
    expect(JSON.stringify(two[part])).toBe(JSON.stringify(one[part]))
  const done = one.events.flatMap((event) => (event.type === 'stage-progress' ? [event.done] : []))
  expect(done).toEqual([16, 20, 23, 24, 8, 10])
})

test('an abort ends the stage with its reason', async () => {
  const reason = new Error('enough')
  await expect(
    refute(() => answer('upheld'), undefined, {
      gateway: (scripted) => ({ ...scripted, askAll: () => Promise.reject(reason) }),
    }),
  ).rejects.toBe(reason)
})

test('the estimate: no more findings than the cap, in full questions, each asked again with all its look-ups, and twice', () => {
  const gateway = scriptedGateway(() => ({}))
  const config = (refutations: number) => Config.parse({ review: { refutations } })
  const both = estimateRefutation({ gateway, config: config(30), questions: 2 })
  // Two questions on five findings each.
  expect(both).toMatchObject({ calls: 8, outputTokens: 8 * 12_000 })
  expect(both?.inputTokens).toBeGreaterThan(8 * 18_000)
  expect(both?.usd).toBeCloseTo(0.8)
  expect(estimateRefutation({ gateway, config: config(7), questions: 9 })).toMatchObject({
    calls: 8,
    outputTokens: 4 * 12_000 + 4 * 7_500,
  })
  expect(estimateRefutation({ gateway, config: config(0), questions: 9 })).toBeNull()
  expect(
    estimateRefutation({ gateway: { ...gateway, modelOf: () => null }, config: config(9), questions: 9 }),
  ).toBeNull()
})
