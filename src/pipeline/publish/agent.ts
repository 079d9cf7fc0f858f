/** Every finding as a task for a coding agent, for pasting or piping into one. */
import type { Review } from '../../domain/review.ts'
import { agentBlock } from './agent-block.ts'

export function renderAgentTasks(review: Review): string {
  if (review.findings.length === 0) return 'The review has no findings.\n'
  const total = review.findings.length
  return `${review.findings
    .map((finding, at) => `Task ${at + 1} of ${total}\n\n${agentBlock(review, finding)}`)
    .join('\n\n')}\n`
}
