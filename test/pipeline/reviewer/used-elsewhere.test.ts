/** A question shows the definitions that its files use of other files of the change, wherever these are asked about. */
import { expect, test } from 'vitest'
import { createFence } from '../../../src/base/untrusted/untrusted.ts'
import { defaultConfig } from '../../../src/config/schema.ts'
import { askReviewers } from '../../../src/pipeline/reviewer/ask-reviewers.ts'
import type { ReviewerInput } from '../../../src/pipeline/reviewer/contract.ts'
import { panelOf } from '../../../src/pipeline/reviewer/panel.ts'
import { scriptedGateway, wordsOf } from '../../helpers/scripted-gateway.ts'
import { contextOf, createWorld } from '../validation/world.ts'
import { wireAnswer } from './wire.ts'

const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `${word}(${at})\n`).join('')
const same = lines(40, 'same')
const treeOf = (word: string) => ({
  'src/prices/total.ts': `export const total = '${word} total'\n${lines(30, `${word}Price`)}${same}${lines(40, word)}`,
  'src/shop/cart.ts': lines(80, word),
})
const world = createWorld(treeOf('old'), treeOf('new'))
const total = { path: 'src/prices/total.ts', startLine: 1, endLine: 1 }
const uses = new Map([['src/shop/cart.ts', [total]]])

async function questionsOf(groupBytes: number, more: Partial<ReviewerInput>): Promise<string[]> {
  const gateway = scriptedGateway(() => wireAnswer())
  const outcome = await askReviewers({
    ...{ panel: panelOf('quick'), context: contextOf(world.change), candidates: [], gateway },
    ...{ head: world.head, facts: world.facts, fence: createFence('0123456789abcdef') },
    config: { ...defaultConfig, limits: { ...defaultConfig.limits, groupBytes } },
    ...{ mayAsk: async () => true, onEvent: () => {}, note: () => {}, signal: new AbortController().signal },
    ...more,
  })
  expect([...outcome.unread.keys()]).toEqual([])
  return gateway.questions.map(wordsOf)
}

const diffsIn = (question: string) => [...question.matchAll(/"diff of (\S+)"/g)].map(([, path]) => path)
const askedIn = (question: string) => /"files to look at"\n([\s\S]*?)\n>>>end/.exec(question)?.[1]

test('a change in two questions: the one with the use shows the hunk of the definition, and asks about its own files', async () => {
  const split = await questionsOf(5_000, { uses })
  expect(split.map(diffsIn).sort()).toEqual([
    ['src/prices/total.ts'],
    ['src/prices/total.ts', 'src/shop/cart.ts'],
  ])
  const cart = split.find((question) => askedIn(question) === 'src/shop/cart.ts') ?? ''
  expect(cart).toContain('new total')
  // What it is about is told before anything is shown.
  expect(cart.indexOf('"files to look at"')).toBeLessThan(cart.indexOf('"diff of'))
  expect(cart).not.toContain('same(30)')
  // As in a review that was told of the definition before.
  const [later = '', ...others] = await questionsOf(160_000, {
    uses,
    known: { files: new Set(['src/prices/total.ts']), findings: [] },
  })
  expect(others).toEqual([])
  expect(diffsIn(later)).toEqual(diffsIn(cart))
  // No room is left for what is used: the question is still about all of its own files.
  const several = [1, 11, 21, 72, 82, 92, 102].map((startLine) => ({
    ...total,
    startLine,
    endLine: startLine + 9,
  }))
  const tight = await questionsOf(3_500, { uses: new Map([['src/shop/cart.ts', several]]) })
  expect(tight.map(diffsIn).sort()).toEqual([['src/prices/total.ts'], ['src/shop/cart.ts']])
})

test('of a long definition that is used the first changed lines are shown, under their numbers', async () => {
  const long = { path: 'src/prices/total.ts', startLine: 1, endLine: 31 }
  const split = await questionsOf(5_000, { uses: new Map([['src/shop/cart.ts', [long]]]) })
  const cart = split.find((question) => askedIn(question) === 'src/shop/cart.ts') ?? ''
  const [, part = ''] = /"diff of src\/prices\/total.ts"\n([\s\S]*?)\n>>>end/.exec(cart) ?? []
  expect(part.match(/^@@.*$/gm)).toEqual(['@@ -1,10 +1,0 @@', '@@ -32,0 +1,10 @@'])
  expect(part.match(/^\[\w+#\w{3}\] .*$/gm)).toHaveLength(20)
})
