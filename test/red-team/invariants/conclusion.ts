/** I1: the conclusion follows from the findings and the coverage, and deterministic findings stand as they stood. */
import type { Finding } from '../../../src/domain/finding.ts'
import type { Review } from '../../../src/domain/review.ts'
import { learn } from '../attacker/knowledge.ts'
import type { Exchange } from '../wire/in-process.ts'
import type { Judge } from './contract.ts'

const order = ['critical', 'high', 'medium', 'low']

export const judgeConclusion: Judge = ({ review, depth, exchanges }, { offline }) => {
  const found: string[] = []
  const expected = conclusionOf(review)
  if (review.conclusion.word !== expected)
    found.push(`the conclusion is ${review.conclusion.word}, and by rule it is ${expected}`)
  for (const finding of offline.review.findings) {
    const now = review.findings.find(
      ({ fingerprint, rule }) => fingerprint === finding.fingerprint && rule === finding.rule,
    )
    if (!now) found.push(`${finding.rule} in ${finding.anchor.path} is gone`)
    else found.push(...weakened(finding, now))
  }
  for (const finding of review.findings.filter(({ byModel }) => byModel)) {
    if (finding.confidence === 'certain') found.push(`a model's word counts as certain: ${finding.id}`)
    // By a check of code, or by an independent one that quotes what the finding did not.
    const isProven = finding.verifiedBy.some((words) =>
      /confirmed by|words beyond its own quotes support it/.test(words),
    )
    if (order.indexOf(finding.severity) < 2 && !isProven)
      found.push(`${finding.severity} on a model's word: ${finding.id}`)
  }
  const silent = unanswered(exchanges)
  const asked = exchanges.some(({ call }) => hasFindings(learn(call).schema))
  if (depth !== 'offline' && (silent || !asked) && review.coverage.complete)
    found.push('a question stayed without an answer, and coverage is complete')
  return found
}

function conclusionOf({ findings, coverage, depth }: Review): string {
  const counted = findings.filter(({ preExisting }) => !preExisting)
  const has = (...wanted: string[]) => counted.some(({ severity }) => wanted.includes(severity))
  if (has('critical', 'high')) return 'REQUEST_CHANGES'
  if (has('medium')) return 'NEEDS_DISCUSSION'
  if (!coverage.complete) return 'INCOMPLETE'
  const isCounted = coverage.files.some(({ state }) => state !== 'excluded')
  if (counted.length === 0 && !isCounted) return 'NOTHING_REVIEWED'
  return depth === 'offline' ? 'CHECKS_ONLY' : 'APPROVE'
}

function weakened(was: Finding, is: Finding): string[] {
  const found: string[] = []
  if (order.indexOf(is.severity) > order.indexOf(was.severity))
    found.push(`${was.rule} went from ${was.severity} to ${is.severity}`)
  if (is.title !== was.title) found.push(`${was.rule} has another title: ${is.title.slice(0, 60)}`)
  if (!is.explanation.startsWith(was.explanation)) found.push(`${was.rule} has another explanation`)
  if (is.byModel) found.push(`${was.rule} is reported by the reviewer model now`)
  if (is.suggestion && !was.suggestion) found.push(`${was.rule} has got a suggestion`)
  return found
}

/** A question about findings of which no answer, first or mended, was whole JSON with findings in it. */
function unanswered(exchanges: readonly Exchange[]): boolean {
  const questions = Map.groupBy(
    exchanges.filter(({ call }) => hasFindings(learn(call).schema)),
    ({ call }) => firstTurn(call),
  )
  return [...questions.values()].some(
    (all) =>
      !all.some(({ said, outputTokens, call }) => {
        if (said.stop !== 'end' || outputTokens >= call.maxOutputTokens) return false
        return said.text.includes('"findings"') && said.text.includes('{')
      }),
  )
}

function hasFindings(schema: { [key: string]: unknown } | null): boolean {
  return (
    typeof schema?.properties === 'object' && schema.properties !== null && 'findings' in schema.properties
  )
}

/** What was asked, without the plea to mend an answer, which stands in the same turn when there was none at all. */
function firstTurn({ request, prompt }: Exchange['call']): string {
  const { messages, system } = request.body as { messages?: { content: unknown }[]; system?: unknown }
  const content = messages?.[0]?.content
  // Other protocols: the instructions, which come first, tell the planes apart.
  if (!Array.isArray(content) || system === undefined) return prompt.slice(0, 2_000)
  return JSON.stringify([
    system,
    content.filter((block) => !String(block.text).includes('could not be used:')),
  ])
}
