/** Every finding as a task for a coding agent, for pasting or piping into one. */
import { visibleLine } from '../../base/visible-text.ts'
import type { Review } from '../../domain/review.ts'
import { agentBlock } from './agent-block.ts'

export function renderAgentTasks(review: Review): string {
  const total = review.findings.length
  const tasks = review.findings.map(
    (finding, at) => `Task ${at + 1} of ${total}\n\n${agentBlock(review, finding)}`,
  )
  // Notices may quote a provider, and an agent obeys what it reads.
  return `${[visibleLine(review.conclusion.headline), ...tasks].join('\n\n')}\n`
}
