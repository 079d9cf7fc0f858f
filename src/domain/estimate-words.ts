/** What a review would ask of a model at most, as people are told before they agree to it. */
import type { ModelEstimate } from './model-report.ts'

/** US dollars without follow-ups; null when any part of it has no known price. */
export function totalUsd({ usd, explore, refutation }: ModelEstimate): number | null {
  const parts = [usd, explore ? explore.usd : 0, refutation ? refutation.usd : 0]
  return parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0)
}

/** `1 question (at most 5900 tokens in, 12000 out)`. */
export function questionWords(estimate: ModelEstimate): string {
  const { calls } = estimate
  return `${calls} ${calls === 1 ? 'question' : 'questions'} (${tokenWords(estimate)})`
}

export function tokenWords({
  inputTokens,
  outputTokens,
}: {
  inputTokens: number
  outputTokens: number
}): string {
  return `at most ${inputTokens} tokens in, ${outputTokens} out`
}
