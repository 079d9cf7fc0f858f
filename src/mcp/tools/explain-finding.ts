/** `explain_finding`: why a finding was reported, with every piece of evidence that it cites. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { Untrusted } from '../../base/untrusted/untrusted.ts'
import type { Review } from '../../domain/review.ts'
import { explainFinding as explainFindingIn } from '../../pipeline/publish/explain-finding.ts'
import { type AgentText, defineAgentTool } from '../contract.ts'
import { readOwnRun, runArgument } from '../own-runs.ts'

export const explainFinding = defineAgentTool({
  name: 'explain_finding',
  title: 'Explain a finding',
  about:
    'One finding of a recorded review: what is wrong, what its author says, what code confirmed, and the full text of the evidence. Check it before you change anything.',
  args: z.strictObject({
    id: z.string().min(1).max(100).describe('Its id, or the beginning of it, as review_change shows it.'),
    run: runArgument,
  }),
  asksOthers: false,
  async run({ id, run: asked }, session) {
    const { run, review } = await readOwnRun(asked, session)
    return findingInReview(review, run, id)
  },
})

/** By its id, or the beginning of it. Throws `finding-unknown`. */
export function findingInReview(review: Review, run: string, id: string): AgentText {
  const found = review.findings.filter((finding) => finding.id === id || finding.fingerprint.startsWith(id))
  const [finding, other] = found
  if (!finding || other) {
    const why = finding ? 'is the beginning of several ids' : `is not a finding of run ${run}`
    throw new UserError('finding-unknown', `${id} ${why}`)
  }
  return explainFindingIn(review, finding).map(({ origin, text }) =>
    origin === null ? text : new Untrusted(origin, text),
  )
}
