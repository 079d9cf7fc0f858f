/** Why a finding was reported, with what code confirmed and every piece of evidence that it cites. */
import type { Finding } from '../../domain/finding.ts'
import type { Review } from '../../domain/review.ts'
import { type ShownTest, shownTest } from './shown-test.ts'
import { citedEvidence, claimWords, evidencePlace, placeOf } from './words.ts'

/** `origin`: where a part is from, which a repository or a model wrote; null for our own words. */
export type ExplainedPart = { origin: string | null; text: string }

/** What it is, what its author says, what was checked, and the evidence, in this order. */
export function explainFinding(review: Review, finding: Finding): ExplainedPart[] {
  const { severity, category, confidence, rule, claims, verifiedBy, remedy, wrongIf } = finding
  const author = finding.byModel
    ? 'a model'
    : finding.byTool === undefined
      ? 'a check of Sightline'
      : 'another tool'
  const contested = finding.contested === undefined ? '' : ' Contested by a model.'
  const words = [
    finding.title,
    finding.explanation,
    ...(remedy === null ? [] : [`Suggested fix: ${remedy}`]),
    ...(wrongIf === undefined ? [] : [`Wrong if ${wrongIf}`]),
  ]
  const checked = [
    ...claims.map((claim) => `claim: ${claimWords(claim)}`),
    ...verifiedBy.map((by) => `verified: ${by}`),
  ]
  const test = shownTest(review, finding)
  return [
    {
      origin: null,
      text: `Finding ${finding.fingerprint}: ${severity} ${category}, confidence ${confidence}. Reported by ${author}.${contested}`,
    },
    { origin: 'place and check', text: `${placeOf(finding)}\ncheck ${rule}` },
    { origin: 'what its author says', text: words.join('\n\n') },
    ...(checked.length > 0 ? [{ origin: 'claims and checks', text: checked.join('\n') }] : []),
    ...(test ? [{ origin: 'a test that fails because of it', text: testText(test) }] : []),
    ...citedEvidence(review, finding).map(({ item, quote }) => ({
      origin: `evidence ${item.id}, ${evidencePlace(item)}`,
      text: `${item.title}\nquoted: ${quote}\n\n${item.text}`,
    })),
  ]
}

function testText({ path, text, head, base, fix, command }: ShownTest): string {
  return `${path}:\n${text}\n\nOn the head it fails:\n${head}\n\n${[base, fix].filter((words) => words !== '').join(' ')}\n\nRun it: ${command}`
}
