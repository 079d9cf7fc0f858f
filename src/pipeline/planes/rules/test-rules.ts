/** Runs the snippets that rules carry in `tests`: what each must match, and what it must not. */

import { questionFor, wholeText } from './engine/protocol.ts'
import { runQuestions } from './engine/run-questions.ts'
import { formatProblem, readRules } from './format/read-rules.ts'
import { languageIds, type Rule } from './rule.ts'

export type RuleTest = {
  id: string
  place: Rule['place']
  /** Snippets that were run, each once for every language of the rule. */
  snippets: number
  /** What is wrong, one sentence each; empty when all is as it should be. */
  failures: string[]
}

/** `problems`: what could not be read, `FILE:LINE:COLUMN WORDS`. A rule without snippets is returned with 0 of them. */
export async function testRules(
  files: readonly { path: string; text: string }[],
  signal: AbortSignal,
): Promise<{ tests: RuleTest[]; problems: string[] }> {
  const read = files.map(({ path, text }) => readRules(text, path, false))
  const rules = read.flatMap((file) => file.rules)
  const results = new Map(
    rules.map((rule) => [rule, { id: rule.id, place: rule.place, snippets: 0, failures: [] as string[] }]),
  )
  for (const language of languageIds) {
    const spoken = rules.filter(({ languages }) => languages.includes(language))
    if (spoken.length > 0) await testLanguage(language, spoken, results, signal)
  }
  return {
    tests: [...results.values()],
    problems: read.flatMap(({ problems }) => problems.map(formatProblem)),
  }
}

async function testLanguage(
  language: string,
  rules: readonly Rule[],
  results: ReadonlyMap<Rule, RuleTest>,
  signal: AbortSignal,
): Promise<void> {
  const snippets = rules.flatMap((rule, position) => [
    ...rule.tests.valid.map((text) => ({ rule, position, text, isWanted: false })),
    ...rule.tests.invalid.map((text) => ({ rule, position, text, isWanted: true })),
  ])
  const { texts, refused } = await runQuestions(
    language,
    rules.map(questionFor),
    snippets.map(({ text }) => wholeText(text)),
    signal,
  )
  for (const [position, words] of refused) {
    const rule = rules[position]
    if (rule) results.get(rule)?.failures.push(`${language}: the rule cannot be used: ${words}`)
  }
  for (const [index, { rule, position, text, isWanted }] of snippets.entries()) {
    const result = results.get(rule)
    if (!result || refused.has(position)) continue
    result.snippets++
    const answer = texts[index]
    const isMatched =
      answer?.type === 'matched' && answer.matches.some(({ question }) => question === position)
    if (isMatched !== isWanted)
      result.failures.push(
        `${language}: ${isWanted ? 'no match, but it is listed as invalid' : 'a match, but it is listed as valid'}: ${text}`,
      )
  }
}
