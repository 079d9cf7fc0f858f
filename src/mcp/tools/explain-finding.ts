/** `explain_finding`: why a finding was reported, with every piece of evidence that it cites. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { Untrusted } from '../../base/untrusted/untrusted.ts'
import type { Finding } from '../../domain/finding.ts'
import type { Review } from '../../domain/review.ts'
import { type ShownTest, shownTest } from '../../pipeline/publish/shown-test.ts'
import { citedEvidence, claimWords, evidencePlace, placeOf } from '../../pipeline/publish/words.ts'
import { type AgentText, defineAgentTool } from '../contract.ts'
import { readOwnRun, runArgument } from '../own-runs.ts'

export const explainFinding = defineAgentTool({
  name: 'explain_finding',
  title: 'Explain a finding',
  about:
    'One finding of a recorded review: what is wrong, what its author says, what code confirmed, and the full text of the evidence. Check it before you change anything.',
  args: z.object({
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
  return explanation(review, finding)
}

function explanation(review: Review, finding: Finding): AgentText {
  const { severity, category, confidence, rule, claims, verifiedBy, remedy } = finding
  const author = finding.byModel
    ? 'a model'
    : finding.byTool === undefined
      ? 'a check of Sightline'
      : 'another tool'
  const contested = finding.contested === undefined ? '' : ' Contested by a model.'
  const words = [finding.title, finding.explanation, ...(remedy === null ? [] : [`Suggested fix: ${remedy}`])]
  const checked = [
    ...claims.map((claim) => `claim: ${claimWords(claim)}`),
    ...verifiedBy.map((by) => `verified: ${by}`),
  ]
  const test = shownTest(review, finding)
  return [
    `Finding ${finding.fingerprint}: ${severity} ${category}, confidence ${confidence}. Reported by ${author}.${contested}`,
    new Untrusted('place and check', `${placeOf(finding)}\ncheck ${rule}`),
    new Untrusted('what its author says', words.join('\n\n')),
    ...(checked.length > 0 ? [new Untrusted('claims and checks', checked.join('\n'))] : []),
    ...(test ? [new Untrusted('a test that fails because of it', testText(test))] : []),
    ...citedEvidence(review, finding).map(
      ({ item, quote }) =>
        new Untrusted(
          `evidence ${item.id}, ${evidencePlace(item)}`,
          `${item.title}\nquoted: ${quote}\n\n${item.text}`,
        ),
    ),
  ]
}

function testText({ path, text, head, base, fix, command }: ShownTest): string {
  return `${path}:\n${text}\n\nOn the head it fails:\n${head}\n\n${[base, fix].filter((words) => words !== '').join(' ')}\n\nRun it: ${command}`
}
