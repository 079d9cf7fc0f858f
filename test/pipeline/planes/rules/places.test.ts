/** A search at some places of a text finds what a search of the whole text finds there. */
import { expect, test } from 'vitest'
import { type EngineMatch, questionFor } from '../../../../src/pipeline/planes/rules/engine/protocol.ts'
import { runQuestions } from '../../../../src/pipeline/planes/rules/engine/run-questions.ts'
import { builtInRules } from '../../../../src/pipeline/planes/rules/load-rules.ts'
import { languageIds } from '../../../../src/pipeline/planes/rules/rule.ts'
import { drawn, isWhole, seed } from '../../../helpers/matrix.ts'
import { Random } from '../../../helpers/random.ts'

const signal = new AbortController().signal
const limits = { startMs: 60_000, textMs: 60_000, totalMs: 600_000, mostMatches: 10_000 }

/** Everything that some rule is about, in blocks that are longer than what is searched as a whole. */
function textIn(language: string): string {
  const snippets = builtInRules()
    .filter((rule) => rule.languages.includes(language))
    .flatMap(({ tests }) => [...tests.invalid, ...tests.valid])
  if (language === 'python') {
    const body = snippets.flatMap((text) => text.split('\n').map((line) => `        ${line}`))
    return `class A:\n    def f(self):\n${body.join('\n')}\n\n${snippets.join('\n')}\n`
  }
  const all = snippets.join('\n')
  const calls = hasCallbacks.has(language) ? `${deep}, () => {\n${all}\n}) }) })\n` : ''
  return `function f() {\n  if (a) {\n${all}\n  }\n}\n${all}\n${calls}`
}

/** The first line of several long nodes, one inside the other, and of many short ones. */
const deep = "one('a', 1, () => { two('b', 2, () => { three('c', 3, 4, 5"
const hasCallbacks: ReadonlySet<string> = new Set(['javascript', 'typescript', 'tsx'])

test.each(drawn(languageIds))('%s', async (language) => {
  const random = new Random(seed)
  const rules = builtInRules().filter((rule) => rule.languages.includes(language))
  const text = textIn(language)
  const lines = text.split('\n').length
  const matchesAt = async (places: readonly number[] | null) => {
    // By itself, since the texts of a batch share what walks along siblings may cost.
    const asked = [{ text, places }]
    const { texts } = await runQuestions(language, rules.map(questionFor), asked, signal, limits)
    const [answer] = texts
    if (answer?.type !== 'matched') throw new Error('the text was not searched')
    expect(answer.skipped).toEqual([])
    return answer.matches
  }
  const whole = await matchesAt(null)
  expect(whole.length).toBeGreaterThan(rules.length)
  for (let draw = 0; draw < (isWhole ? 12 : 4); draw++) {
    const drawn = Array.from({ length: random.between(0, 5) }, () => random.between(2, 2 * lines))
    const first = text.split('\n').findIndex((line) => line.startsWith(deep)) + 1
    const nested = first > 0 && draw % 2 === 0 ? [2 * first] : []
    const places = [...new Set([...drawn, ...nested, 2 * random.pick(whole).startLine])].sort((a, b) => a - b)
    const isThere = ({ startLine, endLine }: EngineMatch) =>
      places.some((place) => place >= 2 * startLine && place <= 2 * endLine)
    expect(inOrder(await matchesAt(places)), `${places}`).toEqual(inOrder(whole.filter(isThere)))
  }
})

/** Two matches of a rule may begin on one line. */
function inOrder(matches: readonly EngineMatch[]): string[] {
  return matches.map((match) => JSON.stringify(match)).sort()
}
