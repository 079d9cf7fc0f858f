/** What a review would take, told before anything is sent. */

import { usdWords } from '../../base/usd-words.ts'
import type { ModelEstimate } from '../../index.ts'
import { asciiJson } from './ascii-json.ts'

/** `estimate` null: no model would be asked. */
export function renderEstimate(estimate: ModelEstimate | null, json: boolean): string {
  if (json) return `${asciiJson({ estimate }, 2)}\n`
  if (!estimate || estimate.calls === 0)
    return 'No model would be asked: this review costs nothing, and nothing was sent.\n'
  const { model, followUps, explore, refutation } = estimate
  const lines = [
    `${describe(estimate)} to ${model}: at most ${usdWords(estimate.usd)}.`,
    ...(explore && explore.calls > 0
      ? [
          `Before them up to ${explore.calls} turns of gathering, at most ${usdWords(explore.usd)} (${tokens(explore)}).`,
        ]
      : []),
    ...(followUps.calls > 0
      ? [
          `If every one has its follow-up, at most ${usdWords(followUps.usd)} more (${tokens(followUps)}); most have none.`,
        ]
      : []),
    ...(refutation
      ? [
          `Second looks at what they find, ${refutation.calls} at most: ${usdWords(refutation.usd)} more (${tokens(refutation)}).`,
        ]
      : []),
    'Nothing was sent.',
  ]
  return `${lines.join('\n')}\n`
}

/** `1 question (at most 5900 tokens in, 12000 out)`. */
export function describe(estimate: ModelEstimate): string {
  const { calls } = estimate
  return `${calls} ${calls === 1 ? 'question' : 'questions'} (${tokens(estimate)})`
}

function tokens({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }): string {
  return `at most ${inputTokens} tokens in, ${outputTokens} out`
}
