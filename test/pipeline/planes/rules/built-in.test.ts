/** Every built-in rule against its own snippets: silent on the valid ones, and one match at least on each invalid one. */
import { describe, expect, test } from 'vitest'
import { questionFor, wholeText } from '../../../../src/pipeline/planes/rules/engine/protocol.ts'
import { runQuestions } from '../../../../src/pipeline/planes/rules/engine/run-questions.ts'
import { builtInRules } from '../../../../src/pipeline/planes/rules/load-rules.ts'
import { languageIds } from '../../../../src/pipeline/planes/rules/rule.ts'

const signal = new AbortController().signal

test('every rule has a note, a message and snippets of both kinds, and an id of its own', () => {
  const rules = builtInRules()
  expect(rules.length).toBeGreaterThan(50)
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
  for (const { id, note, tests } of rules) {
    expect(note, id).not.toBe('')
    expect(tests.valid.length, id).toBeGreaterThan(0)
    expect(tests.invalid.length, id).toBeGreaterThan(0)
  }
})

describe.each(languageIds)('%s', (language) => {
  test('the rules match what they should and nothing else', async () => {
    const rules = builtInRules().filter((rule) => rule.languages.includes(language))
    const snippets = rules.flatMap((rule, position) => [
      ...rule.tests.valid.map((text) => ({ rule, position, text, wanted: false })),
      ...rule.tests.invalid.map((text) => ({ rule, position, text, wanted: true })),
    ])
    const { texts, refused } = await runQuestions(
      language,
      rules.map(questionFor),
      snippets.map(({ text }) => wholeText(text)),
      signal,
    )
    expect([...refused].map(([index, words]) => `${rules[index]?.id}: ${words}`)).toEqual([])
    const wrong = snippets.flatMap(({ rule, position, text, wanted }, index) => {
      const answer = texts[index]
      if (answer?.type !== 'matched') return [`${rule.id}: not searched: ${text}`]
      const isMatched = answer.matches.some(({ question }) => question === position)
      return isMatched === wanted ? [] : [`${rule.id} ${wanted ? 'misses' : 'matches'}: ${text}`]
    })
    expect(wrong).toEqual([])
  })
})
