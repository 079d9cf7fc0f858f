/**
 * The questions that a review would put to its reviewers before any follow-up, planned from a bundle; no model is asked. A
 * second question about a group is as it is when the first one found nothing.
 */
import { createFence } from '../../src/base/untrusted/untrusted.ts'
import type { Question } from '../../src/llm/contract.ts'
import type { ReviewerInput } from '../../src/pipeline/reviewer/contract.ts'
import { onePanel } from '../../src/pipeline/reviewer/panel/panels.ts'
import { planQuestions } from '../../src/pipeline/reviewer/plan-questions.ts'
import { scriptedGateway } from '../../test/helpers/scripted-gateway.ts'

type Plan = Pick<ReviewerInput, 'context' | 'head' | 'facts' | 'config' | 'signal'> &
  Partial<Pick<ReviewerInput, 'panel' | 'triage'>>

/** Without a panel, the one question of depth standard; without triage, about every file. */
export async function planReview(
  plan: Plan,
): Promise<Pick<Question<unknown>, 'address' | 'instructions' | 'turns'>[]> {
  const { questions } = await planQuestions({
    panel: onePanel('standard'),
    triage: null,
    candidates: [],
    gateway: scriptedGateway(() => ({})),
    fence: createFence('0123456789abcdef'),
    mayAsk: async () => false,
    onEvent: () => {},
    note: () => {},
    ...plan,
  })
  return questions.map(({ address, question, questionAfter }) => ({
    ...(questionAfter?.([]) ?? question),
    address,
  }))
}
