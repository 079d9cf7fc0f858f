/** When a suggested change is marked tested: the test that shows the finding passes with it, and nothing nearby is lost. */
import { expect, test } from 'vitest'
import type { TestRun } from '../../../src/domain/reproduction.ts'
import { testSuggestion } from '../../../src/pipeline/prove-finding.ts'
import { suggestionWords } from '../../../src/pipeline/publish/shown-test.ts'
import { aRun, reproductionOf } from './runs.ts'

const changed = new Map([['src/half.js', 'export const half = (n) => n / 2\n']])
const reproduction = reproductionOf('reproduced', { head: aRun('failed') })

type Answers = Record<string, TestRun>

async function tryWith(answers: Answers, neighbours: string[] = []) {
  const asked: string[] = []
  const texts: (string | null)[] = []
  const outcome = await testSuggestion({
    ...{ reproduction, changed, neighbours },
    run: async (run) => {
      const { address } = run
      asked.push(address)
      texts.push(run.changed.get('src/half.js') ?? null)
      return answers[address] ?? aRun('passed')
    },
  })
  return { outcome, asked, texts }
}

test('it is run twice with the suggested change', async () => {
  const { outcome, asked, texts } = await tryWith({})
  expect(outcome).toMatchObject({ outcome: 'tested', neighbours: [] })
  expect(asked).toEqual(['suggestion/run-1', 'suggestion/run-2'])
  expect(texts).toEqual([changed.get('src/half.js'), changed.get('src/half.js')])
  expect(outcome && suggestionWords(outcome)).toBe(
    'With the suggested change it passes, twice. No test nearby could be run.',
  )
})

test('nothing is said without a suggestion', async () => {
  const run = () => Promise.reject(new Error('nothing is run'))
  expect(await testSuggestion({ reproduction, changed: null, neighbours: [], run })).toBe(null)
})

const other = aRun('passed', { passed: ['another'] })

test.each<[string, Answers]>([
  ['the test still fails', { 'suggestion/run-1': aRun('failed') }],
  ['the test still fails', { 'suggestion/run-2': aRun('failed') }],
  ['node:test wrote no report', { 'suggestion/run-1': aRun('broken') }],
  ['another test passes', { 'suggestion/run-1': other }],
])('it is not enough: %s', async (why, answers) => {
  const { outcome } = await tryWith(answers, ['test/near.test.js'])
  expect(outcome).toMatchObject({ outcome: 'failed', why: `with it, ${why}`, neighbours: [] })
})

test('a test nearby that passed before and does not pass now is lost', async () => {
  const near = ['test/near.test.js', 'test/half.test.js']
  const { outcome } = await tryWith({ 'suggestion/near-1/after': aRun('failed') }, near)
  expect(outcome).toMatchObject({
    outcome: 'failed',
    neighbours: [
      { path: near[0], before: 'passed', after: 'passed', lost: null },
      { path: near[1], before: 'passed', after: 'failed', lost: 'half of six' },
    ],
  })
  expect(outcome && suggestionWords(outcome)).toContain('no longer passes')
})

test('a test nearby that fails anyway or cannot be run says nothing, and one that is repaired does no harm', async () => {
  const answers = {
    'suggestion/near-0/before': aRun('failed'),
    'suggestion/near-0/after': aRun('failed'),
    'suggestion/near-1/before': aRun('broken'),
    'suggestion/near-2/before': aRun('failed'),
  }
  const { outcome, asked } = await tryWith(answers, ['a', 'b', 'c'])
  expect(outcome).toMatchObject({ outcome: 'tested', neighbours: [{ path: 'a' }, { path: 'c' }] })
  expect(asked).not.toContain('suggestion/near-1/after')
})
